"""Runs of text that a reader does not see. Entry: `HiddenRuns`."""

from __future__ import annotations

from gaia_understanding.prepare.html.layout import Layout
from gaia_understanding.prepare.html.model import HiddenText

MAX_RUN_CHARS = 8_000
MAX_RUNS = 200

PREHEADER_CHARS = 400
"""The longest preview text of a newsletter, padding aside."""

BEGINNING_CHARS = 60
"""The most visible text (such as "View in browser") that may precede it."""

_STYLES = """
display:none visibility:hidden opacity:0 font-size:0 color-on-color off-screen clipped zero-size
transparent-text
"""
BY_STYLE = frozenset(_STYLES.split())
"""The ways in which newsletters hide their preview text."""


class HiddenRuns:
    """A collection of hidden text; text nodes hidden the same way without visible text between are one run."""

    __slots__ = ("_at", "_chars", "_how", "_layout", "_pieces", "found", "preheader")

    def __init__(self, layout: Layout) -> None:
        self.found: list[HiddenText] = []
        self.preheader = ""
        self._layout = layout
        self._how = ""
        self._pieces: list[str] = []
        self._chars = 0
        self._at = 0

    def add(self, how: str, raw: str) -> None:
        """Add the content of a hidden text node."""
        if not raw or raw.isspace():
            self.gap()
            return
        if how != self._how or self._at != self._layout.chars:
            self.flush()
            self._how = how
            self._at = self._layout.chars
        if self._chars < MAX_RUN_CHARS:
            self._pieces.append(raw)
        self._chars += len(raw)

    def add_whole(self, how: str, raw: str) -> None:
        """Add a run of its own: an attribute's value, a comment."""
        self.flush()
        self._how = how
        self._at = self._layout.chars
        self._pieces.append(raw[:MAX_RUN_CHARS])
        self.flush()

    def gap(self) -> None:
        """Note white space or the edge of a block between hidden words."""
        if self._pieces:
            self._pieces.append(" ")

    def flush(self) -> None:
        """End the run."""
        if not self._pieces:
            return
        text = " ".join("".join(self._pieces).split())[:MAX_RUN_CHARS]
        how = self._how
        self._pieces = []
        self._chars = 0
        if not any(character.isalnum() for character in text) or len(self.found) >= MAX_RUNS:
            return
        if how in BY_STYLE and self._at <= BEGINNING_CHARS and not self.preheader:
            self.preheader = text
            if len(text) <= PREHEADER_CHARS:
                how = "preheader"
        self.found.append(HiddenText(how=how, text=text))
