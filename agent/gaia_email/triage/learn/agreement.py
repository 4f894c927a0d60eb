"""How often what was shown is what the owner then said, by bucket and over time. Entry: `agreement_of`.

Each answer tests the product as it was before it learned from that answer. Doubtful mail is asked about first and
mostly mistakes are corrected, so this is far below how often all mail is right; what tells is how it changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gaia_email.cascade.verdict import BUCKETS, Bucket
from gaia_email.ledger import Correction, LedgerEvent
from gaia_email.ledger.policy_store import NOT_SAID

MEASURED = "lesson.measured"
"""The event of a lesson's answers that were held back: how many, and how many were right before and after it."""

_DAY_S = 86_400.0
PERIODS: tuple[tuple[str, float], ...] = (
    ("last 7 days", 7 * _DAY_S),
    ("8 to 30 days ago", 30 * _DAY_S),
    ("31 to 90 days ago", 90 * _DAY_S),
    ("earlier", float("inf")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementCount:
    """Of how many messages the owner said that they belong in a bucket, and how many of these were shown in it."""

    bucket: Bucket
    said: int
    agreed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """The same for each bucket that was named in a stretch of time."""

    name: str
    buckets: tuple[AgreementCount, ...]

    @property
    def said(self) -> int:
        """Messages that something was said about."""
        return sum(one.said for one in self.buckets)

    @property
    def agreed(self) -> int:
        """How many of these stood where they belong."""
        return sum(one.agreed for one in self.buckets)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBack:
    """Answers that were not learned from before they were measured by, of all lessons together."""

    answers: int
    before: int
    after: int


NOTHING_HELD = HeldBack(answers=0, before=0, after=0)


def agreement_of(corrections: Iterable[Correction], now: float) -> list[Period]:
    """The periods in which something was said, the latest first; what was only seen in actions does not count."""
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
    """All lessons' measurements together."""
    counts = [0, 0, 0]
    for event in events:
        for at, name in enumerate(("held_back", "before", "after")):
            value = event.payload.get(name)
            counts[at] += value if isinstance(value, int) else 0
    return HeldBack(answers=counts[0], before=counts[1], after=counts[2])
