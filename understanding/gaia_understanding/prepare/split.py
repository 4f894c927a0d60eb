"""The result of a text step: the part kept, the part removed, and the convention. Entry: `TextSplit`.

`lines_of` splits a text into lines once for the steps that read it one after the other.
"""

from __future__ import annotations

from typing import NamedTuple


class TextSplit(NamedTuple):
    """A text split in two. No non-space character of the input is lost, only reordered.

    Attributes:
        kept: The text for the next step.
        removed: The removed pieces in their order, joined by line ends; `""` if there are none.
        how: The convention that was recognised, e.g. `attribution`, `delimiter`; `""` if nothing was removed.
    """

    kept: str
    removed: str
    how: str


_latest: tuple[str, list[str]] = ("", [""])
"""The text that was split last, as it is, and its lines."""


def lines_of(text: str) -> list[str]:
    """Return the lines of a text, not to be changed: most steps find nothing, and the next one gets the same text."""
    global _latest
    known, lines = _latest
    if known is not text:
        lines = text.split("\n")
        _latest = text, lines
    return lines
