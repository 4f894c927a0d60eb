"""Manual pages made from the command line's own parser, and its JSON Schemas. Entry point: `generate`."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name

import click

from gaia_email.app.documents.schemas import schema
from gaia_email.app.operations.table import document_names
from gaia_email.interfaces.cli.app import command_lines, email
from gaia_email.plugins import installed_plugins


def generate() -> Iterator[tuple[Path, str]]:
    """Every manual page and every published schema, with its path in the repository."""
    for name, text in pages().items():
        yield Path("share/man/man1") / name, text
    for name in document_names():
        yield Path("docs/schemas") / f"{name}.json", json.dumps(schema(name), indent=2) + "\n"
    for plugin in installed_plugins():
        for name, place in plugin.schemas.items():
            yield Path("docs/schemas") / f"{name}.json", json.dumps(resolve_name(place)(), indent=2) + "\n"


def pages() -> dict[str, str]:
    """File name → roff text: one page for `gaia email`, one for each command."""
    context = click.Context(email, info_name="gaia email")
    found = {"gaia-email.1": _page("gaia-email", "gaia email", email, context, _commands())}
    for name in command_lines():
        command = email.get_command(context, name)
        assert command is not None, name
        inner = click.Context(command, info_name=f"gaia email {name}")
        more = _subcommands(command, inner) if isinstance(command, click.Group) else ""
        found[f"gaia-email-{name}.1"] = _page(
            f"gaia-email-{name}", f"gaia email {name}", command, inner, more
        )
    return found


def _page(title: str, invocation: str, command: click.Command, context: click.Context, more: str) -> str:
    usage = " ".join(command.collect_usage_pieces(context))
    summary, _, rest = _clean(command.help or "").partition("\n\n")
    lines = [
        f'.TH "{title.upper()}" "1" "" "gaia-email" "User Commands"',
        ".SH NAME",
        f"{_escape(title)} \\- {_escape(' '.join(summary.split()))}",
        ".SH SYNOPSIS",
        f".B {_escape(invocation)}",
        _escape(usage),
    ]
    if rest.strip():
        lines += [".SH DESCRIPTION", *_paragraphs(rest)]
    options = [parameter.get_help_record(context) for parameter in command.get_params(context)]
    lines.append(".SH OPTIONS")
    for record in options:
        if record:
            lines += [".TP", f"\\fB{_escape(record[0])}\\fR", _escape(record[1] or " ")]
    return "\n".join(lines) + "\n" + more


def _commands() -> str:
    lines = [".SH COMMANDS"]
    for name, line in command_lines().items():
        lines += [".TP", f"\\fB{name}\\fR", _escape(line)]
    return "\n".join(lines) + "\n"


def _subcommands(group: click.Group, context: click.Context) -> str:
    """A section for each command of a group, and of the groups in it."""
    text = ""
    for name, command in group.commands.items():
        inner = click.Context(command, info_name=name, parent=context)
        if isinstance(command, click.Group):
            text += _subcommands(command, inner)
            continue
        usage = f"{inner.command_path} {' '.join(command.collect_usage_pieces(inner))}"
        records = [parameter.get_help_record(inner) for parameter in command.get_params(inner)]
        lines = [f'.SH "{_escape(inner.command_path.removeprefix("gaia email "))}"', f".B {_escape(usage)}"]
        lines += _paragraphs(_clean(command.help or ""))
        for record in records:
            if record:
                lines += [".TP", f"\\fB{_escape(record[0])}\\fR", _escape(record[1] or " ")]
        text += "\n".join(lines) + "\n"
    return text


def _clean(text: str) -> str:
    return inspect.cleandoc(text).replace("\b\n", "")


def _paragraphs(text: str) -> list[str]:
    lines: list[str] = []
    for paragraph in text.strip().split("\n\n"):
        lines += [".PP", _escape(" ".join(paragraph.split()))]
    return lines


def _escape(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
