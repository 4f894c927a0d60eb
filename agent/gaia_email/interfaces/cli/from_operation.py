"""Commands built from operations: options from the input, and the document as JSON, lines, a table or a card.

Entries: `derived_command`, `operation_command`, `OperationView`; `call_operation` and `print_document` for a command
with additional steps.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from secrets import token_hex
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_args, get_origin

import click
import msgspec

from gaia_email.app import App
from gaia_email.app.documents.columns import read_field
from gaia_email.app.operations.operation import NoInput, Operation, OperationCall, OperationInput
from gaia_email.interfaces.cli.options import (
    HelpfulGroup,
    NamedSource,
    OutputChoice,
    pass_asking_app,
    pass_output,
    source_options,
)
from gaia_email.interfaces.cli.origin import origin_here
from gaia_email.interfaces.cli.output import OutputFormat, note, write_rows
from gaia_email.interfaces.cli.over_http import ServerClient, is_over_http
from gaia_email.interfaces.cli.session import progress as understood
from gaia_email.interfaces.cli.times import checked_since, checked_until

if TYPE_CHECKING:
    from gaia_email.app.documents.layouts.layout import CardLayout
    from gaia_email.app.services.source import SourceSpec
    from gaia_email.policy.gate import Prompt

PrintedDocument = Mapping[str, Any]
Rows = Sequence[Mapping[str, object]]
INTERFACE: Final = "cli"
"""Name of this interface in the event log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationAnswer:
    """An operation's answer with its request.

    Attributes:
        document: The answer.
        asked: The input.
        source: The options that name the mailbox in a further command; empty if not needed.
        given: The values of the command's own options, which the operation does not know.
        number_rows: Takes the account and id of each message in a list, so that row numbers name them in the next
            command; returns False if that is not possible. With a single mailbox, the account may be empty.
    """

    document: PrintedDocument
    asked: OperationInput = field(default_factory=NoInput)
    source: str = ""
    given: Mapping[str, Any] = field(default_factory=dict[str, Any])
    number_rows: Callable[[Sequence[tuple[str, str]]], bool] = lambda rows: False


def whole(document: Any) -> Rows:
    """Return a document as its own only row."""
    return [document]


def succeed(document: Any) -> int:
    """Return the exit code of a command that succeeds whenever its operation answers."""
    return 0


def as_it_is(document: PrintedDocument, source: str) -> PrintedDocument:
    """Return the document unchanged."""
    return document


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationView:
    """The output of a command for its operation's document.

    Attributes:
        columns: The columns of the table in a pipe.
        layout: The card's layout; None for `card`.
        card: The card, if a layout cannot express it: a function of the document and its `OperationAnswer`, as
            `module.function` of `interfaces/cli`, so that drawing code is imported only for a card; empty for the
            table.
        rows: The rows of `--jsonl` and of the table.
        notes: Messages for standard error, in the formats listed in `noted`.
        noted: The formats in which the document itself does not contain the notes.
        code: The exit code for a document.
        printed: Converts the operation's document, given the options that name the mailbox, to the printed one.
        text: Text that replaces card and table; empty for none.
        is_text: True if the card is text to read; a pipe gets it, too, unless fields are requested.
        options: Options of the command that only its card uses.
        progress: Shows the number of messages or actions done.
        source_first: True if the help lists the mailbox options before those of the operation.
    """

    columns: Sequence[str] | Callable[[Any], Sequence[str]]
    layout: CardLayout | None = None
    card: str = ""
    rows: Callable[[Any], Rows] = whole
    notes: Callable[[Any], Sequence[str]] | None = None
    noted: Sequence[OutputFormat] = ("json", "jsonl", "tsv")
    code: Callable[[Any], int] = succeed
    printed: Callable[[Any, str], PrintedDocument] = as_it_is
    text: Callable[[Any], str] = lambda document: ""
    is_text: bool = False
    options: Sequence[Callable[[Callable[..., Any]], Callable[..., Any]]] = ()
    progress: Callable[[int, int], None] = understood
    source_first: bool = False


def operation_command(
    operation: Operation[Any],
    help_text: str,
    view: OperationView,
    *,
    name: str = "",
    asks: str | None = None,
) -> OperationCommand:
    """Return the command of one operation.

    Args:
        operation: The operation.
        help_text: The text of `--help`.
        view: The output of its document.
        name: The command's name, if different from the operation's.
        asks: The question that the user answers with a code; empty if the effect itself asks, None to follow the
            operation's risk.
    """

    def run(app: App, out: OutputChoice, named: NamedSource | None = None, **values: Any) -> int:
        if click.get_current_context().invoked_subcommand is not None:
            return 0
        fitting = {one.name for one in msgspec.structs.fields(operation.input)}
        asked = {key: value for key, value in values.items() if key in fitting}
        answer = call_operation(app, operation, asked, named, asks=asks, progress=view.progress, given=values)
        return print_document(answer, view, *out)

    command: Callable[..., Any] = pass_asking_app(run)
    command = pass_output(command)
    for option in reversed(view.options):
        command = option(command)
    if operation.mailbox != "none":
        command = source_options(command)
    found = click.command(name=name or operation.name, cls=OperationCommand, help=help_text)(command)
    place = [one.name for one in found.params].index("user") + 1 if view.source_first else 0
    found.params[place:place] = operation_parameters(operation)
    found.operation, found.view = operation, view
    output = operation.output
    is_command = isinstance(output, str) and "." not in output
    found.document = str(output if is_command else found.name)
    return found


