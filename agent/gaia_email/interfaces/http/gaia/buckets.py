"""The peer's five categories and our four buckets: one table, read both ways. Entries: `category_of`, `bucket_of`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gaia_email.cascade.verdict import Bucket, Verdict

PeerCategory = Literal["URGENT", "NEEDS_RESPONSE", "FYI", "PROMOTIONAL", "PERSONAL"]
SuggestedAction = Literal["reply", "none", "archive"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerBucket:
    """A category of the peer's, the bucket it stands for here, and what it suggests to do.

    Attributes:
        private: Whether only mail of people in private is of this category.
    """

    category: PeerCategory
    bucket: Bucket
    suggests: SuggestedAction
    private: bool = False


PEER_BUCKETS = (
    PeerBucket(category="URGENT", bucket="urgent", suggests="reply"),
    PeerBucket(category="NEEDS_RESPONSE", bucket="actionable", suggests="reply"),
    PeerBucket(category="PERSONAL", bucket="informational", suggests="none", private=True),
    PeerBucket(category="FYI", bucket="informational", suggests="none"),
    PeerBucket(category="PROMOTIONAL", bucket="low_priority", suggests="archive"),
)


def category_of(bucket: Bucket, *, private: bool = False) -> PeerCategory:
    """The category of mail in a bucket."""
    return next(row.category for row in PEER_BUCKETS if row.bucket == bucket and (private or not row.private))


def bucket_of(category: PeerCategory) -> Bucket:
    """The bucket of mail in a category."""
    return next(row.bucket for row in PEER_BUCKETS if row.category == category)


def suggested_action(category: PeerCategory) -> SuggestedAction:
    """What the peer's hosts offer for a category."""
    return next(row.suggests for row in PEER_BUCKETS if row.category == category)


def is_private(verdict: Verdict) -> bool:
    """Whether it was written by a person, for themselves and not for an organisation."""
    return verdict.content_category == "primary" and verdict.cohort == "default" and not verdict.flags.bulk
