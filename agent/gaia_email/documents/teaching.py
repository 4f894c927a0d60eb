"""The documents of `teach` and `lessons`. Entries: `teaching_document`, `question_row`, `lessons_document`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gaia_email.documents.classify import Json, clean
from gaia_email.learn.deeds import deed_of

if TYPE_CHECKING:
    from gaia_email.learn.agreement import HeldBack, Period
    from gaia_email.learn.teach import Agreement, Habit, Moved
    from gaia_email.ledger import Correction
    from gaia_email.triage.inbox import Found


def teaching_document(
    account: str,
    questions: Sequence[Found],
    agreement: Agreement,
    changed: Sequence[Moved],
    *,
    answered: int = 0,
    skipped: int = 0,
    habits: Sequence[Habit] = (),
) -> Json:
    """What was asked and answered, how far it was understood, and which other mail it moved."""
    return {
        "schema_version": 1,
        "account": account,
        "questions": [question_row(found) for found in questions],
        "answered": answered,
        "skipped": skipped,
        "left": len(questions) - answered - skipped,
        "agreement": {
            "held_back": agreement.held_back,
            "before": agreement.before,
            "after": agreement.after,
        },
        "changed": [_changed(one) for one in changed],
        "habits": [{"kind": one.kind, "bucket": one.bucket, "answers": one.answers} for one in habits],
    }


def question_row(found: Found) -> Json:
    """One message that is asked about, with where it stands."""
    sender = found.summary["from"]
    return {
        "id": found.summary["id"],
        "from": clean(sender["name"] or sender["address"]),
        "address": clean(sender["address"]),
        "subject": clean(found.summary["subject"]),
        "bucket": found.understood.verdict.bucket,
    }


def _changed(one: Moved) -> Json:
    return {
        "id": one.summary["id"],
        "from": clean(one.summary["from"]["address"]),
        "subject": clean(one.summary["subject"]),
        "was": one.was,
        "bucket": one.bucket,
    }


def period_row(one: Period) -> Json:
    """How often what was shown is what the owner then said, in a stretch of time."""
    return {
        "period": one.name,
        "said": one.said,
        "agreed": one.agreed,
        "buckets": [
            {"bucket": each.bucket, "said": each.said, "agreed": each.agreed} for each in one.buckets
        ],
    }


def held_back_row(one: HeldBack) -> Json:
    """Of the answers held back in lessons, how many were right before and after."""
    return {"answers": one.answers, "before": one.before, "after": one.after}


def lessons_document(taught: Sequence[Correction]) -> Json:
    """What was taught, in the order given."""
    return {"schema_version": 1, "lessons": [_lesson(one) for one in taught]}


def _lesson(one: Correction) -> Json:
    return {
        "number": one.id,
        "account": one.account_id,
        "id": one.message_id,
        "sender": one.sender,
        "was": one.original.bucket,
        "bucket": one.corrected.bucket,
        "deed": deed_of(one.features),
    }
