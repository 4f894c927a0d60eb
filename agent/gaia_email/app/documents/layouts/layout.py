"""How a document is shown as a card: facts, lines and tables of its fields. Entry: `CardLayout`.

A format is text with Jinja2 expressions over the fields of the document or row, such as `{{ name }} · {{ state }}`.
What a format gives is one line in which untrusted text is visible. Rows are a Jinja2 expression: most are the name of a
field. Inside a row, `it` is the row itself, and fields that it lacks are those of what it is in. `filled_card` has the
filters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

LineTone = Literal["plain", "strong", "quiet", "good", "warn", "bad"]
"""How a piece of a line stands out."""

LineFormat = str | Sequence[tuple[LineTone, str]]
"""A format, or several in a row with a tone each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Labels with a value each; a fact without a value is left out.

    Attributes:
        facts: Label and format of each.
        of: Rows, for each of which they are shown; empty for the document itself.
    """

    facts: Sequence[tuple[str, str]]
    of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """A line for each row, with what belongs to the row below it, indented.

    Attributes:
        line: Format of the line.
        of: The rows; empty for the document itself, whose line is left out if it is empty.
        title: Format of a line above the rows; left out where there is none of them. Rows in a row stand below it.
        below: Lines of the fields of the row.
        most: Rows that are shown; None for all.
        number: Formats of account and id of the message that a row is about. The rows are numbered, and the next
            command takes the number for the id.
        right: Format of what stands at the right margin. A line that has such a piece is cut to the width.
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
        is_number: Whether its cells stand to the right.
        wraps: Whether its cells wrap in a narrow terminal.
    """

    title: str
    cell: str
    is_number: bool = False
    wraps: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTable:
    """A table of rows; a column that is empty in each of them is left out.

    Attributes:
        of: The rows.
        columns: The columns; a name stands for the field of that name.
        title: Format of a line above the table.
    """

    of: str
    columns: Sequence[str | Column]
    title: LineFormat = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLayout:
    """How a document is shown as a card.

    Attributes:
        parts: What it shows, from top to bottom.
        empty: Format of a sentence for a document of which no part shows a row; empty for none.
        hints: Formats of sentences after it; left out together with the rows.
        next: Format of the command to type next; left out together with the rows.
        notes: Formats of sentences before it, in any case.
    """

    parts: Sequence[Facts | Lines | CardTable]
    empty: str = ""
    hints: Sequence[str] = ()
    next: str = ""
    notes: Sequence[str] = ()