class OperationCommand(click.Command):
    """A command built from an operation, with its document's name and its output."""

    operation: Operation[Any]
    view: OperationView
    document: str


def derived_command(operation: Operation[Any]) -> OperationCommand:
    """Build the command that an operation declares."""
    offered = operation.command
    assert offered is not None, operation.name
    help_text = offered.help or operation.description
    return operation_command(operation, help_text, view_of(operation), name=offered.name, asks=offered.asks)


def view_of(operation: Operation[Any]) -> OperationView:
    """Return a command's output for an operation's document."""
    offered = operation.command
    if offered is None:
        return OperationView(columns=operation.columns, rows=operation.rows_of, layout=operation.card)
    if offered.view:
        module, _, name = offered.view.rpartition(".")
        place = module if module.startswith("gaia_") else f"gaia_email.interfaces.cli.{module}"
        found = getattr(import_module(place), name)
        assert isinstance(found, OperationView)
        return found
    return OperationView(
        columns=operation.columns,
        layout=operation.card,
        card=offered.card,
        rows=operation.rows_of,
        notes=lambda document: [document[offered.said]] if offered.said and document[offered.said] else [],
        code=lambda document: 1 if offered.failed and read_field(document, offered.failed) else 0,
        text=lambda document: str(document[offered.text]) if offered.text else "",
        is_text=bool(offered.text),
    )


def with_commands_below(command: click.Command) -> click.Group:
    """Return the command as a group, which runs it if no subcommand is named."""
    return HelpfulGroup(
        name=command.name,
        callback=command.callback,
        params=command.params,
        help=command.help,
        invoke_without_command=True,
    )


def operation_parameters(operation: Operation[Any]) -> list[click.Parameter]:
    """Return click parameters for an operation's input: name, type, choices, limits and description of each field."""
    made = [_parameter(one) for one in msgspec.structs.fields(operation.input)]
    return [one for one in made if one is not None]


def _parameter(field: msgspec.structs.FieldInfo) -> click.Parameter | None:
    annotated = get_origin(field.type) is Annotated
    kind, *notes = get_args(field.type) if annotated else (field.type,)
    limits = [note for note in notes if isinstance(note, msgspec.Meta)]
    hints: dict[str, Any] = {key: value for note in limits for key, value in (note.extra or {}).items()}
    if hints.get("hidden"):
        return None
    several = get_origin(kind) in (list, tuple)
    given: dict[str, Any] = {"metavar": hints.get("metavar")}
    if get_origin(kind) is Literal:
        given["type"] = click.Choice([value for value in get_args(kind) if value])
    elif kind is int:
        least, most = _last(limits, "ge"), _last(limits, "le")
        given["type"] = int if least is None and most is None else click.IntRange(least, most)
    elif kind is bool:
        given["is_flag"] = True
    elif moment := hints.get("moment"):
        given["callback"] = checked_since if moment == "since" else checked_until
    if hints.get("argument"):
        return click.Argument([field.name], nargs=-1 if several else 1, required=field.required, **given)
    if get_origin(kind) is Literal and not field.required and field.default:
        given |= {"default": field.default, "show_default": True}
    names = (hints.get("option") or f"--{field.name.replace('_', '-')}", field.name)
    said = hints.get("help") or _last(limits, "description")
    return click.Option(names, multiple=several, required=field.required, help=said, **given)


def _last(notes: Sequence[msgspec.Meta], name: str) -> Any:
    """Return the last value of an attribute in several notes on a field; None if none has it."""
    return next((value for note in reversed(notes) if (value := getattr(note, name)) is not None), None)


