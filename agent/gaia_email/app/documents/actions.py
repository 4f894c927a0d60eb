"""The JSON documents of the commands that act. Entry points: `ACTION_DOCUMENTS`, `acted_document`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict

from gaia_email.document import Count, PlanMode, Version

if TYPE_CHECKING:
    from gaia_email.actions.applying import AppliedActions
    from gaia_email.actions.triaging import RunReport
    from gaia_email.actions.undo import UndoOutcome
    from gaia_email.ledger import LoggedAction

ACTION_COLUMNS = ("at", "action_id", "type", "state", "sender", "subject", "run_id", "why")


class ActionRow(TypedDict):
    """One action of the ledger."""

    action_id: str
    at: str
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


class ActionOutcomeRow(TypedDict):
    """How a change of mail ended."""

    done: list[ActionRow]
    failed: list[ActionRow]
    left: Count
    halted: str
    problem: str


class ActedDocument(ActionOutcomeRow):
    """The document of a command that acts on messages, such as `archive` or `snooze`."""

    schema_version: Version
    command: str
    account: str
    seconds: float
    undo: str
    until: str


class RunDocument(ActionOutcomeRow):
    """What `triage --apply` prints."""

    schema_version: Version
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
    earlier: ActionOutcomeRow


class NotUndoneRow(TypedDict):
    """An action that was not taken back, and why."""

    action: ActionRow
    reason: str


class UndoDocument(TypedDict):
    """What `undo` prints."""

    schema_version: Version
    account: str
    seconds: float
    taken_back: list[ActionRow]
    kept: list[NotUndoneRow]
    cleared: Count
    left: Count
    problem: str


class ActionsDocument(TypedDict):
    """What `actions` prints."""

    schema_version: Version
    total: Count
    shown: Count
    actions: list[ActionRow]


ACTION_DOCUMENTS: dict[str, object] = {
    "actions": ActionsDocument,
    "triage-apply": RunDocument,
    "undo": UndoDocument,
    "unsubscribe": ActedDocument,
    "answer": ActedDocument,
    "archive": ActedDocument,
    "move": ActedDocument,
    "label": ActedDocument,
    "mark": ActedDocument,
    "snooze": ActedDocument,
    "wake": ActedDocument,
}
"""By command; `triage-apply` is what `triage --apply` prints."""


def action_row(action: LoggedAction) -> ActionRow:
    """One action of the ledger."""
    from gaia_email.document import at, clean

    payload = action.action_payload
    names = payload.get("names")
    return {
        "action_id": action.action_id,
        "at": at(action.timestamp),
        "run_id": action.run_id,
        "session_id": action.session_id,
        "account": clean(action.account_id),
        "message_id": action.message_id,
        "type": action.action_type,
        "state": action.state,
        "sender": clean(str(payload.get("sender", ""))),
        "subject": clean(str(payload.get("subject", ""))),
        "labels": [clean(str(name)) for name in names] if isinstance(names, list) else [],
        "level": action.autonomy_level,
        "cohort": action.cohort,
        "why": clean(action.why),
        "user_confirmed": action.user_confirmed,
        "undoable": action.state == "applied" and action.reversal_payload is not None,
        "error": None if action.error is None else clean(action.error),
    }


def action_rows(actions: Sequence[LoggedAction]) -> list[ActionRow]:
    """Actions of the ledger."""
    return [action_row(action) for action in actions]


def _outcome(applied: AppliedActions) -> ActionOutcomeRow:
    return {
        "done": action_rows(applied.done),
        "failed": action_rows(applied.failed),
        "left": len(applied.left),
        "halted": applied.halted,
        "problem": "" if applied.problem is None else applied.problem.message,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """What a command did: its name, on which account, how it ended, how to take it back, and until when it holds."""

    command: str
    account: str
    applied: AppliedActions
    seconds: float
    undo: str = ""
    until: str = ""


def acted_document(acted: Acted) -> ActedDocument:
    """What `snooze`, `wake` and `unsubscribe` print."""
    from gaia_email.document import clean

    return {
        "schema_version": 1,
        "command": acted.command,
        "account": clean(acted.account),
        "seconds": round(acted.seconds, 3),
        "undo": acted.undo,
        "until": acted.until,
        **_outcome(acted.applied),
    }


def run_document(report: RunReport, undo: str) -> RunDocument:
    """What `triage --apply` prints."""
    from gaia_email.document import clean

    return {
        "schema_version": 1,
        "account": clean(report.inbox.account),
        "run_id": report.run_id,
        "seconds": round(report.seconds, 3),
        "judged": len(report.inbox.judged),
        "handled_before": report.inbox.handled,
        "unreadable": report.inbox.unreadable,
        "modes": dict(report.modes),
        "asked": report.asked,
        "taken_back": report.taken_back,
        "undo": undo,
        **_outcome(report.applied),
        "earlier": _outcome(report.earlier),
    }


def undo_document(account: str, result: UndoOutcome, seconds: float) -> UndoDocument:
    """What `undo` prints."""
    from gaia_email.document import clean

    return {
        "schema_version": 1,
        "account": clean(account),
        "seconds": round(seconds, 3),
        "taken_back": action_rows(result.taken_back),
        "kept": [{"action": action_row(kept.action), "reason": kept.reason} for kept in result.kept],
        "cleared": len(result.cleared),
        "left": len(result.left),
        "problem": "" if result.problem is None else result.problem.message,
    }


def actions_document(actions: Sequence[LoggedAction], total: int) -> ActionsDocument:
    """What `actions` prints."""
    return {
        "schema_version": 1,
        "total": total,
        "shown": len(actions),
        "actions": action_rows(actions),
    }
