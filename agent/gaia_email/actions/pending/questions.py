"""Questions asked by mail servers, and answers to all questions about calls. Entries: `server_questions`.

Approving a server's question only records the answer: the same call is let through once when its client repeats it.
These questions are stored in a separate file (`gaia_email_registry.approvals`), so no ledger is needed, and reading
creates no file. `calls.py` handles the gate's questions.
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
    """A question after an attempt to answer it, with an explanation and the actions done."""

    approval: Approval
    result: QuestionResolution
    reason: str = ""
    actions: tuple[LoggedAction, ...] = ()

    @property
    def counts(self) -> bool:
        """True if the answer was accepted."""
        return self.result in ("approved", "rejected", "later")


def only_question(found: Sequence[Approval], beginning: str) -> Approval:
    """Return the single question found for an ID prefix.

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
    """Return why an answer was too late; `is_over` marks expiry, which servers record in the state."""
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
        approvals: Their store; None if no server has ever asked anything.
        by: The interface in which the answers are given.
        halted: Returns why nothing may be approved now, as a sentence; empty if it may.
    """

    def __init__(self, approvals: Approvals | None, *, by: str, halted: Callable[[], str]) -> None:
        self._approvals = approvals
        self._by = by
        self._halted = halted

    def waiting(self) -> list[Approval]:
        """Return the questions that can be answered, oldest first.

        Raises:
            ProviderError: Their file cannot be used.
        """
        return [] if self._approvals is None else self._approvals.waiting()

    def find_by_prefix(self, beginning: str) -> list[Approval]:
        """Return up to three questions in any state whose ID has this prefix.

        Raises:
            ProviderError: Their file cannot be used.
        """
        text = beginning.strip().lower()
        return [] if self._approvals is None else self._approvals.starting_with(text)

    def approve(self, beginning: str) -> AnsweredQuestion:
        """Approve exactly the call that was shown; the server lets it through when it is repeated.

        Raises:
            NotFound: No question matches, or more than one.
            ProviderError: Their file cannot be used.
        """
        found = only_question(self.find_by_prefix(beginning), beginning)
        if reason := self._halted():
            return AnsweredQuestion(approval=found, result="refused", reason=reason)
        return self._answer(found, "granted")

    def reject(self, beginning: str) -> AnsweredQuestion:
        """Refuse a question; the server then refuses the call.

        Raises:
            NotFound: No question matches, or more than one.
            ProviderError: Their file cannot be used.
        """
        return self._answer(only_question(self.find_by_prefix(beginning), beginning), "refused")

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
    """Return this user's server questions, without creating a file if there are none."""
    path = approvals_file(environ)
    return ServerQuestions(Approvals(path) if path.exists() else None, by=by, halted=halted)


def asked_by_servers(environ: Mapping[str, str]) -> list[Approval]:
    """Return the servers' unanswered questions, oldest first, without creating a file.

    Raises:
        ProviderError: Their file cannot be used.
    """
    return server_questions(environ, by="", halted=lambda: "").waiting()
