"""Which scores a bucket has, in one place, so that order by score and order by bucket agree everywhere: `BANDS`.

A score is 0 to 0.99; times a hundred it is the badge. The bands do not touch, and none reaches 1, so that a badge has
two digits and says no more than the number in JSON.
"""

from __future__ import annotations

from gaia_email.cascade.verdict import BUCKETS, Bucket

BASE = 0.3
"""The score of a message of which nothing else is known."""

BANDS: dict[Bucket, tuple[float, float]] = {
    "urgent": (0.75, 0.99),
    "actionable": (0.45, 0.74),
    "informational": (0.2, 0.44),
    "low_priority": (0.0, 0.19),
}
"""The lowest and the highest score of each bucket."""

OVER = 0.05
"""The part of the band of `actionable`, at its lower end, that is kept for what is over: nothing else scores there."""


def within(bucket: Bucket, raw: float) -> float:
    """`raw`, moved into the bucket's band where it lies outside, and above what is over."""
    low, high = BANDS[bucket]
    if bucket == "actionable":
        low = round(low + OVER + 0.01, 3)
    return round(min(high, max(low, raw)), 3)


def lowered(score: float, was: Bucket, now: Bucket) -> float:
    """The score of what is over: its place in the band of `was`, in the lower part of the band of `now`.

    What needs the user and is over stands below all that needs them and is not; elsewhere it is in the lower half.
    """
    low, high = BANDS[was]
    bottom, top = BANDS[now]
    part = OVER if now == "actionable" else (top - bottom) / 2
    return round(bottom + (score - low) / (high - low) * part, 3)


def bucket_at(score: float) -> Bucket:
    """The bucket in whose band a score lies; between two bands the lower one."""
    for bucket in BUCKETS:
        if score >= BANDS[bucket][0]:
            return bucket
    return BUCKETS[-1]
