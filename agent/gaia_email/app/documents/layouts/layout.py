"""Layout of a document as a card: facts, lines and tables of its fields. Entry: `CardLayout`.

A format such as `{{ name }} · {{ state }}` is text with Jinja2 expressions over the fields of the document or
row. Its result is one line in which untrusted text is made visible. Rows are a Jinja2 expression, usually the
name of a field. Inside a row, `it` is the row itself, and missing fields are looked up in its parent.
`filled_card` defines the filters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

LineTone = Literal["plain", "strong", "quiet", "good", "warn", "bad"]
"""The emphasis of a piece of a line."""

LineFormat = str | Sequence[tuple[LineTone, str]]
"""A format, or a sequence of formats with a tone each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Labels with one value each; a fact without a value is left out.

    Attributes:
        facts: Label and format of each fact.
        of: Rows to repeat the facts for; empty for the document itself.
    """

    facts: Sequence[tuple[str, str]]
    of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """One line per row, with the row's own lines indented below it.

    Attributes:
        line: Format of the line.
        of: The rows; empty for the document itself, whose line is left out if it is empty.
        title: Format of a line above the rows; left out if there are no rows. Nested rows are indented below it.
        below: Lines built from the fields of the row.
        most: Maximum number of rows; None for all.
        number: Formats of account and id of the message that a row is about. The rows are numbered, and the next
            command accepts the number instead of the id.
        right: Format of text at the right margin. A line with such text is cut to the width.
    """

    line: LineFormat
    of: str = ""
    title: LineFormat = ""
    below: Sequence[Lines] = ()
    most: int | None = None
    number: tuple[str, str] | None = None
    right: LineFormat = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table.

    Attributes:
        title: Its heading.
        cell: Format of its cells.
        is_number: True to align its cells to the right.
        wraps: True to wrap its cells in a narrow terminal.
    """

    title: str
    cell: str
    is_number: bool = False
    wraps: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTable:
    """A table of rows; a column that is empty in every row is left out.

    Attributes:
        of: The rows.
        columns: The columns; a name selects the field with that name.
        title: Format of a line above the table.
    """

    of: str
    columns: Sequence[str | Column]
    title: LineFormat = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLayout:
    """The layout of a document's card.

    Attributes:
        parts: Its content, from top to bottom.
        empty: Format of a sentence shown if no part has any rows; empty for none.
        hints: Formats of sentences after it; left out if there are no rows.
        next: Format of the command to type next; left out if there are no rows.
        notes: Formats of sentences before it, always shown.
    """

    parts: Sequence[Facts | Lines | CardTable]
    empty: str = ""
    hints: Sequence[str] = ()
    next: str = ""
    notes: Sequence[str] = ()

    @property
    def numbers_rows(self) -> bool:
        """True if its lines are numbered, so that an earlier list's numbers become invalid even if it has no rows."""
        lines = [part for part in self.parts if isinstance(part, Lines)]
        return any(one.number is not None for line in lines for one in (line, *line.below))
