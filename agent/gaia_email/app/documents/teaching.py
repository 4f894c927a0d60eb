"""Agreement between the product and its owner, for `status`. Entries: `period_row`, `held_back_row`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from gaia_email.document import Count
from gaia_understanding.cascade.verdict import Bucket

if TYPE_CHECKING:
    from gaia_email.triage.learn.agreement import HeldBack, Period


class BucketAgreement(TypedDict):
    """The number of messages that the owner put into a bucket, and how many the product had put there as well."""

    bucket: Bucket
    said: Count
    agreed: Count


class PeriodRow(TypedDict):
    """The same figures for a period."""

    period: str
    said: Count
    agreed: Count
    buckets: list[BucketAgreement]


class HeldBackRow(TypedDict):
    """The number of answers held back in lessons, and how many were right before and after."""

    answers: Count
    before: Count
    after: Count


def period_row(one: Period) -> PeriodRow:
    """Return how often the bucket shown matched the owner's later answer, in a period."""
    return {
        "period": one.name,
        "said": one.said,
        "agreed": one.agreed,
        "buckets": [
            {"bucket": each.bucket, "said": each.said, "agreed": each.agreed} for each in one.buckets
        ],
    }


def held_back_row(one: HeldBack) -> HeldBackRow:
    """Return how many of the answers held back in lessons were right before and after."""
    return {"answers": one.answers, "before": one.before, "after": one.after}
