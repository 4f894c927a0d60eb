"""The JSON documents of the Agent Inbox: `pending`, `approve`, `reject`, `correct`. Entry point: `item_row`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from gaia_email.ledger import Item, PendingState, PendingType
from gaia_email.pending.inbox import Answered
from gaia_email.pending.proposal import Proposal
from gaia_email.report import Json, clean

PENDING_COLUMNS = (
    "id",
    "type",
    "cohort",
    "confidence",
    "proposal.text",
    "message.from.address",
    "message.subject",
)
ANSWER_COLUMNS = ("id", "result", "reason")

STATES: Mapping[PendingType, Mapping[PendingState, str]] = {
    "question": {
        "open": "open",
        "approved": "answered",
        "rejected": "declined",
        "expired": "declined",
        "void": "closed",
    },
    "review": {
        "open": "review",
        "approved": "done",
        "rejected": "cancelled",
        "expired": "cancelled",
        "void": "cancelled",
    },
    "notify": {
        "open": "open",
        "approved": "closed",
        "rejected": "closed",
        "expired": "closed",
        "void": "closed",
    },
}
"""States by the names of the control protocol: a question, a work item, a status message."""


def at(epoch: float | None) -> str | None:
    """An epoch time as RFC 3339; None stays None."""
    if epoch is None:
        return None
    return datetime.fromtimestamp(epoch, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def proposal_text(proposal: Proposal) -> str:
    """What approving does, in a few words."""
    if proposal.doing == "tell":
        return proposal.asked
    if proposal.doing == "confirm":
        return f"take it for {proposal.bucket.replace('_', ' ')}"
    label = f"label it gaia/{proposal.bucket}"
    count = f" ({len(proposal.targets)} messages)" if len(proposal.targets) > 1 else ""
    return f"{label} and archive it{count}" if proposal.doing == "archive" else f"{label}{count}"


def item_row(item: Item) -> Json:
    """One item with its proposal, the confidence, why, and its source message."""
    proposal = Proposal.of(item)
    first = proposal.targets[0] if proposal.targets else None
    return {
        "id": item.item_id,
        "type": item.type,
        "state": STATES[item.type][item.state],
        "account": clean(item.account_id),
        "created_at": at(item.created_at),
        "expires_at": at(item.expires_at),
        "run_id": item.run_id,
        "cohort": item.cohort or "",
        "confidence": None if item.confidence is None else round(item.confidence, 2),
        "why": clean(item.why),
        "asked": clean(proposal.asked),
        "message": {
            "id": item.message_id or "",
            "thread_id": item.thread_id or "",
            "from": {"name": clean(first.name), "address": clean(first.address)} if first else None,
            "subject": clean(first.subject) if first else "",
            "date": (first.date or None) if first else None,
        },
        "proposal": {
            "doing": proposal.doing,
            "bucket": proposal.bucket,
            "labels": list(proposal.names),
            "level": proposal.level,
            "messages": [target.message_id for target in proposal.targets],
            "fingerprint": proposal.fingerprint(item.account_id),
            "text": proposal_text(proposal),
        },
    }


def pending_document(items: Sequence[Item], waiting: Mapping[str, int]) -> Json:
    """What waits; `waiting` counts all of it by type, whatever was asked for."""
    return {
        "schema_version": 1,
        "total": sum(waiting.values()),
        "shown": len(items),
        "waiting": {type_: waiting.get(type_, 0) for type_ in ("question", "review", "notify")},
        "items": [item_row(item) for item in items],
    }


def outcome_row(answered: Answered) -> Json:
    """One answer: whether it counted, why not, and the actions it led to."""
    return {
        "id": answered.item.item_id,
        "state": STATES[answered.item.type][answered.item.state],
        "result": answered.result,
        "reason": clean(answered.reason),
        "message_id": answered.item.message_id or "",
        "actions": [action.action_id for action in answered.actions],
    }
