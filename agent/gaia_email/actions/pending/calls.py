"""Questions of the gate that wait for an answer, and the answer from any interface. Entry point: `OpenQuestions`.

A question is about one exact call, good for ten minutes and once. While the program that asked still waits, it makes
the call as soon as it sees the yes; when it has gone, whoever said yes does.
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
"""Seconds given to the program that asked to make the call itself."""

LATER = (
    "You agreed, and another gaia email is busy with the account: if it asked this, it does it now; if not, approve it "
    "again when that has finished."
)

RUN_GOES_ON = "You agreed, and the automation that asked does it as soon as gaia email worker runs."


class OpenQuestions:
    """What the gate has asked and nobody has answered.

    Args:
        ledger: Open, and left open.
        open_account_session: Opens the mailbox of an account; only called to make a call that was agreed to.
        by: The interface in which the answers are given.
        brakes: The user's switches; None for those in the ledger.
        sleep: Waits some seconds.
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
        """Those that can be answered now, oldest first; what has run out is closed on the way if it can be."""
        if self._ledger.reads_only:
            with self._ledger.read() as tx:
                return self._ledger.approvals(tx).waiting()
        with self._ledger.write() as tx:
            approvals = self._ledger.approvals(tx)
            if gone := approvals.expire():
                event = NewLedgerEvent(kind="approval.expired", payload={"confirmation_ids": gone})
                self._ledger.events.append(tx, event)
            return approvals.waiting()

    def known(self, beginning: str) -> list[Approval]:
        """Questions in any state whose id begins so; three at most."""
        with self._ledger.read() as tx:
            return self._ledger.approvals(tx).starting_with(beginning)

    def find(self, beginning: str) -> Approval:
        """The question whose id is that, or begins so.

        Raises:
            NotFound: There is none, or more than one.
        """
        return only_question(self.known(beginning), beginning)

    def reject(self, beginning: str) -> AnsweredQuestion:
        """Say no; the call is not made, by whoever asked either.

        Raises:
            NotFound: There is no such question.
        """
        found = self.find(beginning)
        won = self._gate.reject(found.approval_id, by=self._by)
        return self._after(found, "rejected" if won else "taken")

    async def approve(self, beginning: str) -> AnsweredQuestion:
        """Agree to exactly the call that is shown, and see that it is made, once.

        Raises:
            NotFound: There is no such question, or what it is about is gone.
            MailError: The mailbox cannot be opened, or the server did not do it.
        """
        found = self.find(beginning)
        if reason := self._brakes.halted():
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
