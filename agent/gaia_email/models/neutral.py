"""Make untrusted text harmless for a prompt, and restore its characters. Entries: `neutralise`, `as_written`."""

from __future__ import annotations

_HEAD_OF_TEN = 7
_BRACKETS = str.maketrans({"<": "‹", ">": "›", "[": "⟦", "]": "⟧"})
_BACK = str.maketrans({"‹": "<", "›": ">", "⟦": "[", "⟧": "]"})


def neutralise(text: str, most: int) -> str:
    """Return text as shown to a model: neutralised, and with its middle replaced by a note if longer than `most`."""
    if len(text) > most:
        head = most * _HEAD_OF_TEN // 10
        left_out = len(text) - most
        text = f"{text[:head]}\n({left_out:,} characters left out here)\n{text[-(most - head) :]}"
    return "".join(mark for mark in text.translate(_BRACKETS) if mark.isprintable() or mark == "\n")


def as_written(text: str) -> str:
    """Return text that a model copied from a prompt as it is in the mail."""
    return text.translate(_BACK)
