"""Any document as a terminal card, arranged by its layout. Entries: `print_layout`, `print_table`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from gaia_email.app.documents.layouts.filled_card import (
    FilledCard,
    FilledLine,
    FilledTable,
    Piece,
    fill_layout,
    fill_table,
)
from gaia_email.interfaces.cli.output import console, note, whole_commands
from gaia_email.interfaces.cli.typed_command import make_runnable

if TYPE_CHECKING:
    from rich.console import Console

    from gaia_email.app.documents.layouts.layout import CardLayout, LineTone

STYLES: Final[Mapping[LineTone, str]] = {
    "plain": "default",
    "strong": "bold",
    "quiet": "dim",
    "good": "green",
    "warn": "yellow",
    "bad": "bold red",
}
WIDEST: Final = 110
"""Maximum cells of a line; longer lines are cut or wrapped."""

COMMAND: Final = "gaia email"

LABEL: Final = 12
"""Minimum cells for the labels of facts."""

WRAPPED: Final = 6
"""Minimum cells for a column that wraps."""

LEAST: Final = 10
"""Minimum cells for the left part of a line that also has a right part."""


def print_layout(
    layout: CardLayout,
    document: Mapping[str, Any],
    given: Mapping[str, Any],
    number_rows: Callable[[Sequence[tuple[str, str]]], bool],
) -> None:
    """Print a document by its layout; `number_rows` is that of an `OperationAnswer`."""
    card = fill_layout(layout, document, given)
    is_numbered = layout.numbers_rows and number_rows(card.rows)
    print_filled(card, is_numbered=is_numbered)


def print_table(rows: Sequence[Mapping[str, object]], columns: Sequence[str]) -> None:
    """Print rows under their columns, with numbers right-aligned."""
    print_filled(fill_table(rows, columns))


def print_filled(card: FilledCard, *, is_numbered: bool = False) -> None:
    """Print a card; its notes go to standard error."""
    for said in card.notes:
        note(said)
    out = console()
    for at, part in enumerate(card.parts):
        before = card.parts[at - 1] if at else None
        if isinstance(before, FilledTable) and before.columns:
            out.print()
        if isinstance(part, FilledLine):
            _print_line(out, part, is_numbered=is_numbered)
        elif part.columns:
            _print_table(out, part)
        else:
            _print_facts(out, part)
    if card.next:
        out.print(
            Text("").append("\nnext  ", style="dim").append(make_runnable(card.next), style="bold"),
            soft_wrap=True,
        )
    for said in card.hints:
        note(said)


def _print_line(out: Console, line: FilledLine, *, is_numbered: bool) -> None:
    margin = "  " * line.depth
    if line.number is not None:
        margin = f"{line.number:>3} " if is_numbered else "  "
    said, width = _text(line.pieces), min(out.width, WIDEST)
    text = Text("").append(margin, style="dim").append_text(said)
    if not line.right:
        for part in _wrapped(out, said, width - len(margin)):
            out.print(Text("").append(margin, style="dim").append_text(part), soft_wrap=True)
            margin = " " * len(margin)
        return
    right = _text(line.right)
    text.truncate(max(LEAST, width - right.cell_len - 2), overflow="ellipsis", pad=True)
    out.print(text.append("  ").append_text(right), no_wrap=True, overflow="ignore", crop=False)


def _wrapped(out: Console, text: Text, width: int) -> Sequence[Text]:
    """Wrap a text at spaces; keep it whole if it has a command or another long word, which may be copied."""
    longest = max(map(cell_len, text.plain.split()), default=0)
    if COMMAND in text.plain or longest > width or text.cell_len <= width:
        return [text]
    return list(text.wrap(out, width))


def _text(pieces: Sequence[Piece]) -> Text:
    return Text("").join(Text(make_runnable(text), style=STYLES[tone]) for tone, text in pieces)


def _print_facts(out: Console, facts: FilledTable) -> None:
    labels = max(LABEL, *(len(label) for label, _ in facts.rows))
    said = ""
    for label, value in facts.rows:
        room = max(LEAST, min(out.width, WIDEST) - labels - 2)
        for part in whole_commands(make_runnable(value), room).split("\n"):
            margin = Text("").append(f"{'' if label == said else label:>{labels}}  ", style="dim")
            out.print(margin.append(part, style="default"), soft_wrap=True)
            said = label


def _print_table(out: Console, found: FilledTable) -> None:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for at, column in enumerate(found.columns):
        longest = max(cell_len(text) for text in (column.title, *(row[at] for row in found.rows)))
        table.add_column(
            column.title,
            justify="right" if column.is_number else "left",
            min_width=min(longest, WRAPPED) if column.wraps else longest,
            overflow="fold",
            no_wrap=not column.wraps,
        )
    for row in found.rows:
        table.add_row(*map(Text, row))
    out.print(table)
