"""A document laid out as lines and tables of text for a terminal, a page or plain text. Entry: `fill_layout`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, StrictUndefined, Template
from jinja2.environment import TemplateExpression

from gaia_email.app.documents.columns import cell_text, heading, read_field
from gaia_email.app.documents.layouts.layout import (
    CardLayout,
    CardTable,
    Column,
    Facts,
    LineFormat,
    Lines,
    LineTone,
)
from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.app.documents.followups import FollowupRow
    from gaia_email.triage.learn.owner_actions import OwnerAction
    from gaia_understanding.cascade.verdict import Bucket

Fields = Mapping[str, Any]
Piece = tuple[LineTone, str]

SHORT: Final = 8
"""Number of characters of our ids that are shown; every command accepts a prefix."""

MOST_JSON: Final = 300
"""Maximum length of a JSON value in characters."""

_BLANKS = re.compile(r"\s+")
_BYTES = ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"))


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledLine:
    """A line.

    Attributes:
        pieces: Its text with tones.
        depth: Indentation level.
        number: The number of its row; None for none.
        right: Text at the right margin; if present, the line is cut to the width.
    """

    pieces: Sequence[Piece]
    depth: int = 0
    number: int | None = None
    right: Sequence[Piece] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledTable:
    """A table; without headings it is a list of labels with one value each."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]


@dataclass(slots=True, kw_only=True)
class FilledCard:
    """The complete content of a document's card.

    Attributes:
        parts: Lines and tables, from top to bottom.
        notes: Sentences before them.
        next: The command to type next; empty for none.
        hints: Sentences after them.
        rows: Account and id of the messages that numbered lines are about.
    """

    parts: list[FilledLine | FilledTable] = field(default_factory=list["FilledLine | FilledTable"])
    notes: Sequence[str] = ()
    next: str = ""
    hints: Sequence[str] = ()
    rows: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def text_lines(self) -> list[str]:
        """Return the content as lines of plain text; table cells are separated by `·`."""
        found: list[str] = []
        for part in self.parts:
            if isinstance(part, FilledTable):
                found += [" · ".join(filter(None, row)) for row in part.rows]
            else:
                found.append("  " * part.depth + "".join(text for _, text in (*part.pieces, *part.right)))
        return found


def fill_layout(layout: CardLayout, document: Fields, given: Fields | None = None) -> FilledCard:
    """Fill a layout with a document; `given` has values that are not fields, such as `source`."""
    fields: Fields = {"source": "", "given": {}, **(given or {}), **document, "it": document}
    card = FilledCard(notes=_sentences(layout.notes, fields))
    for part in layout.parts:
        match part:
            case Facts():
                _fill_facts(card, part, fields)
            case Lines():
                _fill_lines(card, part, fields, 0)
            case CardTable():
                _fill_table(card, part, fields)
    is_empty = not card.parts
    card.next = "" if is_empty else fill_format(layout.next, fields)
    card.hints = _sentences((layout.empty,) if is_empty else layout.hints, fields)
    return card


def fill_table(rows: Sequence[Fields], columns: Sequence[str | Column]) -> FilledCard:
    """Return rows as a card with one table."""
    layout = CardLayout(parts=(CardTable(of="rows", columns=columns),), empty="nothing to show.")
    return fill_layout(layout, {"rows": rows})


def _sentences(formats: Sequence[str], fields: Fields) -> list[str]:
    return [text for one in formats if (text := fill_format(one, fields))]


def _fill_facts(card: FilledCard, part: Facts, fields: Fields) -> None:
    rows = [
        (label, text)
        for row in _rows(part.of, fields)
        for label, form in part.facts
        if (text := fill_format(form, row))
    ]
    last = card.parts[-1] if card.parts else None
    if rows and isinstance(last, FilledTable) and not last.columns:
        card.parts[-1] = FilledTable(columns=(), rows=[*last.rows, *rows])
    elif rows:
        card.parts.append(FilledTable(columns=(), rows=rows))


