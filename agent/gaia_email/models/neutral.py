"""A stranger's text made harmless for a prompt, and its words as they were written. Entries: `shown`, `as_written`."""

from __future__ import annotations

_HEAD_OF_TEN = 7
_BRACKETS = str.maketrans({"<": "‹", ">": "›", "[": "⟦", "]": "⟧"})
_BACK = str.maketrans({"‹": "<", "›": ">", "⟦": "[", "⟧": "]"})


def shown(text: str, most: int) -> str:
    """Text as a model is shown it: neutral, and without its middle where it is longer than `most`, which is said."""
    if len(text) > most:
        head = most * _HEAD_OF_TEN // 10
        left_out = len(text) - most
        text = f"{text[:head]}\n({left_out:,} characters left out here)\n{text[-(most - head) :]}"
    return "".join(mark for mark in text.translate(_BRACKETS) if mark.isprintable() or mark == "\n")


def as_written(text: str) -> str:
    """Words that a model copied from what it was shown, as the mail has them."""
    return text.translate(_BACK)
