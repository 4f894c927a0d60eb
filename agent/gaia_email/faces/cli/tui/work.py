"""What the keys do to a mailbox, each call in a thread of its own. Entries: `Work`, `MailboxWork`."""

from __future__ import annotations

import io
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from time import time
from typing import Literal, Protocol, TypeVar

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.applying import Applied
from gaia_email.cascade.builtin_tier import BuiltinTier
from gaia_email.cascade.verdict import Bucket
from gaia_email.faces.cli.options import Source, until_epoch
from gaia_email.faces.cli.session import owner_of, with_copy
from gaia_email.faces.cli.tui.state import Row, rows_of
from gaia_email.mailbox.reader import MailReader
from gaia_email.policy.owner_says import OwnerSays
from gaia_email.policy_store import stored_rules
from gaia_email.triage.inbox import Found, Inbox, look_up, triage
from gaia_email.triage.tiers import default_tier

Result = TypeVar("Result")


class Work(Protocol):
    """What the screen asks of a mailbox; every method may take a while and raises `MailError`."""

    def load(self) -> list[Row]:
        """The inbox as it is now."""
        ...

    def waiting(self) -> int:
        """How many things wait for the user's answer."""
        ...

    def text(self, message_id: str, view: Literal["show", "why"], width: int) -> list[str]:
        """One message, or why it is where it is, as lines."""
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


class MailboxWork:
    """`Work` on one mailbox, with the same gate and ledger as every command."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def load(self) -> list[Row]:
        """See `Work`."""
        now, rules = time(), stored_rules()

        async def look(mail: MailReader) -> Inbox:
            return await triage(mail, default_tier(), now=now, owner=owner_of(self.source), rules=rules)

        return rows_of(with_copy(self.source, look, now=now))

    def waiting(self) -> int:
        """See `Work`."""
        import os

        from gaia_email.faces.cli.agent_inbox import agent_inbox, server_inbox
        from gaia_email.policy_store import has_ledger

        count = len(server_inbox().waiting())
        if has_ledger(os.environ):
            with agent_inbox() as inbox:
                count += len(inbox.inbox.list_pending()) + len(inbox.questions.waiting())
        return count

    def text(self, message_id: str, view: Literal["show", "why"], width: int) -> list[str]:
        """See `Work`."""
        from rich.console import Console

        from gaia_email.faces.cli import detail_card

        out = Console(file=io.StringIO(), width=width, color_system=None, force_terminal=False)
        found = self._found(message_id)
        (detail_card.print_why if view == "why" else detail_card.print_show)(found, self.source, out)
        assert isinstance(out.file, io.StringIO)
        return out.file.getvalue().rstrip().splitlines()

    def archive(self, message_id: str) -> str:
        """See `Work`."""
        from gaia_email.actions.archive import archive

        return _said(self._acted(lambda desk: archive(desk, [message_id])), "archived")

    def snooze(self, message_id: str, until: str) -> str:
        """See `Work`."""
        from gaia_email.actions.snooze import snooze

        moment = until_epoch(until, datetime.now(UTC))
        when = datetime.fromtimestamp(moment, UTC).astimezone().strftime("%a %d %b, %H:%M")
        return _said(self._acted(lambda desk: snooze(desk, [message_id], moment)), f"snoozed until {when}")

    def undo(self) -> str:
        """See `Work`."""
        from gaia_email.actions.reconcile import reconcile
        from gaia_email.actions.undo import last_done, undo

        async def scenario(desk: AccountSession) -> str:
            await reconcile(desk, finish=False)
            result = await undo(desk, last_done(desk))
            if result.problem is not None and not result.taken_back:
                raise result.problem
            if not result.taken_back:
                return "nothing is left to take back"
            return f"taken back: {len(result.taken_back)}" + (
                f", kept: {len(result.kept)}" if result.kept else ""
            )

        return self._acted(scenario)

    def correct(self, message_id: str, bucket: Bucket) -> str:
        """See `Work`."""
        from gaia_email.learn.corrections import correct
        from gaia_email.ledger import open_ledger

        found = self._found(message_id, says=OwnerSays())  # what is recorded is what the rules said
        with open_ledger() as ledger:
            said = correct(ledger, found, bucket, BuiltinTier(), actor="cli").correction
        return f"recorded: {said.corrected.bucket}, not {said.original.bucket}"

    def templates(self) -> Sequence[str]:
        """See `Work`."""
        import os

        from gaia_email.ledger.template_files import load_templates

        return list(load_templates(os.environ).usable)

    def _found(self, message_id: str, *, says: OwnerSays | None = None) -> Found:
        now, rules = time(), stored_rules()
        if says is not None:
            rules = replace(rules, says=says)

        async def look(mail: MailReader) -> Found:
            owner = owner_of(self.source)
            return await look_up(mail, default_tier(), message_id, now=now, owner=owner, rules=rules)

        return with_copy(self.source, look, now=now)

    def _acted(self, scenario: Callable[[AccountSession], Awaitable[Result]]) -> Result:
        from gaia_email.faces.cli.acting import with_desk

        return with_desk(self.source, scenario)


def _said(applied: Applied, done: str) -> str:
    if applied.problem is not None:
        raise applied.problem
    if applied.failed:
        return applied.failed[0].error or "it was not done"
    return f"{done}; u takes it back" if applied.done else "there was nothing to change"
