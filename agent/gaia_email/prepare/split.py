"""What a text step gives: the part that stays, the part taken out, and by which convention. Entry: `TextSplit`.

`lines_of` cuts a text into lines once for the steps that look at it one after the other.
"""

from __future__ import annotations

from typing import NamedTuple


class TextSplit(NamedTuple):
    """A text parted in two. No non-space character of the input is lost, only reordered.

    Attributes:
        kept: What goes on to the next step.
        removed: What was taken out, its pieces in their order and joined by a line end; `""` when nothing was.
        how: The convention that was recognised, e.g. `attribution`, `delimiter`; `""` when nothing was removed.
    """

    kept: str
    removed: str
    how: str


_latest: tuple[str, list[str]] = ("", [""])
"""The text that was cut last, as it is, and its lines."""


def lines_of(text: str) -> list[str]:
    """The lines of a text, not to be changed: most steps find nothing, and the next one gets the same text."""
    global _latest
    known, lines = _latest
    if known is not text:
        lines = text.split("\n")
        _latest = text, lines
    return lines
