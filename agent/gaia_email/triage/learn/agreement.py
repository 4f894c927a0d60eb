"""Count how often the shown bucket matches the owner's answer, by bucket and period. Entry: `agreement_of`.

Each answer tests the product as it was before it learned from that answer. Doubtful mail is asked about first, and
mostly mistakes are corrected, so the rate is far below the true accuracy; only its change over time is meaningful.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gaia_email.ledger import Correction, LedgerEvent
from gaia_email.ledger.policy_store import NOT_SAID
from gaia_understanding.cascade.verdict import BUCKETS, Bucket

MEASURED = "lesson.measured"
"""Event for a lesson's held-back answers: their number, and how many were right before and after the lesson."""

_DAY_S = 86_400.0
PERIODS: tuple[tuple[str, float], ...] = (
    ("last 7 days", 7 * _DAY_S),
    ("8 to 30 days ago", 30 * _DAY_S),
    ("31 to 90 days ago", 90 * _DAY_S),
    ("earlier", float("inf")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementCount:
    """The number of messages that the owner put in a bucket, and how many of these were already shown there."""

    bucket: Bucket
    said: int
    agreed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """The counts per bucket in one period."""

    name: str
    buckets: tuple[AgreementCount, ...]

    @property
    def said(self) -> int:
        """Number of messages with an answer."""
        return sum(one.said for one in self.buckets)

    @property
    def agreed(self) -> int:
        """Number of these that were shown in the right bucket."""
        return sum(one.agreed for one in self.buckets)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBack:
    """Answers held back for measuring, summed over all lessons."""

    answers: int
    before: int
    after: int


NOTHING_HELD = HeldBack(answers=0, before=0, after=0)


def agreement_of(corrections: Iterable[Correction], now: float) -> list[Period]:
    """Return the periods with answers, latest first; lessons from actions alone do not count."""
    found: dict[str, list[Correction]] = {}
    for one in corrections:
        if one.source != NOT_SAID and one.original.bucket is not None:
            age = now - one.timestamp
            name = next(name for name, until in PERIODS if age <= until)
            found.setdefault(name, []).append(one)
    return [Period(name=name, buckets=_by_bucket(found[name])) for name, _ in PERIODS if name in found]


def _by_bucket(said: Sequence[Correction]) -> tuple[AgreementCount, ...]:
    found: list[AgreementCount] = []
    for bucket in BUCKETS:
        shown = [one.original.bucket for one in said if one.corrected.bucket == bucket]
        if shown:
            found.append(AgreementCount(bucket=bucket, said=len(shown), agreed=shown.count(bucket)))
    return tuple(found)


def held_back_of(events: Iterable[LedgerEvent]) -> HeldBack:
    """Add up the measurements of all lessons."""
    counts = [0, 0, 0]
    for event in events:
        for at, name in enumerate(("held_back", "before", "after")):
            value = event.payload.get(name)
            counts[at] += value if isinstance(value, int) else 0
    return HeldBack(answers=counts[0], before=counts[1], after=counts[2])
