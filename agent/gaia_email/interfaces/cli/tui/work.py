"""The actions of the keys on a mailbox, each called in its own thread. Entries: `ScreenWork`, `MailboxWork`."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

from typing_extensions import override

from gaia_email.app import App
from gaia_email.app.documents.cards.wording import one_line
from gaia_email.app.operations.operation import NoInput, Operation, OperationCall, OperationInput
from gaia_email.app.services.opening import account_of
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.cli.acting import TerminalPrompt
from gaia_email.interfaces.cli.origin import origin_here
from gaia_email.interfaces.cli.tui.state import ThreadLine, rows_of
from gaia_email_registry.errors import NotFound
from gaia_understanding.cascade.verdict import Bucket

if TYPE_CHECKING:
    from rich.console import Console

    from gaia_email.interfaces.cli.from_operation import OperationAnswer


class ScreenWork(Protocol):
    """The actions that the screen needs; every method may take a while and may raise `MailError`."""

    def load(self) -> list[ThreadLine]:
        """Return the current inbox."""
        ...

    def waiting(self) -> int:
        """Return the number of items waiting for the user's answer."""
        ...

    def text(self, message_id: str, view: Literal["show", "why"], width: int) -> list[str]:
        """Return one message, or the reasons for its bucket, as lines."""
        ...

    def brief(self, width: int) -> list[str]:
        """Return the brief of the day as lines."""
        ...

    def archive(self, message_id: str) -> str:
        """Archive the message; return a sentence with the result."""
        ...

    def snooze(self, message_id: str, until: str) -> str:
        """Snooze the message until a time (`3d`, or a date); return a sentence with the result."""
        ...

    def undo(self) -> str:
        """Undo the last action; return a sentence with the result."""
        ...

    def correct(self, message_id: str, bucket: Bucket) -> str:
        """Record the right bucket of the message; return a sentence with the result."""
        ...

    def templates(self) -> Sequence[str]:
        """Return the names of the user's reply templates."""
        ...

    def build_arguments(self, message_id: str) -> list[str]:
        """Return the command-line arguments that name the message."""
        ...


class MailboxWork(ScreenWork):
    """`ScreenWork` on mailboxes; each key calls an operation, as each command does.

    With several mailboxes, a message's id is prefixed with the number of its mailbox, since two accounts may use the
    same id.
    """

    def __init__(self, app: App, sources: Sequence[SourceSpec]) -> None:
        self._app = app
        self.sources = sources

    @override
    def load(self) -> list[ThreadLine]:
        from gaia_email.app.operations.reading import InboxInput, inbox

        rows = rows_of(self._done(inbox, InboxInput(by_model=False), self.sources)["buckets"])
        if len(self.sources) == 1:
            return [replace(row, account="") for row in rows]
        numbers = {one_line(account_of(self._app, one)): at for at, one in enumerate(self.sources)}
        return [replace(row, id=f"{numbers[row.account]}:{row.id}") for row in rows]

    def locate(self, message_id: str) -> tuple[SourceSpec, str]:
        """Return the mailbox of a row, and the message's id there."""
        if len(self.sources) == 1:
            return self.sources[0], message_id
        number, _, inside = message_id.partition(":")
        return self.sources[int(number)], inside

    @override
    def build_arguments(self, message_id: str) -> list[str]:
        source, inside = self.locate(message_id)
        return [inside, f"--{source.kind}", source.path]

    @override
    def waiting(self) -> int:
        from gaia_email.app.operations.state import PendingInput, pending

        document = self._done(pending, PendingInput(), ())
        return len(document["items"]) + len(document["confirmations"])

    @override
    def text(self, message_id: str, view: Literal["show", "why"], width: int) -> list[str]:
        from gaia_email.app.operations.reading import MessageInput, show, why
        from gaia_email.interfaces.cli import detail_card

        source, inside = self.locate(message_id)
        operation, card = (why, detail_card.print_why) if view == "why" else (show, detail_card.print_show)
        return self._lines(operation, MessageInput(message_id=inside), [source], card, width)

    @override
    def brief(self, width: int) -> list[str]:
        from gaia_email.app.operations import day
        from gaia_email.interfaces.cli.brief_card import print_brief

        return self._lines(day.brief, day.BriefInput(), self.sources, print_brief, width)

    def _lines(
        self,
        operation: Operation[Any],
        asked: OperationInput,
        sources: Sequence[SourceSpec],
        card: Callable[[Any, OperationAnswer, Console], None],
        width: int,
    ) -> list[str]:
        """Return an operation's answer as printed by its card."""
        from rich.console import Console

        from gaia_email.interfaces.cli.from_operation import OperationAnswer

        out = Console(file=io.StringIO(), width=width, color_system=None, force_terminal=False)
        document = self._done(operation, asked, sources)
        flags = sources[0].flags if len(sources) == 1 else ""
        card(document, OperationAnswer(document=document, asked=asked, source=flags), out)
        assert isinstance(out.file, io.StringIO)
        return out.file.getvalue().rstrip().splitlines()

    def _done(
        self, operation: Operation[Any], asked: OperationInput, sources: Sequence[SourceSpec]
    ) -> Mapping[str, Any]:
        """Run an operation requested by the user at the keyboard and return its document.

        Raises:
            MailError: The operation failed.
        """
        call: OperationCall[Any] = OperationCall(
            asked=asked, origin=origin_here(), by_person=True, sources=sources, prompt=TerminalPrompt()
        )
        return operation.run(self._app, call)

    @override
    def archive(self, message_id: str) -> str:
        from gaia_email.app.operations.acting import ArchiveInput, archive

        source, inside = self.locate(message_id)
        return _told(self._done(archive, ArchiveInput(message_ids=[inside]), [source]), "archived")

    @override
    def snooze(self, message_id: str, until: str) -> str:
        from gaia_email.app.operations.acting import SnoozeInput, snooze

        source, inside = self.locate(message_id)
        document = self._done(snooze, SnoozeInput(message_ids=[inside], until=until), [source])
        return _told(document, f"snoozed until {document['until']}")

    @override
    def undo(self) -> str:
        from gaia_email.app.operations.acting import UndoInput, undo

        try:
            document = self._done(undo, UndoInput(), self.sources)
        except NotFound:
            return "nothing is left to take back"
        kept = f", kept: {len(document['kept'])}" if document["kept"] else ""
        return f"taken back: {len(document['taken_back'])}{kept}"

    @override
    def correct(self, message_id: str, bucket: Bucket) -> str:
        from gaia_email.app.operations.acting import CorrectInput, correct

        source, inside = self.locate(message_id)
        document = self._done(correct, CorrectInput(message_id=inside, bucket=bucket), [source])
        return f"recorded: {document['bucket']}, not {document['was']}"

    @override
    def templates(self) -> Sequence[str]:
        from gaia_email.app.operations.state import templates

        found = self._done(templates, NoInput(), ())["templates"]
        return [one["name"] for one in found if not one["problem"]]


def _told(document: Mapping[str, Any], done: str) -> str:
    if document["done"]:
        return f"{done}; u takes it back"
    failed = document["failed"]
    return (failed[0]["error"] or "it was not done") if failed else "there was nothing to change"
