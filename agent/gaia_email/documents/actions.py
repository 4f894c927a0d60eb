"""The JSON documents of the commands that act, and their schemas. Entry points: `ACTION_SCHEMAS`, `acted_document`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaia_email.documents.schema_parts import (
    COUNT,
    FLAG,
    NUMBER,
    PLAN_MODE,
    TEXT,
    VERSION,
    Schema,
    listed,
    one_of,
    optional,
    record,
)

if TYPE_CHECKING:
    from gaia_email.actions.applying import Applied
    from gaia_email.actions.triaging import RunReport
    from gaia_email.actions.undo import Undone
    from gaia_email.documents.classify import Json
    from gaia_email.ledger import Action

ACTION_COLUMNS = ("at", "action_id", "type", "state", "sender", "subject", "run_id", "why")

ACTION = record(
    action_id=TEXT,
    at=TEXT,
    run_id=optional(TEXT),
    session_id=optional(TEXT),
    account=TEXT,
    message_id=TEXT,
    type=TEXT,
    state=one_of("planned", "applied", "reversed", "failed"),
    sender=TEXT,
    subject=TEXT,
    labels=listed(TEXT),
    level=optional(TEXT),
    cohort=optional(TEXT),
    why=TEXT,
    user_confirmed=FLAG,
    undoable=FLAG,
    error=optional(TEXT),
)
_OUTCOME: dict[str, Schema] = {
    "done": listed(ACTION),
    "failed": listed(ACTION),
    "left": COUNT,
    "halted": TEXT,
    "problem": TEXT,
}
ACTED = record(schema_version=VERSION, command=TEXT, account=TEXT, seconds=NUMBER, undo=TEXT, **_OUTCOME)
MODES: Schema = {
    "type": "object",
    "propertyNames": PLAN_MODE,
    "additionalProperties": COUNT,
}
ACTION_SCHEMAS: dict[str, Schema] = {
    "actions": record(schema_version=VERSION, total=COUNT, shown=COUNT, actions=listed(ACTION)),
    "triage-apply": record(
        schema_version=VERSION,
        account=TEXT,
        run_id=TEXT,
        seconds=NUMBER,
        judged=COUNT,
        handled_before=COUNT,
        unreadable=COUNT,
        modes=MODES,
        undo=TEXT,
        **_OUTCOME,
        earlier=record(**_OUTCOME),
    ),
    "undo": record(
        schema_version=VERSION,
        account=TEXT,
        seconds=NUMBER,
        taken_back=listed(ACTION),
        kept=listed(record(action=ACTION, reason=TEXT)),
        left=COUNT,
        problem=TEXT,
    ),
    "unsubscribe": ACTED,
    "answer": ACTED,
    "snooze": ACTED,
    "wake": ACTED,
}
"""By command; `triage-apply` is what `triage --apply` prints."""


def action_row(action: Action) -> Json:
    """One action of the ledger."""
    from gaia_email.documents.classify import clean
    from gaia_email.documents.times import at

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


def action_rows(actions: Sequence[Action]) -> list[Json]:
    """Actions of the ledger."""
    return [action_row(action) for action in actions]


def _outcome(applied: Applied) -> Json:
    return {
        "done": action_rows(applied.done),
        "failed": action_rows(applied.failed),
        "left": len(applied.left),
        "halted": applied.halted,
        "problem": "" if applied.problem is None else applied.problem.message,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted:
    """What a command did: its name, on which account, how it ended, how to take it back."""

    command: str
    account: str
    applied: Applied
    seconds: float
    undo: str = ""


def acted_document(acted: Acted) -> Json:
    """What `snooze`, `wake` and `unsubscribe` print."""
    from gaia_email.documents.classify import clean

    return {
        "schema_version": 1,
        "command": acted.command,
        "account": clean(acted.account),
        "seconds": round(acted.seconds, 3),
        "undo": acted.undo,
        **_outcome(acted.applied),
    }


def run_document(report: RunReport, undo: str) -> Json:
    """What `triage --apply` prints."""
    from gaia_email.documents.classify import clean

    return {
        "schema_version": 1,
        "account": clean(report.inbox.account),
        "run_id": report.run_id,
        "seconds": round(report.seconds, 3),
        "judged": len(report.inbox.judged),
        "handled_before": report.inbox.handled,
        "unreadable": report.inbox.unreadable,
        "modes": dict(report.modes),
        "undo": undo,
        **_outcome(report.applied),
        "earlier": _outcome(report.earlier),
    }


def undo_document(account: str, result: Undone, seconds: float) -> Json:
    """What `undo` prints."""
    from gaia_email.documents.classify import clean

    return {
        "schema_version": 1,
        "account": clean(account),
        "seconds": round(seconds, 3),
        "taken_back": action_rows(result.taken_back),
        "kept": [{"action": action_row(kept.action), "reason": kept.reason} for kept in result.kept],
        "left": len(result.left),
        "problem": "" if result.problem is None else result.problem.message,
    }


def actions_document(actions: Sequence[Action], total: int) -> Json:
    """What `actions` prints."""
    return {
        "schema_version": 1,
        "total": total,
        "shown": len(actions),
        "actions": action_rows(actions),
    }
