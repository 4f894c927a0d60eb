"""How often the product agreed with its owner, as `status` shows it. Entries: `period_row`, `held_back_row`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from gaia_email.cascade.verdict import Bucket
from gaia_email.document import Count

if TYPE_CHECKING:
    from gaia_email.triage.learn.agreement import HeldBack, Period


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