def call_operation(
    app: App,
    operation: Operation[Any],
    asked: Mapping[str, Any],
    named: NamedSource | None = None,
    *,
    asks: str | None = None,
    progress: Callable[[int, int], None] = understood,
    given: Mapping[str, Any] | None = None,
    source: SourceSpec | None = None,
    by_person: bool = True,
    confirm: Callable[[PrintedDocument], bool] | None = None,
) -> OperationAnswer:
    """Call an operation as the user at this terminal; `asks` is as for `operation_command`.

    The mailbox is `source` if given, or else the one `named`. With `--via http` the running server performs the
    operation. Without `by_person` the call has no consent of the user, so an operation that needs it raises an error.
    `confirm` is as in `OperationCall`.

    Raises:
        NeedsApproval: It needs the user, and nobody is present.
        MailError: The operation failed.
    """
    values = {key: value for key, value in asked.items() if value is not False and value not in (None, ())}
    wanted = operation.read(values)
    over_http = is_over_http(app)
    if not over_http:  # a server asks for the person itself
        _ask_person(app, operation, wanted, asks)
    sources: Sequence[SourceSpec] = () if source is None else (source,)
    if source is None and named is not None:
        changed, sources = _sources(app, operation, values, named)
        wanted = msgspec.structs.replace(wanted, **changed)
    call: OperationCall[Any] = OperationCall(
        asked=wanted,
        origin=origin_here(),
        by_person=by_person,
        sources=sources,
        prompt=None if over_http else _prompt(operation, wanted),
        confirm=confirm,
        session_id=_own_session(values),
        tell=note,
        progress=progress,
    )
    document = _over_http(app, operation, call, named) if over_http else operation.run(app, call)
    flags = sources[0].flags if len(sources) == 1 else ""
    return OperationAnswer(
        document=document,
        asked=wanted,
        source=flags,
        given=given or {},
        number_rows=partial(_number_rows, app, sources),
    )


def _ask_person(app: App, operation: Operation[Any], wanted: Any, asks: str | None) -> None:
    """Ask the user this question, or for a code if the operation requires it.

    Raises:
        NeedsApproval: Nobody is present to answer, or the answer was no.
    """
    if asks:
        from gaia_email.interfaces.cli.person import need_yes

        need_yes(app, asks)
    elif asks is None and operation.takes_person(wanted):
        from gaia_email.interfaces.cli.person import need_person

        need_person(app)


def _over_http(
    app: App, operation: Operation[Any], call: OperationCall[Any], named: NamedSource | None
) -> PrintedDocument:
    """Have the running server perform the operation."""
    from gaia_email.interfaces.cli.naming import account_over_http

    account = account_over_http(named, call.sources)
    return ServerClient(app).document(operation, call.asked, account, note)


def _number_rows(app: App, sources: Sequence[SourceSpec], rows: Sequence[tuple[str, str]]) -> bool:
    """Remember the messages in the rows of a list; the numbers of an earlier list become invalid in any case."""
    from gaia_email.app.services.opening import account_of
    from gaia_email.interfaces.cli.last_card import remember

    of_account = {account_of(app, one): one for one in sources} if len(sources) > 1 else {}
    named = [(sources[0] if len(sources) == 1 else of_account.get(account), id_) for account, id_ in rows]
    kept = [(source, id_) for source, id_ in named if source is not None]
    whole = len(kept) == len(rows)
    remember(app, kept if whole else [])
    return whole and bool(rows)


def _own_session(values: Mapping[str, Any]) -> str:
    """Return a session for a command that acts on several messages, so that one `undo` reverts it."""
    return f"cli-{token_hex(4)}" if len(values.get("message_ids", ())) > 1 else ""


def _sources(
    app: App, operation: Operation[Any], values: Mapping[str, Any], named: NamedSource
) -> tuple[Mapping[str, Any], Sequence[SourceSpec]]:
    """Return the mailboxes for an operation, and its messages by the ids used in the mailboxes."""
    from gaia_email.interfaces.cli.naming import message_named, messages_named

    if operation.mailbox == "all":
        return {}, named.resolve_all(app)
    if "message_id" in values:
        message, source = message_named(app, values["message_id"], named)
        return {"message_id": message}, [source]
    if "message_ids" in values:
        messages, source = messages_named(app, values["message_ids"], named)
        return {"message_ids": messages}, [source]
    return {}, [named.resolve(app)]


def _prompt(operation: Operation[Any], asked: OperationInput) -> Prompt | None:
    if operation.mailbox == "none" or not operation.takes_person(asked):
        return None
    from gaia_email.interfaces.cli.acting import TerminalPrompt

    return TerminalPrompt()


def print_document(
    answer: OperationAnswer, view: OperationView, form: OutputFormat, fields: Sequence[str] = ()
) -> int:
    """Print the answer of an operation; return the exit code."""
    document = view.printed(answer.document, answer.source)
    if form in ("card", "tsv") and not fields and (text := view.text(document)):
        sys.stdout.write(text)
        return view.code(document)
    if form == "card" and view.layout is not None:
        from gaia_email.interfaces.cli.document_card import print_layout

        for said in view.notes(document) if view.notes and form in view.noted else ():
            note(said)
        given = {"source": answer.source, "given": answer.given}
        print_layout(view.layout, document, given, answer.number_rows)
        return view.code(document)
    columns = view.columns(document) if callable(view.columns) else view.columns
    if form == "card" and not view.card:
        from gaia_email.interfaces.cli.document_card import print_table

        print_table(view.rows(document), columns)
        return view.code(document)
    if form == "card" or (form == "tsv" and view.is_text and not fields):
        module, _, function = view.card.rpartition(".")
        getattr(import_module(f"gaia_email.interfaces.cli.{module}"), function)(document, answer)
        return view.code(document)
    for said in view.notes(document) if view.notes and form in view.noted else ():
        note(said)
    write_rows(document, view.rows(document), columns, form, fields)
    return view.code(document)
