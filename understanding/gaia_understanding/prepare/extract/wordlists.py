"""The word tables of extraction: plain text, a space between words. Entry: `words`."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """Return the words of `text` as a set for look-ups; never iterate it into output."""
    return frozenset(text.split())


def alternatives(text: str) -> str:
    """Return the words of `text` as a regular expression's alternatives, longest first; `_` is a space."""
    return "|".join(
        word.replace(".", r"\.").replace("_", r"\s+")
        for word in sorted(text.split(), key=lambda w: (-len(w), w))
    )