def _fill_lines(card: FilledCard, part: Lines, fields: Fields, depth: int) -> None:
    rows = _rows(part.of, fields)
    if rows and (title := _pieces(part.title, fields)):
        card.parts.append(FilledLine(pieces=title, depth=depth))
        depth += bool(depth)
    for row in rows[: part.most]:
        pieces, number = _pieces(part.line, row), None
        if not pieces and not part.of:
            continue
        if part.number is not None:
            card.rows.append((fill_format(part.number[0], row), fill_format(part.number[1], row)))
            number = len(card.rows)
        right = _pieces(part.right, row)
        card.parts.append(FilledLine(pieces=pieces, depth=depth, number=number, right=right))
        for below in part.below:
            _fill_lines(card, below, row, depth + (1 if part.number is None else 2))


def _fill_table(card: FilledCard, part: CardTable, fields: Fields) -> None:
    rows = _rows(part.of, fields)
    columns = [one if isinstance(one, Column) else _named(one, rows) for one in part.columns]
    cells = [
        [
            fill_format(column.cell, row) if isinstance(one, Column) else cell_text(one, read_field(row, one))
            for one, column in zip(part.columns, columns, strict=True)
        ]
        for row in rows
    ]
    if not rows:
        return
    if title := _pieces(part.title, fields):
        card.parts.append(FilledLine(pieces=title))
    kept = [at for at in range(len(columns)) if any(row[at] for row in cells)]
    card.parts.append(
        FilledTable(columns=[columns[at] for at in kept], rows=[[row[at] for at in kept] for row in cells])
    )


def _named(name: str, rows: Sequence[Fields]) -> Column:
    is_number = all(isinstance(read_field(row, name), int | float) for row in rows)
    return Column(title=heading(name), cell="", is_number=is_number)


def _rows(of: str, fields: Fields) -> list[Fields]:
    """Return the rows that an expression yields, each with the fields of its parent."""
    if not of:
        return [fields]
    found: Any = expression(of)(**fields)
    return [{**fields, **(one if isinstance(one, Mapping) else {}), "it": one} for one in found or ()]


def _pieces(form: LineFormat, fields: Fields) -> list[Piece]:
    """Return the non-empty pieces of a line; none for a line without text."""
    forms: Sequence[Piece] = [("plain", form)] if isinstance(form, str) else form
    found: list[Piece] = [(tone, text) for tone, one in forms if (text := _rendered(one, fields))]
    return found if any(text.strip() for _, text in found) else []


def fill_format(form: str, fields: Fields) -> str:
    """Fill a format with these fields, without surrounding whitespace."""
    return _rendered(form, fields).strip()


def _rendered(form: str, fields: Fields) -> str:
    return compile_format(form).render(fields) if "{" in form else form


class Verbatim(str):
    """One line of text whose whitespace is preserved."""


def line_text(value: object) -> str:
    """Return a value as part of a line: text on one visible line, numbers with separators, lists with commas."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:g}"
        case Verbatim():
            return visible(value)
        case list() | tuple():
            return ", ".join(map(line_text, value))  # pyright: ignore[reportUnknownArgumentType]
        case _:
            return visible(_BLANKS.sub(" ", str(value)))


def byte_count(count: int) -> str:
    """Return a number of bytes in one unit."""
    for unit, name in _BYTES:
        if count >= unit:
            return f"{count / unit:,.1f} {name}"
    return f"{count} B"


def count_noun(count: int, one: str, several: str) -> str:
    """Return a number with its noun: `1 thread` or `2 threads`."""
    return f"{count:,} {one if count == 1 else several}"


def person_name(person: Fields) -> str:
    """Return the name of a sender, or the address."""
    return str(person["name"] or person["address"])


def person_and_address(person: Fields) -> str:
    """Return the name and address of a sender."""
    return f"{person['name']} <{person['address']}>" if person["name"] else str(person["address"])


def short_json(value: object) -> str:
    """Return a JSON value on one line, cut if it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MOST_JSON else f"{text[:MOST_JSON]}…"


def percent(share: float) -> str:
    """Return a share as a percentage."""
    return f"{share:.0%}"


def short_id(id_: str) -> str:
    """Return the visible prefix of one of our ids."""
    return id_[:SHORT]


