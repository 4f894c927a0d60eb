"""The JSON object that `gaia email classify` prints for a message. Entry point: `line`.

Key order, names and nesting are a public format (schema `classify`). Unknown values are null, an empty list
or an empty string; nothing is invented.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from gaia_email.app.documents.mail_types import (
    AttachmentRow,
    ClassifyLine,
    EntitiesRow,
    FlagsRow,
    ItineraryRow,
    JudgementRow,
    MeetingRow,
    PriorityRow,
    ReceiptRow,
    TextRow,
)
from gaia_email.document import NamedAddress, Version, clean
from gaia_understanding.cascade.verdict import SPEECH_ACTS, Flags, Suspicion, Verdict
from gaia_understanding.cascade.wording.certainty import cap_confidence
from gaia_understanding.prepare.extract.model import Entities, Itinerary, Meeting, Receipt

if TYPE_CHECKING:
    from gaia_mail.mime.model import Attachment, MailboxAddress
    from gaia_understanding.cascade.understand import Understood
    from gaia_understanding.prepare.model import Prepared

Json = dict[str, object]

SCHEMA_VERSION: Version = 1


@lru_cache(maxsize=4096)
def _rounded(number: float) -> float:
    """Round to two decimals. Cached, since rules emit the same numbers and rounding costs as much as five look-ups."""
    return round(number, 2) + 0.0  # so that equal keys (0, 0.0, -0.0) have one answer


def line(understood: Understood, *, path: str, index: int, thread_id: str, elapsed_ms: float) -> ClassifyLine:
    """Return the object for one message; `elapsed_ms` is the only value that differs between runs."""
    message, verdict = understood.message, understood.verdict
    acts = verdict.speech_acts
    return {
        "schema_version": SCHEMA_VERSION,
        "path": clean(path),
        "index": index,
        "message_id": clean(message.message_id),
        "thread_id": thread_id,
        "subject": clean(message.subject),
        "from": _mailbox(message.sender),
        "date": message.date.isoformat() if message.date else None,
        "bucket": verdict.bucket,
        "content_category": verdict.content_category,
        "labels": list(verdict.labels),
        "speech_act": verdict.speech_act,
        "speech_acts": {act: _rounded(acts.get(act, 0.0)) for act in SPEECH_ACTS},
        "cohort": verdict.cohort,
        "needs_reply": verdict.needs_reply,
        "confidence": cap_confidence(verdict.confidence),
        "tier": verdict.tier,
        "priority": _priority(verdict),
        "text": _text(understood.prepared),
        "entities": _entities(verdict.entities),
        "flags": _flags(verdict.flags),
        "attachments": _attachments(message.attachments),
        "defects": _clean_all(understood.prepared.defects),
        "elapsed_ms": round(elapsed_ms, 2),
    }


def unreadable(*, path: str, index: int, problem: str) -> ClassifyLine:
    """Return the object for an unreadable message: every key is present, and `defects` has the reason."""
    return {
        "schema_version": SCHEMA_VERSION,
        "path": clean(path),
        "index": index,
        "message_id": "",
        "thread_id": "",
        "subject": "",
        "from": None,
        "date": None,
        "bucket": "informational",
        "content_category": "primary",
        "labels": [],
        "speech_act": "fyi",
        "speech_acts": dict.fromkeys(SPEECH_ACTS, 0.0),
        "cohort": "default",
        "needs_reply": False,
        "confidence": 0.0,
        "tier": "T0",
        "priority": {"score": 0.0, "reason": "", "signals": []},
        "text": {"normalized": "", "quoted": "", "signature": "", "hidden": "", "language": ""},
        "entities": _entities(Entities()),
        "flags": _flags(Flags()),
        "attachments": [],
        "defects": [clean(problem)],
        "elapsed_ms": 0.0,
    }


def _mailbox(mailbox: MailboxAddress | None) -> NamedAddress | None:
    if mailbox is None:
        return None
    return {"name": clean(mailbox.name), "address": clean(mailbox.address)}


def _priority(verdict: Verdict) -> PriorityRow:
    return {
        "score": _rounded(verdict.priority.score),
        "reason": clean(verdict.priority.reason),
        "signals": [
            {"name": signal.name, "weight": _rounded(signal.weight), "evidence": clean(signal.evidence)}
            for signal in verdict.priority.signals
        ],
    }


def _text(prepared: Prepared) -> TextRow:
    return {
        "normalized": clean(prepared.normalized),
        "quoted": clean(prepared.quoted),
        "signature": clean(prepared.signature),
        "hidden": clean(prepared.hidden),
        "language": prepared.language,
    }


def _entities(found: Entities) -> EntitiesRow:
    meeting, receipt, journey = found.meeting, found.receipt, found.itinerary
    return {
        "dates": [
            {"text": clean(date.text), "value": date.value, "deadline": date.deadline} for date in found.dates
        ],
        "people": _clean_all(found.people),
        "money": [
            {"text": clean(money.text), "amount": money.amount, "currency": money.currency}
            for money in found.money
        ],
        "urls": _clean_all(found.urls),
        "phones": _clean_all(found.phones),
        "codes": _clean_all(found.codes),
        "action_items": [
            {
                "text": clean(item.text),
                "description": clean(item.description),
                "owner": clean(item.owner),
                "due": item.due or None,
            }
            for item in found.action_items
        ],
        "meeting": None if meeting is None else _meeting(meeting),
        "receipt": None if receipt is None else _receipt(receipt),
        "itinerary": None if journey is None else _itinerary(journey),
        "tracking": [
            {"carrier": clean(parcel.carrier), "number": clean(parcel.number)} for parcel in found.tracking
        ],
    }


def _meeting(found: Meeting) -> MeetingRow:
    return {
        "summary": clean(found.summary),
        "start": clean(found.start),
        "end": clean(found.end),
        "location": clean(found.location),
        "organizer": clean(found.organizer),
        "method": clean(found.method),
        "uid": clean(found.uid),
        "source": clean(found.source),
        "recurrence": clean(found.recurrence),
    }


def _receipt(found: Receipt) -> ReceiptRow:
    return {
        "merchant": clean(found.merchant),
        "total": clean(found.total),
        "currency": clean(found.currency),
        "date": clean(found.date),
        "order_number": clean(found.order_number),
    }


def _itinerary(found: Itinerary) -> ItineraryRow:
    return {
        "kind": clean(found.kind),
        "reference": clean(found.reference),
        "origin": clean(found.origin),
        "destination": clean(found.destination),
        "departs": clean(found.departs),
        "arrives": clean(found.arrives),
        "provider": clean(found.provider),
    }


def _clean_all(texts: Iterable[str]) -> list[str]:
    listed = list(texts)
    return listed if "".join(listed).isascii() else list(map(clean, listed))


def _judgement(judgement: Suspicion) -> JudgementRow:
    return {"score": _rounded(judgement.score), "reasons": _clean_all(judgement.reasons)}


def _flags(flags: Flags) -> FlagsRow:
    unsubscribe = flags.unsubscribe
    authentication = flags.authentication
    return {
        "bulk": flags.bulk,
        "spam": _rounded(flags.spam),
        "phishing": _judgement(flags.phishing),
        "injection": _judgement(flags.injection),
        "unsubscribe": None
        if unsubscribe is None
        else {
            "one_click": unsubscribe.one_click,
            "url": clean(unsubscribe.url) or None,
            "mailto": clean(unsubscribe.mailto) or None,
        },
        "authentication": {
            "spf": authentication.spf,
            "dkim": authentication.dkim,
            "dmarc": authentication.dmarc,
            "trusted": authentication.trusted,
        },
    }


def _attachments(attachments: tuple[Attachment, ...]) -> list[AttachmentRow]:
    return [
        {
            "filename": clean(attachment.filename),
            "content_type": attachment.content_type,
            "size": attachment.size,
        }
        for attachment in attachments
    ]
