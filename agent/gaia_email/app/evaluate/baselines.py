"""What anybody could do in five minutes; a figure means something only beside these. Entry: `by_keywords`."""

from __future__ import annotations

from gaia_email.cascade.verdict import Bucket

CONSTANT: Bucket = "informational"
"""What the first baseline says of every message."""

KEYWORDS: tuple[tuple[Bucket, tuple[str, ...]], ...] = (
    ("low_priority", ("unsubscribe", "% off", "newsletter", "sale")),
    ("urgent", ("urgent", "asap", "today", "tonight")),
    ("actionable", ("please", "can you", "could you", "?")),
)
"""The second baseline: a dozen words, the first bucket wins of which one occurs."""


def by_keywords(subject: str, text: str) -> Bucket:
    """The bucket of the first of `KEYWORDS` that the subject or the text has."""
    haystack = f"{subject}\n{text}".lower()
    for bucket, words in KEYWORDS:
        if any(word in haystack for word in words):
            return bucket
    return CONSTANT
