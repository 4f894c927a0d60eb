"""Commands of `gaia email automations` that create and change drafts. Entry: `AUTHORING_COMMANDS`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.from_operation import (
    call_operation,
    print_document,
    view_of,
)
from gaia_email.interfaces.cli.options import NamedSource, OutputChoice, pass_app, pass_output, source_options
from gaia_email_automations import draft_operations as operations

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DRAFT_VIEW = view_of(operations.automation_draft)
_SET = click.option(
    "--set",
    "answers",
    metavar="NAME=VALUE",
    multiple=True,
    help="The answer to a question of the draft; VALUE is JSON, or a text as it is. Can be repeated.",
)
_MODEL = click.option(
    "--model",
    type=click.Choice(["if_needed", "never", "always"]),
    default="if_needed",
    show_default=True,
    help="Use of the language model you chose.",
)
_FILE_PATH = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)


@click.command(name="propose")
@click.argument("words", metavar="[SENTENCE]", default="")
@click.option("--starter", metavar="NAME", default="", help="Begin with this starter.")
@click.option(
    "--zone", metavar="ZONE", default="", help="The time zone; this machine's, where none is given."
)
@_MODEL
@pass_output
@pass_app
def propose(app: App, words: str, starter: str, zone: str, model: str, out: OutputChoice) -> int:
    """Make a draft of what you say, such as "when an invoice arrives, label it Invoices and tell ann@example.com".

    Nothing is saved: look at it, change it with refine, and save it with save. What the words leave open is asked.
    """
    asked = {"words": words, "starter": starter, "zone": zone or _zone(app), "model": model}
    return print_document(call_operation(app, operations.propose_automation, asked), DRAFT_VIEW, *out)


def _zone(app: App) -> str:
    """Return this machine's time zone; empty if unknown, so that the user is asked for it."""
    from gaia_email.interfaces.cli.zones import this_zone
    from gaia_email_registry.errors import BadArgument

    try:
        return this_zone(app.environ)
    except BadArgument:
        return ""


@click.command(name="refine")
@click.argument("draft_id", metavar="DRAFT")
@click.argument("words", metavar="[CHANGE]", default="")
@_SET
@click.option("--patch", metavar="FILE", type=_FILE_PATH, help="A JSON Patch (RFC 6902).")
@_MODEL
@pass_output
@pass_app
def refine(
    app: App,
    draft_id: str,
    words: str,
    answers: tuple[str, ...],
    patch: Path | None,
    model: str,
    out: OutputChoice,
) -> int:
    """Change a draft: in words such as "weekdays only", by answers, or by a JSON Patch; the difference is shown."""
    operations_of_patch = () if patch is None else json_in(patch)
    asked = {
        "draft_id": draft_id,
        "words": words,
        "values": named_values(answers, "--set"),
        "patch": operations_of_patch,
        "model": model,
    }
    return print_document(call_operation(app, operations.refine_automation, asked), DRAFT_VIEW, *out)


@click.command(name="save")
@click.argument("draft_id", metavar="DRAFT")
@_SET
@click.option(
    "--flow",
    "flows",
    metavar="LINE",
    multiple=True,
    help="A line of the draft's flows that runs need not ask about; can be repeated.",
)
@click.option("--replaces", metavar="AUTOMATION", default="", help="It is a new version of this one.")
@source_options
@pass_output
@pass_app
def save(
    app: App,
    draft_id: str,
    answers: tuple[str, ...],
    flows: tuple[str, ...],
    replaces: str,
    named: NamedSource,
    out: OutputChoice,
) -> int:
    """Save a draft for a mailbox, after you have seen what it may do."""
    draft = call_operation(app, operations.automation_draft, {"draft_id": draft_id}).document
    show_before_saving(draft, flows)
    asked = {
        "draft_id": draft_id,
        "values": named_values(answers, "--set"),
        "flows": flows,
        "replaces": replaces,
    }
    question = f"Save the automation {draft['name']!r}"
    answer = call_operation(app, operations.save_automation_draft, asked, named, asks=question)
    return print_document(answer, view_of(operations.save_automation_draft), *out)


@click.command(name="import")
@click.argument("file", metavar="FILE", type=_FILE_PATH)
@pass_output
@pass_app
def import_file(app: App, file: Path, out: OutputChoice) -> int:
    """Take in the definition in FILE as a draft, with all that is worth checking; save makes it yours."""
    answer = call_operation(app, operations.import_automation, {"definition": definition_in(file)})
    return print_document(answer, DRAFT_VIEW, *out)


@click.command(name="export")
@click.argument("automation_id", metavar="AUTOMATION")
@pass_app
def export(app: App, automation_id: str) -> None:
    """Print an automation's definition, for import elsewhere."""
    from gaia_email.interfaces.cli.output import write_json

    asked = {"automation_id": automation_id}
    write_json(call_operation(app, operations.export_automation, asked).document["definition"])


@click.command(name="diff")
@click.argument("automation_id", metavar="AUTOMATION")
@click.argument("file", metavar="[FILE]", type=_FILE_PATH, required=False)
@click.option("--version", type=click.IntRange(1), help="Show changes since this version.")
@pass_output
@pass_app
def diff(app: App, automation_id: str, file: Path | None, version: int | None, out: OutputChoice) -> int:
    """Show what FILE would change, or what the last edit changed, as a JSON Patch."""
    asked: dict[str, Any] = {"automation_id": automation_id, "version": version}
    if file is not None:
        asked["definition"] = definition_in(file)
    return print_document(
        call_operation(app, operations.diff_automation, asked), view_of(operations.diff_automation), *out
    )


AUTHORING_COMMANDS: tuple[click.Command, ...] = (propose, refine, save, import_file, export, diff)


def show_before_saving(document: Mapping[str, Any], allowed: Sequence[str]) -> None:
    """Show on standard error everything that a definition does, before the user is asked to save it.

    Args:
        document: A check or a draft.
        allowed: The flows that the user allows.
    """
    from gaia_email.app.documents.layouts.filled_card import fill_layout
    from gaia_email.interfaces.cli.output import note
    from gaia_email_automations.cards import BEFORE_SAVING

    for line in fill_layout(BEFORE_SAVING, document, {"allowed": allowed}).text_lines():
        note(line)


def json_in(file: Path) -> Any:
    """Return the JSON value in a file.

    Raises:
        click.BadParameter: The file is not valid JSON.
    """
    text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise click.BadParameter("it is no JSON.", param_hint="FILE") from None


def definition_in(file: Path) -> dict[str, Any]:
    """Return the JSON object in a file.

    Raises:
        click.BadParameter: The file is not a JSON object.
    """
    value = json_in(file)
    if not isinstance(value, dict):
        raise click.BadParameter("it is no JSON object.", param_hint="FILE")
    return value  # pyright: ignore[reportUnknownVariableType]


def named_values(given: Sequence[str], option: str) -> dict[str, Any]:
    """Return the values of `NAME=VALUE` options; a value is JSON, or plain text.

    Raises:
        click.BadParameter: An option has no name.
    """
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise click.BadParameter("write NAME=VALUE.", param_hint=option)
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found
