"""The scores of each bucket, in one place, so that order by score and order by bucket always agree. Entry: `BANDS`.

A score is 0 to 0.99; times a hundred it is the badge. The bands do not touch, and none reaches 1, so that a
badge has two digits and shows the same number as the JSON.
"""

from __future__ import annotations

from gaia_understanding.cascade.verdict import BUCKETS, Bucket

BASE = 0.3
"""The score of a message about which nothing else is known."""

BANDS: dict[Bucket, tuple[float, float]] = {
    "urgent": (0.75, 0.99),
    "actionable": (0.45, 0.74),
    "informational": (0.2, 0.44),
    "low_priority": (0.0, 0.19),
}
"""The lowest and the highest score of each bucket."""

OVER = 0.05
"""The width of the lowest part of the `actionable` band, which only past and overdue messages use."""


def within(bucket: Bucket, raw: float) -> float:
    """Return `raw`, limited to the bucket's band and kept above the part for past and overdue messages."""
    low, high = BANDS[bucket]
    if bucket == "actionable":
        low = round(low + OVER + 0.01, 3)
    return round(min(high, max(low, raw)), 3)


def lower_score(score: float, was: Bucket, now: Bucket) -> float:
    """Return the score of a past or overdue message: its place in the band of `was`, scaled to the low part of `now`.

    In `actionable`, such a message ranks below all others; in the other buckets it is in the lower half of
    the band.
    """
    low, high = BANDS[was]
    bottom, top = BANDS[now]
    part = OVER if now == "actionable" else (top - bottom) / 2
    return round(bottom + (score - low) / (high - low) * part, 3)


def bucket_at(score: float) -> Bucket:
    """Return the bucket whose band contains `score`; between two bands, the lower one."""
    for bucket in BUCKETS:
        if score >= BANDS[bucket][0]:
            return bucket
    return BUCKETS[-1]
