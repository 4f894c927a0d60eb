"""The gate's open questions, answered in any interface. Entry point: `OpenQuestions`.

A question is about one exact call and is valid once, for ten minutes. If the program that asked is still waiting, it
makes the call as soon as it sees the approval; otherwise the approving program makes it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager

from gaia_email.actions.account_session import AccountBusy, AccountSession, Brakes, gate_of
from gaia_email.actions.agreed import make_agreed
from gaia_email.actions.pending.questions import (
    AnsweredQuestion,
    QuestionResolution,
    only_question,
    too_late,
)
from gaia_email.ledger import Ledger, LoggedAction, NewLedgerEvent
from gaia_email.ledger.policy_store import StoredBrakes
from gaia_email_registry.approvals import Approval
from gaia_email_registry.origin import UNKNOWN

WAITED_S = 3.0
"""Seconds during which the program that asked may make the call itself."""

LATER = (
    "You agreed, and another gaia email is busy with the account: if it asked this, it does it now; if not, approve it "
    "again when that has finished."
)

RUN_GOES_ON = "You agreed, and the automation that asked does it as soon as gaia email worker runs."


class OpenQuestions:
    """The gate's unanswered questions.

    Args:
        ledger: An open ledger; it stays open.
        open_account_session: Opens the mailbox of an account; only called to make an approved call.
        by: The interface in which the answers are given.
        brakes: The user's switches; None for those in the ledger.
        sleep: Waits for a number of seconds.
    """

    def __init__(
        self,
        ledger: Ledger,
        open_account_session: Callable[[str], AbstractAsyncContextManager[AccountSession]],
        *,
        by: str,
        brakes: Brakes | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._ledger = ledger
        self._open_session = open_account_session
        self._by = by
        self._brakes = brakes or StoredBrakes(ledger)
        self._sleep = sleep
        self._gate = gate_of(ledger, origin=UNKNOWN, actor=by)

    def waiting(self) -> list[Approval]:
        """Return the questions that can be answered, oldest first; closes expired ones if the ledger is writable."""
        if self._ledger.reads_only:
            with self._ledger.read() as tx:
                return self._ledger.approvals(tx).waiting()
        with self._ledger.write() as tx:
            approvals = self._ledger.approvals(tx)
            if gone := approvals.expire():
                event = NewLedgerEvent(kind="approval.expired", payload={"confirmation_ids": gone})
                self._ledger.events.append(tx, event)
            return approvals.waiting()

    def find_by_prefix(self, beginning: str) -> list[Approval]:
        """Return up to three questions in any state whose ID has this prefix."""
        with self._ledger.read() as tx:
            return self._ledger.approvals(tx).starting_with(beginning)

    def find(self, beginning: str) -> Approval:
        """Return the question with this ID or ID prefix.

        Raises:
            NotFound: No question matches, or more than one.
        """
        return only_question(self.find_by_prefix(beginning), beginning)

    def reject(self, beginning: str) -> AnsweredQuestion:
        """Refuse a question; the program that asked does not make the call either.

        Raises:
            NotFound: There is no such question.
        """
        found = self.find(beginning)
        won = self._gate.reject(found.approval_id, by=self._by)
        return self._after(found, "rejected" if won else "taken")

    async def approve(self, beginning: str) -> AnsweredQuestion:
        """Approve exactly the call that is shown, and ensure that it is made once.

        Raises:
            NotFound: The question, or an item that it is about, does not exist.
            MailError: The mailbox cannot be opened, or the server did not make the change.
        """
        found = self.find(beginning)
        if reason := self._brakes.explain_halt():
            return self._after(found, "refused", reason)
        if not self._gate.approve(found.approval_id, by=self._by) and not self._is_granted(found):
            return self._after(found, "taken")
        if found.asked.run_id is not None:
            return self._after(found, "later", RUN_GOES_ON)
        try:
            async with self._open_session(found.asked.account) as session:
                if self._is_granted(found):
                    applied = await make_agreed(session, found)
                    return self._after(found, "approved", actions=tuple(applied.done))
        except AccountBusy:
            waited = 0.0
            while self._is_granted(found) and waited < WAITED_S:
                await self._sleep(0.25)
                waited += 0.25
            if self._is_granted(found):
                return self._after(found, "later", LATER)
        return self._after(found, "approved", "The program that asked has done it.")

    def _now(self, found: Approval) -> Approval:
        with self._ledger.read() as tx:
            return self._ledger.approvals(tx).get(found.approval_id) or found

    def _is_granted(self, found: Approval) -> bool:
        now = self._now(found)
        return now.state == "granted" and not now.is_over(self._ledger.clock())

    def _after(
        self,
        found: Approval,
        result: QuestionResolution,
        reason: str = "",
        actions: tuple[LoggedAction, ...] = (),
    ) -> AnsweredQuestion:
        now = self._now(found)
        if result == "taken":
            reason = too_late(now, is_over=now.is_over(self._ledger.clock()))
        return AnsweredQuestion(approval=now, result=result, reason=reason, actions=actions)
