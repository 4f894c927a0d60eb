"""Cards of documents: each format reads fields that its document has, and what it gives is one visible line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import click
import pytest
from jinja2 import UndefinedError, meta, nodes

from gaia_email.app.documents.cards.filled_card import (
    FilledLine,
    FilledTable,
    environment,
    fill_layout,
    filled,
)
from gaia_email.app.documents.cards.layout import CardLayout, CardTable, Column, Facts, LineFormat, Lines
from gaia_email.app.documents.schemas import schema
from gaia_email.app.operations.table import OPERATIONS
from gaia_email.interfaces.cli.app import command_lines, command_named
from gaia_email.interfaces.cli.from_operation import OperationCommand

GIVEN = {"source", "given", "it"}
"""Names that a format may use besides fields."""


def _layouts() -> Iterator[tuple[str, CardLayout]]:
    for one in OPERATIONS.values():
        if one.card is not None and isinstance(one.output, str):
            yield one.output, one.card
    for command in map(command_named, command_lines()):
        below = command.commands.values() if isinstance(command, click.Group) else ()
        for made in (command, *below):
            if isinstance(made, OperationCommand) and made.view.layout is not None:
                yield made.document, made.view.layout


def _formats(form: LineFormat) -> list[str]:
    return [form] if isinstance(form, str) else [text for _, text in form]


def _of(part: Facts | Lines | CardTable) -> Iterator[str]:
    if part.of:
        yield f"{{{{ {part.of} }}}}"
    if isinstance(part, Facts):
        yield from (form for _, form in part.facts)
        return
    yield from _formats(part.title)
    if isinstance(part, CardTable):
        for one in part.columns:
            yield one.cell if isinstance(one, Column) else f"{{{{ {one} }}}}"
        return
    yield from (*_formats(part.line), *_formats(part.right), *(part.number or ()))
    for below in part.below:
        yield from _of(below)


@pytest.mark.parametrize(("document", "layout"), [pytest.param(*one, id=one[0]) for one in _layouts()])
def test_a_card_reads_only_fields_of_its_document(document: str, layout: CardLayout) -> None:
    known = set(re.findall(r'"([^"]+)": ', re.sub("'", '"', str(schema(document)))))
    for form in (
        *(form for part in layout.parts for form in _of(part)),
        *(layout.empty, layout.next, *layout.hints, *layout.notes),
    ):
        tree = environment().parse(form)
        names = meta.find_undeclared_variables(tree) - GIVEN
        read = {str(one.attr) for one in tree.find_all(nodes.Getattr)} - {"first", "last", "given"}
        assert names | read <= known, form


def _lines(part: Lines, **fields: Any) -> Sequence[str]:
    card = fill_layout(CardLayout(parts=(part,)), fields)
    return ["".join(text for _, text in one.pieces) for one in card.parts if isinstance(one, FilledLine)]


def test_text_of_others_is_one_visible_line_that_no_format_reads() -> None:
    hostile = "{{ 7 * 7 }}\x1b[2J\nnext  \u202egaia"
    (line,) = _lines(Lines(of="rows", line="{{ it }}"), rows=[hostile])
    assert line.startswith("{{ 7 * 7 }}")
    assert not set(line) & {"\x1b", "\n", "\u202e"}


def test_a_field_is_a_key_even_where_mappings_have_a_method_of_that_name() -> None:
    assert filled("{{ one.items }} {{ one.keys }}", {"one": {"items": 3, "keys": "a"}}) == "3 a"
    with pytest.raises(UndefinedError):
        filled("{{ one.values }}", {"one": {}})


def test_rows_have_the_fields_of_what_they_are_in_and_empty_ones_of_the_document_are_left_out() -> None:
    part = Lines(of="rows", line="{{ name }} of {{ account }}", below=(Lines(line="{{ why }}"),))
    told = _lines(part, account="A", why="", rows=[{"name": "a"}, {"name": "b", "why": "so"}])
    assert told == ["a of A", "b of A", "so"]


def test_numbers_truths_lists_and_nothing_read_as_people_write_them() -> None:
    fields = {"n": 1234, "yes": True, "names": ["a", "b"], "none": None}
    assert filled("{{ n }} {{ yes }} {{ names }}{{ none }}", fields) == "1,234 yes a, b"


def test_a_table_leaves_out_what_is_empty_in_each_row() -> None:
    layout = CardLayout(parts=(CardTable(of="rows", columns=("id", "error", "count")),))
    (table,) = fill_layout(layout, {"rows": [{"id": "a", "error": "", "count": 1}]}).parts
    assert isinstance(table, FilledTable)
    assert [(one.title, one.is_number) for one in table.columns] == [("id", False), ("count", True)]


def test_a_card_without_rows_says_so_and_names_no_next_command() -> None:
    layout = CardLayout(
        parts=(Lines(of="rows", line="{{ it }}"),), empty="nothing.", next="gaia email x", hints=("more",)
    )
    empty, full = (fill_layout(layout, {"rows": rows}) for rows in ([], ["a"]))
    assert (empty.hints, empty.next) == (["nothing."], "")
    assert (full.hints, full.next) == (["more"], "gaia email x")
