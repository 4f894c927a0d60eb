"""How the word tables of extraction are written: as plain text, a space between words. Entry: `words`."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of `text` as a set to look them up in; never iterate it into output."""
    return frozenset(text.split())


def alternatives(text: str) -> str:
    """The words of `text` as a regular expression's alternatives, longest first; `_` stands for a space."""
    return "|".join(
        word.replace(".", r"\.").replace("_", r"\s+")
        for word in sorted(text.split(), key=lambda w: (-len(w), w))
    )