def hours_text(hours: float) -> str:
    """Return a number of hours in one unit."""
    if hours < 1:
        return f"{max(1, round(hours * 60))} min"
    return f"{hours:.0f} h" if hours < 48 else f"{hours / 24:.0f} days"


def utc_offset(minutes: int) -> str:
    """Return a time zone as an offset from UTC: `UTC+2`, `UTC-3:30`."""
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'-' if minutes < 0 else '+'}{hours}{f':{rest:02}' if rest else ''}"


def instant_text(epoch: float) -> str:
    """Return an epoch time as local time, in a readable form."""
    return datetime.fromtimestamp(epoch).astimezone().strftime("%a %d %b %Y, %H:%M")


def bucket_words(bucket: Bucket) -> str:
    """Return the name of a bucket inside a sentence."""
    from gaia_email.app.documents.pending import BUCKET_NAMES

    return BUCKET_NAMES[bucket]


def deed_words(deed: OwnerAction | None) -> str:
    """Return the user's action on a message that taught something."""
    from gaia_email.triage.learn.owner_actions import WORDS

    return "" if deed is None else WORDS[deed]


def state_words(row: Mapping[str, Any]) -> str:
    """Return a state's sentence, and the command that helps in a terminal."""
    from gaia_email.app.documents.states import state_command, state_sentence

    return f"{state_sentence(row)} {state_command(row)}"


def moment_as(instant: str, form: str) -> str:
    """Return a time as local time, formatted by `strftime`."""
    return f"{datetime.fromisoformat(instant).astimezone():{form}}"


def local_moment(instant: str | None) -> str:
    """Return a time as local date and time; empty for None."""
    return "" if instant is None else moment_as(instant, "%Y-%m-%d %H:%M")


def followups_owed(rows: Sequence[FollowupRow], owes: str, *, is_old: bool) -> list[FollowupRow]:
    """Return the threads in which one side owes an answer: either those long overdue or the others."""
    from gaia_email.app.documents.brief_parts import is_long_overdue

    return [row for row in rows if row["owes"] == owes and is_long_overdue(row) == is_old]


def usual_answer(row: FollowupRow) -> str:
    """Return how soon the user usually answers these people."""
    from gaia_email.app.documents.brief_parts import usually

    return usually(row)


def beyond(rows: Sequence[object], most: int) -> str:
    """Return the number of rows beyond the first ones, in words; empty for none."""
    return f" and {len(rows) - most:,} more" if len(rows) > most else ""


FILTERS: Mapping[str, Callable[..., object]] = {
    "as": moment_as,
    "beyond": beyond,
    "bucket": bucket_words,
    "bytes": byte_count,
    "counted": count_noun,
    "deed": deed_words,
    "hours": hours_text,
    "instant": instant_text,
    "json": short_json,
    "lines": str.splitlines,
    "moment": local_moment,
    "offset": utc_offset,
    "owed": followups_owed,
    "percent": percent,
    "person": person_name,
    "sender": person_and_address,
    "short": short_id,
    "state": state_words,
    "usually": usual_answer,
    "verbatim": Verbatim,
}
"""Filters for formats, in addition to those of Jinja2."""


class _Formats(Environment):
    """Formats over documents: `a.b` is a key, never an attribute of the Python object."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return the field of an object."""
        if not isinstance(obj, Mapping):
            return super().getattr(obj, attribute)
        known: Fields = obj  # pyright: ignore[reportUnknownVariableType]
        return known[attribute] if attribute in known else self.undefined(obj=obj, name=attribute)


@cache
def environment() -> Environment:
    """Return the environment of all formats; a missing field is an error."""
    found = _Formats(undefined=StrictUndefined, finalize=line_text, autoescape=False)
    found.globals.clear()
    found.filters.update(FILTERS)
    return found


@cache
def compile_format(form: str) -> Template:
    """Return a format as a compiled template."""
    return environment().from_string(form)


@cache
def expression(of: str) -> TemplateExpression:
    """Return an expression, compiled."""
    return environment().compile_expression(of, undefined_to_none=False)
