"""What mail servers ask a person, answered in the Agent Inbox. Entry points: `server_questions`, `ServerQuestions`.

A yes is only noted: the server lets the same call pass once, when its client makes it again. These questions stand in
a file of their own (`gaia_email_registry.approvals`), so no ledger is needed, and looking makes no file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from gaia_email_registry.approvals import GRANTED_S, Approval, ApprovalDecision, Approvals
from gaia_email_registry.paths import approvals_file

GRANTED = (
    f"Nothing was done yet: the same call passes once within {GRANTED_S / 60:.0f} minutes. "
    "Let your assistant try again."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredServer:
    """A server's question after somebody tried to answer it, and what to know about that."""

    approval: Approval
    result: Literal["approved", "rejected", "taken", "refused"]
    reason: str = ""

    @property
    def counts(self) -> bool:
        """Whether the answer was taken."""
        return self.result in ("approved", "rejected")


class ServerQuestions:
    """The questions of all mail servers of this user.

    Args:
        approvals: Where they are kept; None where no server has ever asked anything.
        by: The interface in which the answers are given.
        halted: Why nothing may be agreed to now, as a sentence; empty where something may.
    """

    def __init__(self, approvals: Approvals | None, *, by: str, halted: Callable[[], str]) -> None:
        self._approvals = approvals
        self._by = by
        self._halted = halted

    def waiting(self) -> list[Approval]:
        """Those that can be answered now, oldest first.

        Raises:
            ProviderError: Their file cannot be used.
        """
        return [] if self._approvals is None else self._approvals.waiting()

    def known(self, beginning: str) -> list[Approval]:
        """Questions in any state whose id begins so; three at most.

        Raises:
            ProviderError: Their file cannot be used.
        """
        text = beginning.strip().lower()
        return [] if self._approvals is None else self._approvals.starting_with(text)

    def approve(self, beginning: str) -> AnsweredServer:
        """Note a yes to exactly what was shown; the server acts on it when the same call comes again.

        Raises:
            NotFound: There is no such question, or more than one.
            ProviderError: Their file cannot be used.
        """
        found = self._find(beginning)
        if reason := self._halted():
            return AnsweredServer(approval=found, result="refused", reason=reason)
        return self._answer(found, "granted")

    def reject(self, beginning: str) -> AnsweredServer:
        """Note a no; the server refuses the call.

        Raises:
            NotFound: There is no such question, or more than one.
            ProviderError: Their file cannot be used.
        """
        return self._answer(self._find(beginning), "refused")

    def _find(self, beginning: str) -> Approval:
        from gaia_email.ledger.statements import only

        return only(
            self.known(beginning),
            beginning,
            none="Nothing that is waiting has",
            several="More than one question has",
            argument="id",
            hint="gaia email pending lists what waits.",
        )

    def _answer(self, found: Approval, decision: ApprovalDecision) -> AnsweredServer:
        taken = self._approvals is not None and self._approvals.answer(
            found.approval_id, decision, by=self._by
        )
        now = (self._approvals.get(found.approval_id) if self._approvals else None) or found
        if not taken:
            return AnsweredServer(approval=now, result="taken", reason=_too_late(now))
        if decision == "granted":
            return AnsweredServer(approval=now, result="approved", reason=GRANTED)
        return AnsweredServer(approval=now, result="rejected")


def server_questions(environ: Mapping[str, str], *, by: str, halted: Callable[[], str]) -> ServerQuestions:
    """Those of this user; where no server has asked anything there are none, and no file is made."""
    path = approvals_file(environ)
    return ServerQuestions(Approvals(path) if path.exists() else None, by=by, halted=halted)


def asked_by_servers(environ: Mapping[str, str]) -> list[Approval]:
    """What servers ask and nobody has answered, oldest first; nothing is made by looking.

    Raises:
        ProviderError: Their file cannot be used.
    """
    return server_questions(environ, by="", halted=lambda: "").waiting()


def _too_late(now: Approval) -> str:
    """Why an answer came too late."""
    where = f" in {now.answered_by}" if now.answered_by else ""
    match now.state:
        case "refused":
            return f"This was refused already{where}; that answer stands."
        case "granted":
            return f"This was agreed to already{where}. {GRANTED}"
        case "used":
            return f"This was agreed to{where} and used already; it is good for one call."
        case _:
            return "This has expired, so nothing was done; let your assistant ask again."
