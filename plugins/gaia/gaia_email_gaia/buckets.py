"""The peer's five categories and our four buckets, mapped in both directions. Entries: `category_of`, `bucket_of`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gaia_understanding.cascade.verdict import Bucket, Verdict

PeerCategory = Literal["URGENT", "NEEDS_RESPONSE", "FYI", "PROMOTIONAL", "PERSONAL"]
SuggestedAction = Literal["reply", "none", "archive"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerBucket:
    """A category of the peer's, the matching bucket here, and the suggested action.

    Attributes:
        private: True if the category has only private mail from people.
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
    """Return the category for mail in a bucket."""
    return next(row.category for row in PEER_BUCKETS if row.bucket == bucket and (private or not row.private))


def bucket_of(category: PeerCategory) -> Bucket:
    """Return the bucket for mail in a category."""
    return next(row.bucket for row in PEER_BUCKETS if row.category == category)


def suggested_action(category: PeerCategory) -> SuggestedAction:
    """Return the action that the peer's hosts offer for a category."""
    return next(row.suggests for row in PEER_BUCKETS if row.category == category)


def is_private(verdict: Verdict) -> bool:
    """Return True if a person wrote it privately and not on behalf of an organisation."""
    return verdict.content_category == "primary" and verdict.cohort == "default" and not verdict.flags.bulk
