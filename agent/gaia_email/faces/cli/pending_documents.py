"""The JSON documents of the Agent Inbox: `pending`, `approve`, `reject`, `correct`. Entry point: `item_row`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from time import time
from typing import get_args

from gaia_email.cascade.wording.certainty import capped
from gaia_email.documents.classify import Json, clean
from gaia_email.documents.times import at as at
from gaia_email.faces.cli.asked_lines import barred, visible_person
from gaia_email.faces.cli.card import one_line
from gaia_email.faces.cli.options import WAITING
from gaia_email.ledger import Confirmation, Item, PendingState, PendingType
from gaia_email.pending.calls import AnsweredCall
from gaia_email.pending.inbox import Answered
from gaia_email.pending.proposal import Proposal
from gaia_email.policy.calls import message_of
from gaia_mail.asking.people import Field, Recipient, Standing
from gaia_mail.asking.text import person_lines

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


def local_time(moment: str | None) -> str:
    """What `at` wrote, by the clock of this machine; empty for None."""
    return "" if moment is None else f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d %H:%M}"


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
        "confidence": None if item.confidence is None else capped(item.confidence),
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


def pending_document(
    items: Sequence[Item], confirmations: Sequence[Json], waiting: Mapping[str, int]
) -> Json:
    """What waits; `waiting` counts all of it by type, whatever was asked for."""
    return {
        "schema_version": 1,
        "total": sum(waiting.values()),
        "shown": len(items) + len(confirmations),
        "waiting": {type_: waiting.get(type_, 0) for type_ in WAITING},
        "confirmations": list(confirmations),
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


CALL_STATES: Mapping[str, str] = {
    "open": "open",
    "granted": "answered",
    "used": "answered",
    "refused": "declined",
    "expired": "declined",
}
"""States of a question of the gate, by the names of the control protocol."""


def call_row(waiting: Confirmation) -> Json:
    """One question of the gate: exactly the call, as it was shown when it was asked."""
    shown = waiting.shown
    return {
        "id": waiting.confirmation_id,
        "type": "confirmation",
        "state": CALL_STATES[waiting.state],
        "server": "",
        "account": clean(waiting.account_id),
        "created_at": at(waiting.created_at),
        "expires_at": at(waiting.expires_at),
        "tool": waiting.tool,
        "risk": str(shown.get("risk", "destructive")),
        "text": _word(shown, "dry_run"),
        "recipients": [_person_row(person) for person in _people(shown)],
        "subject": _word(shown, "subject"),
        "body": _word(shown, "text"),
        "html_text": _word(shown, "html_text"),
        "hidden": _words(shown.get("hidden")),
        "files": _words(shown.get("files")),
        "messages": _words(shown.get("messages")),
        "senders": _words(shown.get("senders")),
        "why": _word(shown, "why"),
        "cohort": _word(shown, "cohort"),
        "fingerprint": waiting.fingerprint,
    }


def call_line(waiting: Confirmation) -> Json:
    """The same with what lines of items have in their columns, where everything is one table."""
    row = call_row(waiting)
    senders, subjects = _words(waiting.shown.get("senders")), _words(waiting.shown.get("messages"))
    about = {"from": {"address": ", ".join(senders)}, "subject": ", ".join(subjects) or row["subject"]}
    return {**row, "proposal": {"text": row["text"]}, "message": about}


def call_lines(waiting: Confirmation, *, now: float | None = None) -> list[str]:
    """The same for a person: what would happen, then to whom, about what, why, and how long it can be answered."""
    row = call_row(waiting)
    left = max(0.0, waiting.expires_at - (time() if now is None else now))
    lines = [
        f"⏳ {one_line(str(row['text']))}",
        f"   {waiting.confirmation_id[:8]}  confirmation · {waiting.tool} · {one_line(waiting.account_id)} · "
        f"good for {left / 60:.0f} more minutes",
    ]
    for person in _people(waiting.shown):
        lines += [f"   {line}" for line in person_lines(person.field, visible_person(person))]
    told = [("subject", _word(waiting.shown, "subject")), ("why", _word(waiting.shown, "why"))]
    told += [("file", name) for name in _words(waiting.shown.get("files"))]
    told += [("message", subject) for subject in _words(waiting.shown.get("messages"))]
    told += [("from", sender) for sender in _words(waiting.shown.get("senders"))]
    lines += [f"   {name}: {one_line(value)}" for name, value in told if value]
    hidden = "\n".join(_words(waiting.shown.get("hidden")))
    lines += barred("", _word(waiting.shown, "text"), "   ")
    lines += barred("   formatted version, as text", _word(waiting.shown, "html_text"), "   ")
    return lines + barred("   hidden in the formatted version", hidden, "   ")


def call_outcome_row(answered: AnsweredCall) -> Json:
    """One answer to a question of the gate, as `outcome_row`."""
    return {
        "id": answered.confirmation.confirmation_id,
        "state": CALL_STATES[answered.confirmation.state],
        "result": answered.result,
        "reason": clean(answered.reason),
        "message_id": message_of(answered.confirmation.arguments) or "",
        "actions": [action.action_id for action in answered.actions],
    }


def outcome_line(answered: Answered | AnsweredCall) -> str:
    """One answer that counted, for a person: what was answered, and to what."""
    if isinstance(answered, AnsweredCall):
        call = answered.confirmation
        return f"{call.confirmation_id[:8]}  {answered.result}: {one_line(_word(call.shown, 'dry_run'))}"
    item = answered.item
    proposal = Proposal.of(item)
    subject = one_line(proposal.targets[0].subject) if proposal.targets else ""
    about = f" · {subject}" if subject else ""
    return f"{item.item_id[:8]}  {answered.result}: {one_line(proposal_text(proposal))}{about}"


def _people(shown: Mapping[str, object]) -> list[Recipient]:
    """Everybody a kept question names, whom the mail would be from last."""
    return [
        _person(found) for found in (*_objects(shown.get("recipients")), *_objects([shown.get("sender")]))
    ]


def _person(kept: Mapping[str, object]) -> Recipient:
    field, where = kept.get("field"), kept.get("standing")
    return Recipient(
        field=next((name for name in get_args(Field) if name == field), "to"),
        name=_word(kept, "name"),
        address=_word(kept, "address"),
        standing=next((name for name in get_args(Standing) if name == where), "other_organisation"),
        only_in_text=kept.get("only_in_text") is True,
        never_written=kept.get("never_written") is True,
        disguise=kept.get("disguise") is True,
    )


def _person_row(person: Recipient) -> Json:
    return {
        "field": person.field,
        "name": person.name,
        "address": person.address,
        "standing": person.standing,
        "only_in_text": person.only_in_text,
        "never_written": person.never_written,
        "disguise": person.disguise,
    }


def _word(shown: Mapping[str, object], name: str) -> str:
    value = shown.get(name)
    return clean(value) if isinstance(value, str) else ""


def _words(value: object) -> list[str]:
    return [clean(item) for item in value if isinstance(item, str)] if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


def _objects(value: object) -> list[Mapping[str, object]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]
