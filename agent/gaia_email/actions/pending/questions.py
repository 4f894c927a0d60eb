"""What mail servers ask a person, and every answer to a question about a call. Entries: `server_questions`.

A yes to a server is only noted: it lets the same call pass once, when its client makes it again. These questions stand
in a file of their own (`gaia_email_registry.approvals`), so no ledger is needed, and looking makes no file. Those of
the gate are in `calls.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gaia_email_registry.approvals import GRANTED_S, Approval, ApprovalDecision, Approvals
from gaia_email_registry.paths import approvals_file

if TYPE_CHECKING:
    from gaia_email.ledger import LoggedAction

GRANTED = (
    f"Nothing was done yet: the same call passes once within {GRANTED_S / 60:.0f} minutes. "
    "Let your assistant try again."
)

QuestionResolution = Literal["approved", "rejected", "taken", "refused", "later"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredQuestion:
    """A question after somebody tried to answer it, what to know about that, and what was done."""

    approval: Approval
    result: QuestionResolution
    reason: str = ""
    actions: tuple[LoggedAction, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether the answer was taken."""
        return self.result in ("approved", "rejected", "later")


def only_question(found: Sequence[Approval], beginning: str) -> Approval:
    """The one question `found` whose id begins so.

    Raises:
        NotFound: There is none, or more than one.
    """
    from gaia_email.ledger.statements import only

    return only(
        found,
        beginning,
        none="Nothing that is waiting has",
        several="More than one question has",
        argument="id",
        hint="gaia email pending lists what waits.",
    )


def too_late(now: Approval, *, is_over: bool = False) -> str:
    """Why an answer came too late; `is_over` if the time is, which the file of servers says by the state."""
    where = f" in {now.answered_by}" if now.answered_by else ""
    is_servers = bool(now.asked.server)
    match now.state:
        case "refused":
            return f"This was refused already{where}; that answer stands."
        case "used" if is_servers:
            return f"This was agreed to{where} and used already; it is good for one call."
        case "used":
            return f"This was agreed to{where} and done already; it is not done again."
        case "granted" if is_servers:
            return f"This was agreed to already{where}. {GRANTED}"
        case _ if is_servers:
            return "This has expired, so nothing was done; let your assistant ask again."
        case _:
            late = is_over or now.state == "expired"
            return "This has expired, so nothing was done." if late else f"This was answered already{where}."


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

    def approve(self, beginning: str) -> AnsweredQuestion:
        """Note a yes to exactly what was shown; the server acts on it when the same call comes again.

        Raises:
            NotFound: There is no such question, or more than one.
            ProviderError: Their file cannot be used.
        """
        found = only_question(self.known(beginning), beginning)
        if reason := self._halted():
            return AnsweredQuestion(approval=found, result="refused", reason=reason)
        return self._answer(found, "granted")

    def reject(self, beginning: str) -> AnsweredQuestion:
        """Note a no; the server refuses the call.

        Raises:
            NotFound: There is no such question, or more than one.
            ProviderError: Their file cannot be used.
        """
        return self._answer(only_question(self.known(beginning), beginning), "refused")

    def _answer(self, found: Approval, decision: ApprovalDecision) -> AnsweredQuestion:
        taken = self._approvals is not None and self._approvals.answer(
            found.approval_id, decision, by=self._by
        )
        now = (self._approvals.get(found.approval_id) if self._approvals else None) or found
        if not taken:
            return AnsweredQuestion(approval=now, result="taken", reason=too_late(now))
        if decision == "granted":
            return AnsweredQuestion(approval=now, result="approved", reason=GRANTED)
        return AnsweredQuestion(approval=now, result="rejected")


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
