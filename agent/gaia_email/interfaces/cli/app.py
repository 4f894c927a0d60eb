"""The tree of commands. A command's module is imported only when the command runs or is described.

`derived_commands.tsv`, here and in plug-ins, lists the commands derived from operations; `python -m tools.generate`
writes it. Plug-ins are looked for only if a command is not the core's or the list is shown.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

if TYPE_CHECKING:
    from gaia_email.app.operations.operation import Operation

Listed = TypeVar("Listed")

GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Read": {
        "inbox": ("inbox", "Show your inbox in four buckets, with a reason for every thread."),
        "followups": ("followups", "Show who owes whom an answer: what you owe, and what you wait for."),
        "chat": ("chat", "Ask about your mail in short sentences, without a language model."),
        "watch": ("watch", "Show every new message with its verdict as it arrives, until stopped."),
        "demo": ("demo", "Try everything on a sample mailbox; `connect` adds your own."),
    },
    "Act": {
        "triage": ("triage", "Show what the agent would do with each thread; --apply does it."),
        "retriage": (
            "retriage",
            "Sort mail again that another version, a model or the rules sorted.",
        ),
        "undo": ("undo", "Undo the last run, an action, or everything since a time."),
        "draft": ("draft", "Start a reply: your greeting, what is asked, your sign-off; never sent."),
        "answer": ("answer", "Answer a message with words you wrote beforehand; asks first."),
        "review": ("review", "Answer what is waiting, with one key each."),
        "approve": ("approve", "Say yes to something that is waiting."),
    },
    "Rules": {
        "policy": ("policy", "Set what the agent may do for each kind of sender."),
        "vip": ("vip", "List, add or remove the people whose mail matters most."),
        "protect": ("protect", "Protect senders, labels and threads from every automatic action."),
        "labels": ("labels", "List, create, test or remove labels, each with a sentence."),
        "remember": ("remember", "Keep sentences about how you like things."),
        "correct": ("correct", "Say which bucket a message belongs in."),
        "teach": ("teach", "Teach it your ways with twenty short questions."),
        "lessons": ("lessons", "List what you taught it; `lessons forget N` removes a lesson."),
        "travel-mode": ("travel_mode", "Cap every level at 2 and stay quiet until a date."),
    },
    "Accounts": {
        "connect": ("connect", "Connect a mailbox: IMAP, Gmail, or mail files on this machine."),
        "accounts": ("accounts", "List the connected accounts."),
        "disable": ("disable", "Switch an account off; everything kept here stays."),
        "enable": ("enable", "Switch an account on again."),
        "disconnect": ("disconnect", "Forget an account; its mail stays where it is."),
        "egress": ("egress", "List every connection that left this machine: to whom, why, how much."),
    },
    "Tools": {
        "servers": (
            "servers",
            "Add MCP servers of others here, and ours to Claude Desktop.",
        ),
        "models": ("models", "Use language models of this machine where the rules are unsure."),
        "schedule": ("schedule", "Run a triage, brief or other work by the clock."),
        "serve": ("serve", "Serve your page, and answer programs of this machine over HTTP."),
        "worker": ("worker", "Run scheduled work until stopped."),
        "runs": ("runs", "List past, present and scheduled runs; `runs cancel` ends one."),
        "classify": ("classify", "Judge mail files: one JSON object per message."),
        "export": ("export", "Export what was understood and done, as JSON or CSV."),
        "purge": ("purge", "Delete the local copy of mail, or everything kept here."),
        "ledger": ("ledger", "Verify the record of what was done: `ledger verify`."),
        "schema": ("schema", "Print the JSON Schema of a command's output."),
        "completion": ("completion", "Print shell completion for bash, zsh or fish."),
    },
}
"""Heading → command name → module below `commands/` and its line in `--help`, for handwritten commands."""

WRITTEN = {name: module for commands in GROUPS.values() for name, (module, _) in commands.items()}
"""Command name → module, for handwritten commands."""


class IndexedCommand(NamedTuple):
    """A line of the index: a command derived from an operation.

    Attributes:
        name: Its name.
        heading: Its heading in `gaia email --help`, or the group that contains it.
        after: The command before it; empty for the start.
        module: The module that registers its operation, or a reference (`module:name`) to a plug-in's own command.
        line: Its line in the help; unused in a group, which lists it by its own help.
    """

    name: str
    heading: str
    after: str
    module: str
    line: str


INDEX = "derived_commands.tsv"


@cache
def index() -> list[IndexedCommand]:
    """Return the derived commands and those of plug-ins."""
    from importlib.resources import files

    from gaia_email.plugins import installed_plugins

    rows = [*_own_index()]
    for plugin in installed_plugins():
        rows += [IndexedCommand(*command) for command in plugin.commands]
        if (listed := files(plugin.package) / INDEX).is_file():
            rows += _rows(listed.read_text(encoding="utf-8"))
        elif plugin.operations:  # of another distribution, which has no index
            from gaia_email.app.operations.operation import collect_operations

            rows += indexed_rows(
                collect_operations([import_module(name) for name in plugin.operations]).values()
            )
    return rows


def indexed_rows(operations: Iterable[Operation[Any]]) -> list[IndexedCommand]:
    """Return a row for each operation with a command."""
    return [
        IndexedCommand(
            name=one.command.name,
            heading=one.command.heading,
            after=one.command.after,
            module=one.run.__module__,
            line=one.command.line or one.summary,
        )
        for one in operations
        if one.command
    ]


@cache
def _own_index() -> list[IndexedCommand]:
    place = os.path.join(os.path.dirname(__file__), INDEX)  # importing pathlib takes 2 ms
    with open(place, encoding="utf-8") as file:
        return _rows(file.read())


def _rows(text: str) -> list[IndexedCommand]:
    return [IndexedCommand(*line.split("\t")) for line in text.splitlines()]


def _indexed(name: str) -> IndexedCommand | None:
    """Return the row of a command outside of groups."""
    for rows in (_own_index, index):
        for row in rows():
            if row.name == name and row.heading in GROUPS:
                return row
    return None


@cache
def list_by_heading() -> dict[str, dict[str, str]]:
    """Return heading → command name → line in `--help` for all commands, in listed order."""
    return {
        heading: _placed(heading, {name: line for name, (_, line) in commands.items()}, lambda row: row.line)
        for heading, commands in GROUPS.items()
    }


def _placed(
    heading: str, written: Mapping[str, Listed], listed_as: Callable[[IndexedCommand], Listed]
) -> dict[str, Listed]:
    """Return the handwritten and derived commands of a heading, by name, in order."""
    found = list(written.items())
    waiting = [row for row in index() if row.heading == heading]
    while waiting:
        row = waiting.pop(0)
        before = [name for name, _ in found]
        if row.after and row.after not in before:
            if ":" in row.module and row.after not in {one.name for one in waiting}:
                row = row._replace(
                    after=before[-1]
                )  # the command before it is another plug-in's, which is missing
            elif row.after not in {one.name for one in waiting}:
                raise ValueError(f"{row.name!r} follows {row.after!r}, which {heading!r} does not have")
            waiting.append(row)
            continue
        place = before.index(row.after) + 1 if row.after else 0
        found.insert(place, (row.name, listed_as(row)))
    return dict(found)


def command_lines() -> dict[str, str]:
    """Return the line in `--help` of each command by name, in listed order."""
    return {name: line for commands in list_by_heading().values() for name, line in commands.items()}


@cache
def command_named(name: str) -> click.Command | None:
    """Import and return the command with this name; None if there is none."""
    if name not in WRITTEN:
        row = _indexed(name)
        return _indexed_command(row) if row else None
    command = import_module(f"gaia_email.interfaces.cli.commands.{WRITTEN[name]}").command
    assert isinstance(command, click.Command)
    return _filled(command)


def _filled(command: click.Command) -> click.Command:
    """Return the command, with the indexed commands of its group if it is one."""
    if isinstance(command, click.Group) and command.name:
        command.commands = _placed(command.name, command.commands, _indexed_command)
    return command


def _indexed_command(row: IndexedCommand) -> click.Command:
    if ":" in row.module:
        return _filled(resolve_name(row.module))
    from gaia_email.app.operations.operation import collect_operations
    from gaia_email.interfaces.cli.from_operation import derived_command

    return next(
        derived_command(one)
        for one in collect_operations([import_module(row.module)]).values()
        if one.command and (one.command.name, one.command.heading) == (row.name, row.heading)
    )


EXIT_CODES = (
    ("0", "done"),
    ("1", "failed"),
    ("2", "the command line is wrong"),
    ("3", "done in part"),
    ("4", "not connected"),
    ("5", "refused, by you or your rules"),
    ("130", "interrupted"),
)


class LazyGroup(click.Group):
    """A group that knows the names and help lines of its commands, and imports a command only to run it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as click does, but accept `--via` anywhere on the line."""
        ends = args.index("--") if "--" in args else len(args)
        at = next((at for at, word in enumerate(args[:ends]) if word.partition("=")[0] == "--via"), None)
        if at is not None:
            size = 1 if "=" in args[at] else 2
            args = [*args[at : at + size], *args[:at], *args[at + size :]]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table, which is the order in which a newcomer needs them."""
        return list(command_lines())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module; return None for an unknown name."""
        return command_named(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve as click does, but suggest the nearest names for an unknown one."""
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in WRITTEN and not _indexed(name):
            from difflib import get_close_matches

            near = get_close_matches(name, command_lines(), n=2)
            offer = f" Did you mean {' or '.join(near)}?" if near else ""
            raise click.UsageError(f"There is no command {name!r}.{offer}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands under their headings, from the stored help lines, and the meaning of exit codes."""
        width = max(map(len, command_lines()))
        for heading, commands in list_by_heading().items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(width), line) for name, line in commands.items()])
        with formatter.section("Exit codes"):
            formatter.write_dl([(code.ljust(width), meaning) for code, meaning in EXIT_CODES])


CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=CONTEXT)
@click.version_option(package_name="gaia-email", prog_name="gaia-email")
def gaia() -> None:
    """GAIA on this machine."""


@gaia.command(name="licenses")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def licenses(as_json: bool) -> None:
    """List installed libraries with their versions and licences."""
    from gaia_email.interfaces.cli.licences import print_licences

    print_licences(as_json=as_json)


@gaia.group(cls=LazyGroup, context_settings=CONTEXT, invoke_without_command=True)
@click.option(
    "--via",
    type=click.Choice(["http"]),
    envvar="GAIA_EMAIL_VIA",
    help="Have the running `gaia email serve` do it; may also stand after the command.",
)
@click.pass_context
def email(ctx: click.Context, via: str | None) -> None:
    """Sorts your mail on your own machine: four buckets, a reason for each thread, nothing sent anywhere.

    Without a command, on a terminal, it opens your inbox to live in; ? shows the keys there.

    Start with `gaia email demo`, then point it at your own mail: `gaia email connect`, or
    `gaia email inbox --maildir ~/Mail` or `--mbox takeout.mbox`.
    """
    if via:
        from gaia_email.app import App

        app = App()
        ctx.obj = App(environ={**app.environ, "GAIA_EMAIL_VIA": via}, clock=app.clock)
    if ctx.invoked_subcommand is None:
        _without_command(ctx)


def _without_command(ctx: click.Context) -> None:
    """Open the full-screen inbox on an interactive terminal with a connected mailbox; otherwise print the help."""
    import sys

    from gaia_email.app import App
    from gaia_email.interfaces.cli.terminal import is_terminal
    from gaia_email_registry.accounts import read_accounts

    app = ctx.ensure_object(App)
    if not (is_terminal() and sys.stdin.isatty() and read_accounts(app.environ)):
        click.echo(ctx.get_help())
        return
    from gaia_email.interfaces.cli.errors import run_guarded
    from gaia_email.interfaces.cli.over_http import need_here
    from gaia_email.interfaces.cli.tui.app import live

    need_here(app, "the inbox on the whole screen")

    def run(arguments: list[str]) -> int:
        return run_guarded(
            lambda: gaia.main(args=["email", *arguments], prog_name="gaia", standalone_mode=False)
        )

    live(app, run)
