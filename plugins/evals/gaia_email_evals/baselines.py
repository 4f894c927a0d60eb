"""Trivial baselines, without which other figures mean little. Entry: `by_keywords`."""

from __future__ import annotations

from gaia_understanding.cascade.verdict import Bucket

CONSTANT: Bucket = "informational"
"""The first baseline's verdict on every message."""

KEYWORDS: tuple[tuple[Bucket, tuple[str, ...]], ...] = (
    ("low_priority", ("unsubscribe", "% off", "newsletter", "sale")),
    ("urgent", ("urgent", "asap", "today", "tonight")),
    ("actionable", ("please", "can you", "could you", "?")),
)
"""The second baseline: a dozen words; the first bucket with a matching word wins."""


def by_keywords(subject: str, text: str) -> Bucket:
    """Return the bucket of the first of `KEYWORDS` found in the subject or the text."""
    haystack = f"{subject}\n{text}".lower()
    for bucket, words in KEYWORDS:
        if any(word in haystack for word in words):
            return bucket
    return CONSTANT
