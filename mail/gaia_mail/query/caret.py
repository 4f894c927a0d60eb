"""Errors that point at a character of the query: `query_error`."""

from __future__ import annotations

import unicodedata

from gaia_email_registry.errors import BadArgument

_SHOWN = 60
"""Columns of the query shown on either side of the error."""


def query_error(query: str, position: int, sentence: str) -> BadArgument:
    """Return an error with `sentence`, the part of `query` around `position`, and a caret below that character.

    Columns are counted as terminals draw them: two for wide East Asian characters, none for combining marks.
    """
    start = max(0, position - _SHOWN)
    end = min(len(query), position + _SHOWN)
    before = _printable(query[start:position])
    shown = before + _printable(query[position:end])
    lead = "…" if start else ""
    tail = "…" if end < len(query) else ""
    caret = " " * (len(lead) + _columns(before)) + "^"
    return BadArgument(f"{sentence}\n  {lead}{shown}{tail}\n  {caret}", argument="query")


def _printable(text: str) -> str:
    return "".join(" " if unicodedata.category(char) in ("Cc", "Zl", "Zp") else char for char in text)


def _columns(text: str) -> int:
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
