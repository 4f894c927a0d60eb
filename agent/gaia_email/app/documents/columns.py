"""Rows of any document as readable text. Entries: `cells`, `heading`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gaia_email.app.documents.short import plain

LONGEST = 48
"""Maximum length of a cell in characters."""

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")


def heading(column: str) -> str:
    """Return a column name as words."""
    return column.replace(".", " ").replace("_", " ")


def cells(row: Mapping[str, object], columns: Sequence[str]) -> list[str]:
    """Return the fields of a row as text; `a.b` is a field of an object in it."""
    return [cell_text(column, read_field(row, column)) for column in columns]


def read_field(row: Mapping[str, object], column: str) -> object:
    """Return a field of a row, or None if missing; `a.b` is a field of an object in it."""
    found: object = row
    for key in column.split("."):
        found = found.get(key) if isinstance(found, Mapping) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return found  # pyright: ignore[reportUnknownVariableType]


def cell_text(column: str, value: object) -> str:
    """Return a value as the text of a cell: one line, cut at `LONGEST`."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:.0%}" if column.endswith("share") else f"{value:g}"
        case str():
            return value[:10] if _TIME.match(value) else plain(value, LONGEST)
        case list():
            return plain(", ".join(map(str, value)), LONGEST)  # pyright: ignore[reportUnknownArgumentType]
        case _:
            return plain(str(value), LONGEST)
