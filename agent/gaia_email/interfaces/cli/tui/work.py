"""What the keys do to a mailbox, each call in a thread of its own. Entries: `ScreenWork`, `MailboxWork`."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from typing_extensions import override

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.applying import AppliedActions
from gaia_email.app import App
from gaia_email.app.documents.cards.wording import one_line
from gaia_email.app.services.reading import read_inboxes
from gaia_email.app.services.rules import current_rules
from gaia_email.app.services.source import SourceSpec
from gaia_email.app.services.time_words import instant_text
from gaia_email.cascade.verdict import Bucket
from gaia_email.interfaces.cli.times import until_epoch
from gaia_email.interfaces.cli.tui.state import ThreadLine, rows_of
from gaia_email_registry.clock import utc_now

if TYPE_CHECKING:
    from rich.console import Console

    from gaia_email.app.operations.operation import Operation, OperationInput
    from gaia_email.interfaces.cli.from_operation import OperationAnswer

Result = TypeVar("Result")


class ScreenWork(Protocol):
    """What the screen asks of a mailbox; every method may take a while and raises `MailError`."""

    def load(self) -> list[ThreadLine]:
        """The inbox as it is now."""
        ...

    def waiting(self) -> int:
        """How many things wait for the user's answer."""
        ...

    def text(self, message_id: str, view: Literal["show", "why"], width: int) -> list[str]:
        """One message, or why it is where it is, as lines."""
        ...

    def brief(self, width: int) -> list[str]:
        """The brief of the day as lines."""
        ...

    def archive(self, message_id: str) -> str:
        """Out of the inbox; a sentence that says so."""
        ...

    def snooze(self, message_id: str, until: str) -> str:
        """Out of the inbox until then (`3d`, or a time); a sentence that says so."""
        ...

    def undo(self) -> str:
        """Take back the last action; a sentence that says what."""
        ...

    def correct(self, message_id: str, bucket: Bucket) -> str:
        """Record where it belongs; a sentence that says so."""
        ...

    def templates(self) -> Sequence[str]:
        """Names of the answers that the user wrote."""
        ...

    def named(self, message_id: str) -> list[str]:
        """The words that name the message on the command line."""
        ...


class MailboxWork(ScreenWork):
    """`ScreenWork` on the mailboxes, with the same gate and ledger as every command.

    Of several, a message is called by the place of its mailbox and its id there: two accounts may use one id.
    """

    def __init__(self, app: App, sources: Sequence[SourceSpec]) -> None:
        self._app = app
        self.sources = sources
        self._accounts: Mapping[str, SourceSpec] = {}

    @override
    def load(self) -> list[ThreadLine]:
        inbox, self._accounts = read_inboxes(
            self._app, self.sources, rules=current_rules(self._app)[0], ask=False
        )
        rows = rows_of(inbox)
        if len(self.sources) == 1:
            return [replace(row, account="") for row in rows]
        numbers = {
            one_line(account): self.sources.index(source) for account, source in self._accounts.items()
        }
        return [replace(row, id=f"{numbers[row.account]}:{row.id}") for row in rows]

    def located(self, message_id: str) -> tuple[SourceSpec, str]:
        """The mailbox of a row, and the message's id there."""
        if len(self.sources) == 1:
            return self.sources[0], message_id
        number, _, inside = message_id.partition(":")
        return self.sources[int(number)], inside

    @override
    def named(self, message_id: str) -> list[str]:
        source, inside = self.located(message_id)
        return [inside, f"--{source.kind}", source.path]

    @override
    def waiting(self) -> int:
        from gaia_email.app.services.agent_inbox import count_waiting
        from gaia_email.interfaces.cli.acting import INTERFACE

        return count_waiting(self._app, INTERFACE)

    @override
    def text(self, message_id: str, view: Literal["show", "why"], width: int) -> list[str]:
        from gaia_email.app.operations.reading import MessageInput, show, why
        from gaia_email.interfaces.cli import detail_card

        source, inside = self.located(message_id)
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
        """What an operation answers, as its card prints it."""
        from rich.console import Console

        from gaia_email.app.operations.operation import OperationCall
        from gaia_email.interfaces.cli.from_operation import OperationAnswer
        from gaia_email.interfaces.cli.origin import origin_here

        out = Console(file=io.StringIO(), width=width, color_system=None, force_terminal=False)
        call: OperationCall[Any] = OperationCall(
            asked=asked, origin=origin_here(), by_person=True, sources=sources
        )
        document: Any = operation.run(self._app, call)
        flags = sources[0].flags if len(sources) == 1 else ""
        card(document, OperationAnswer(document=document, asked=asked, source=flags), out)
        assert isinstance(out.file, io.StringIO)
        return out.file.getvalue().rstrip().splitlines()

    @override
    def archive(self, message_id: str) -> str:
        from gaia_email.actions.archive import archive
        from gaia_email.interfaces.cli.acting import with_account_session

        source, inside = self.located(message_id)
        return _said(
            with_account_session(self._app, source, lambda session: archive(session, [inside])), "archived"
        )

    @override
    def snooze(self, message_id: str, until: str) -> str:
        from gaia_email.actions.snooze import snooze
        from gaia_email.interfaces.cli.acting import with_account_session

        instant = until_epoch(until, utc_now().astimezone())
        source, inside = self.located(message_id)
        return _said(
            with_account_session(self._app, source, lambda session: snooze(session, [inside], instant)),
            f"snoozed until {instant_text(instant)}",
        )

    @override
    def undo(self) -> str:
        from gaia_email.actions.reconcile import reconcile
        from gaia_email.actions.undo import last_done, undo
        from gaia_email.interfaces.cli.acting import with_account_session

        async def scenario(session: AccountSession) -> str:
            await reconcile(session, finish=False)
            result = await undo(session, last_done(session))
            if result.problem is not None and not result.taken_back:
                raise result.problem
            if not result.taken_back:
                return "nothing is left to take back"
            return f"taken back: {len(result.taken_back)}" + (
                f", kept: {len(result.kept)}" if result.kept else ""
            )

        return with_account_session(self._app, self._last_changed(), scenario)

    def _last_changed(self) -> SourceSpec:
        """The mailbox in which something was done last."""
        from gaia_email.app.services.history import accounts_done

        done = (
            self._accounts.get(account) for account in accounts_done(self._app, session_id=None, since=None)
        )
        return next((source for source in done if source is not None), self.sources[0])

    @override
    def correct(self, message_id: str, bucket: Bucket) -> str:
        from gaia_email.app.services.corrections import correct_message
        from gaia_email.interfaces.cli.acting import INTERFACE

        source, inside = self.located(message_id)
        said = correct_message(self._app, source, inside, bucket, actor=INTERFACE).correction
        return f"recorded: {said.corrected.bucket}, not {said.original.bucket}"

    @override
    def templates(self) -> Sequence[str]:
        from gaia_email.app.services.templates import load_user_templates

        return list(load_user_templates(self._app).usable)


def _said(applied: AppliedActions, done: str) -> str:
    if applied.problem is not None:
        raise applied.problem
    if applied.failed:
        return applied.failed[0].error or "it was not done"
    return f"{done}; u takes it back" if applied.done else "there was nothing to change"
