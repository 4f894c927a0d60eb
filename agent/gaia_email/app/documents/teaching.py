"""The documents of `teach` and `lessons`. Entries: `teaching_document`, `question_row`, `lessons_document`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypedDict

from gaia_email.app.documents.pending_types import SaidBucket
from gaia_email.cascade.verdict import Bucket
from gaia_email.document import Count, FromText, OneOf, Version, clean
from gaia_email.policy.conventions import KINDS
from gaia_email.triage.learn.owner_actions import WORDS, owner_action_of

if TYPE_CHECKING:
    from gaia_email.ledger import Correction
    from gaia_email.triage.inbox import FoundMessage
    from gaia_email.triage.learn.agreement import HeldBack, Period
    from gaia_email.triage.learn.teach import Habit, HeldBackAgreement, MovedThread


class QuestionRow(FromText):
    """One message that is asked about, with where it stands."""

    id: str
    address: str
    subject: str
    bucket: Bucket


class AgreementRow(TypedDict):
    """Of the answers held back, how many were right before and after."""

    held_back: Count
    before: Count
    after: Count


class MovedRow(FromText):
    """A message that the answers moved."""

    id: str
    subject: str
    was: Bucket
    bucket: Bucket


class HabitRow(TypedDict):
    """A kind of mail on which the answers agree."""

    kind: Annotated[str, OneOf(KINDS)]
    bucket: Bucket
    answers: Count


class TeachDocument(TypedDict):
    """What `teach` prints."""

    schema_version: Version
    account: str
    questions: list[QuestionRow]
    answered: Count
    skipped: Count
    left: Count
    agreement: AgreementRow
    changed: list[MovedRow]
    habits: list[HabitRow]


class BucketAgreement(TypedDict):
    """How often the product agreed with its owner, of what they put into a bucket."""

    bucket: Bucket
    said: Count
    agreed: Count


class PeriodRow(TypedDict):
    """The same over a stretch of time."""

    period: str
    said: Count
    agreed: Count
    buckets: list[BucketAgreement]


class HeldBackRow(TypedDict):
    """Of the answers held back in lessons, how many were right before and after."""

    answers: Count
    before: Count
    after: Count


class LessonRow(TypedDict):
    """Something that the owner taught, by word or deed."""

    number: Count
    account: str
    id: str
    sender: str
    was: SaidBucket | None
    bucket: SaidBucket | None
    deed: Annotated[str, OneOf(tuple(WORDS))] | None


class LessonsDocument(TypedDict):
    """What `lessons` prints."""

    schema_version: Version
    lessons: list[LessonRow]


TEACHING_DOCUMENTS: dict[str, object] = {"teach": TeachDocument, "lessons": LessonsDocument}


def teaching_document(
    account: str,
    questions: Sequence[FoundMessage],
    agreement: HeldBackAgreement,
    changed: Sequence[MovedThread],
    *,
    answered: int = 0,
    skipped: int = 0,
    habits: Sequence[Habit] = (),
) -> TeachDocument:
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


def question_row(found: FoundMessage) -> QuestionRow:
    """One message that is asked about, with where it stands."""
    sender = found.summary["from"]
    return {
        "id": found.summary["id"],
        "from": clean(sender["name"] or sender["address"]),
        "address": clean(sender["address"]),
        "subject": clean(found.summary["subject"]),
        "bucket": found.understood.verdict.bucket,
    }


def _changed(one: MovedThread) -> MovedRow:
    return {
        "id": one.summary["id"],
        "from": clean(one.summary["from"]["address"]),
        "subject": clean(one.summary["subject"]),
        "was": one.was,
        "bucket": one.bucket,
    }


def period_row(one: Period) -> PeriodRow:
    """How often what was shown is what the owner then said, in a stretch of time."""
    return {
        "period": one.name,
        "said": one.said,
        "agreed": one.agreed,
        "buckets": [
            {"bucket": each.bucket, "said": each.said, "agreed": each.agreed} for each in one.buckets
        ],
    }


def held_back_row(one: HeldBack) -> HeldBackRow:
    """Of the answers held back in lessons, how many were right before and after."""
    return {"answers": one.answers, "before": one.before, "after": one.after}


def lessons_document(taught: Sequence[Correction]) -> LessonsDocument:
    """What was taught, in the order given."""
    return {"schema_version": 1, "lessons": [_lesson(one) for one in taught]}


def _lesson(one: Correction) -> LessonRow:
    return {
        "number": one.id,
        "account": one.account_id,
        "id": one.message_id,
        "sender": one.sender,
        "was": one.original.bucket,
        "bucket": one.corrected.bucket,
        "deed": owner_action_of(one.features),
    }
