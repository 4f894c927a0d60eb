"""What a text step gives: the part that stays, the part taken out, and by which convention."""

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
