"""Documents that describe actions on mail. Entries: `ActionDetails`, `CommandOutcome`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from gaia_email.document import Count, Document, PlanMode, Timestamp

if TYPE_CHECKING:
    from gaia_email.actions.applying import AppliedActions
    from gaia_email.actions.triaging import RunReport
    from gaia_email.actions.undo import UndoOutcome
    from gaia_email.ledger import LoggedAction

ACTION_COLUMNS = ("at", "action_id", "type", "state", "sender", "subject", "run_id", "why")


class ActionDetails(Document, frozen=True, kw_only=True):
    """One action of the ledger."""

    action_id: str
    at: Timestamp
    run_id: str | None
    session_id: str | None
    account: str
    message_id: str
    type: str
    state: Literal["planned", "applied", "reversed", "failed"]
    sender: str
    subject: str
    labels: list[str]
    level: str | None
    cohort: str | None
    why: str
    user_confirmed: bool
    undoable: bool
    error: str | None

    @staticmethod
    def of(action: LoggedAction) -> ActionDetails:
        """Describe an action of the ledger."""
        payload = action.action_payload
        names = payload.get("names")
        return ActionDetails(
            action_id=action.action_id,
            at=Timestamp(action.timestamp),
            run_id=action.run_id,
            session_id=action.session_id,
            account=action.account_id,
            message_id=action.message_id,
            type=action.action_type,
            state=action.state,
            sender=str(payload.get("sender", "")),
            subject=str(payload.get("subject", "")),
            labels=[str(name) for name in names] if isinstance(names, list) else [],
            level=action.autonomy_level,
            cohort=action.cohort,
            why=action.why,
            user_confirmed=action.user_confirmed,
            undoable=action.state == "applied" and action.reversal_payload is not None,
            error=action.error,
        )


class ActionList(Document, frozen=True, kw_only=True):
    """Actions, newest first; `total` also counts those beyond the limit."""

    total: Count
    shown: Count
    actions: list[ActionDetails]


class AppliedDetails(Document, frozen=True, kw_only=True):
    """The result of applying actions to mail."""

    done: list[ActionDetails]
    failed: list[ActionDetails]
    left: Count
    halted: str
    problem: str


class CommandOutcome(Document, frozen=True, kw_only=True):
    """The result of a command that acts on messages, such as `archive` or `snooze`."""

    command: str
    account: str
    seconds: float
    undo: str
    until: str = ""
    done: list[ActionDetails]
    failed: list[ActionDetails]
    left: Count
    halted: str
    problem: str

    @staticmethod
    def of(
        applied: AppliedActions, *, command: str, account: str, seconds: float, undo: str
    ) -> CommandOutcome:
        """Describe the actions that a command applied."""
        return CommandOutcome(
            command=command, account=account, seconds=round(seconds, 3), undo=undo, **_ended(applied)
        )


class RunOutcome(Document, frozen=True, kw_only=True):
    """The result of `triage --apply`."""

    account: str
    run_id: str
    seconds: float
    judged: Count
    handled_before: Count
    unreadable: Count
    modes: dict[PlanMode, Count]
    asked: Count
    taken_back: Count
    undo: str
    done: list[ActionDetails]
    failed: list[ActionDetails]
    left: Count
    halted: str
    problem: str
    earlier: AppliedDetails

    @staticmethod
    def of(report: RunReport, undo: str) -> RunOutcome:
        """Describe a run; `undo` is the command that reverses it."""
        return RunOutcome(
            account=report.inbox.account,
            run_id=report.run_id,
            seconds=round(report.seconds, 3),
            judged=len(report.inbox.judged),
            handled_before=report.inbox.handled,
            unreadable=report.inbox.unreadable,
            modes=dict(report.modes),
            asked=report.asked,
            taken_back=report.taken_back,
            undo=undo,
            **_ended(report.applied),
            earlier=AppliedDetails(**_ended(report.earlier)),
        )


class ActionNotUndone(Document, frozen=True, kw_only=True):
    """An action that was not undone, and the reason."""

    action: ActionDetails
    reason: str


class UndoneActions(Document, frozen=True, kw_only=True):
    """The result of `undo`: `cleared` counts removed labels, `left` counts actions not tried yet."""

    account: str
    seconds: float
    taken_back: list[ActionDetails]
    kept: list[ActionNotUndone]
    cleared: Count
    left: Count
    problem: str

    @staticmethod
    def of(result: UndoOutcome, *, account: str, seconds: float) -> UndoneActions:
        """Describe an undo."""
        return UndoneActions(
            account=account,
            seconds=round(seconds, 3),
            taken_back=_details(result.taken_back),
            kept=[
                ActionNotUndone(action=ActionDetails.of(one.action), reason=one.reason) for one in result.kept
            ],
            cleared=len(result.cleared),
            left=len(result.left),
            problem="" if result.problem is None else result.problem.message,
        )


def _details(actions: Sequence[LoggedAction]) -> list[ActionDetails]:
    return [ActionDetails.of(one) for one in actions]


def _ended(applied: AppliedActions) -> dict[str, Any]:
    return {
        "done": _details(applied.done),
        "failed": _details(applied.failed),
        "left": len(applied.left),
        "halted": applied.halted,
        "problem": "" if applied.problem is None else applied.problem.message,
    }
