"""Cards of documents: each format reads fields that its document has, and what it gives is one visible line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import click
import pytest
from jinja2 import UndefinedError, meta, nodes

from gaia_email.app.documents.layouts.filled_card import (
    FilledLine,
    FilledTable,
    environment,
    fill_format,
    fill_layout,
)
from gaia_email.app.documents.layouts.layout import CardLayout, CardTable, Column, Facts, LineFormat, Lines
from gaia_email.app.operations.operation import Operation, inline_references
from gaia_email.app.operations.table import OPERATIONS
from gaia_email.interfaces.cli.app import command_lines, command_named
from gaia_email.interfaces.cli.from_operation import OperationCommand
from tests.tables import failing

GIVEN = {"source", "given", "it"}
"""Names that a format may use besides fields."""

MOMENT = "2026-11-18T09:00:00Z"
OF_SCHEMAS = {"enum", "properties", "required", "title"}
"""Names in JSON Schemas, which some documents hold."""


def _with_questions(document: dict[str, Any]) -> dict[str, Any]:
    asked = {name: {"title": "Which?", "enum": ["x"]} for name in document["missing"]}
    return {**document, "questions": {"properties": asked}}


def _with_a_flight(document: dict[str, Any]) -> dict[str, Any]:
    one: dict[str, Any] = {
        **dict.fromkeys(("id", "requester", "summary", "error"), "a"),
        "state": "waiting",
        "output": "a\n  b",
        "started_at": None,
    }
    return {**document, "flights": document["flights"] or [one]}


SCHEMAS_INSIDE: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "automation-draft": _with_questions,
    "control-flights": _with_a_flight,
}
"""Documents of whose form the schema does not say all."""


def _layouts() -> Iterator[tuple[Operation[Any], CardLayout]]:
    yield from ((one, one.card) for one in OPERATIONS.values() if one.card is not None)
    for command in map(command_named, command_lines()):
        below = command.commands.values() if isinstance(command, click.Group) else ()
        for made in (command, *below):
            if isinstance(made, OperationCommand) and made.view.layout is not None:
                yield made.operation, made.view.layout


LAYOUTS = list(_layouts())


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


def test_a_card_reads_only_fields_of_its_document() -> None:
    assert not failing(LAYOUTS, reads_only_its_fields)


def reads_only_its_fields(one: Operation[Any], layout: CardLayout) -> None:
    known = set(re.findall(r'"([^"]+)": ', re.sub("'", '"', str(one.output_schema()))))
    for form in (
        *(form for part in layout.parts for form in _of(part)),
        *(layout.empty, layout.next, *layout.hints, *layout.notes),
    ):
        tree = environment().parse(form)
        names = meta.find_undeclared_variables(tree) - GIVEN
        read = (
            {str(node.attr) for node in tree.find_all(nodes.Getattr)}
            - {"first", "last", "verbose"}
            - OF_SCHEMAS
        )
        assert names | read <= known, form


def _example(part: Mapping[str, Any], size: int) -> Any:
    """A value of a JSON Schema whose lists have `size` elements; with 0, all that may be null is."""
    kinds = part.get("anyOf") or part.get("oneOf") or ()
    if kinds:
        fitting = [one for one in kinds if (one.get("type") == "null") == (size == 0)]
        return _example((fitting or kinds)[0], size)
    if "enum" in part or "const" in part:
        return part["enum"][0] if "enum" in part else part["const"]
    kind = part.get("type")
    match kind if isinstance(kind, str) else (kind or ["object"])[0]:
        case "string":
            return MOMENT if part.get("format") == "date-time" else "a\x1bb"
        case "integer":
            return size
        case "number":
            return size / 2
        case "boolean":
            return bool(size)
        case "array":
            return [_example(part.get("items") or {"type": "string"}, size)] * size
        case "null":
            return None
        case _:
            properties: Mapping[str, Any] = part.get("properties", {})
            more: Mapping[str, Any] = part.get("additionalProperties") or {}
            found = {
                name: MOMENT
                if size and name.endswith("_at") and "string" in str(one)
                else _example(one, size)
                for name, one in properties.items()
            }
            if not properties and more and size:
                found["a"] = _example(more, size)
            return found


def test_a_card_shows_any_document_of_its_form() -> None:
    assert not failing(((*row, size) for row in LAYOUTS for size in (0, 1, 2)), shows_any_document)


def shows_any_document(one: Operation[Any], layout: CardLayout, size: int) -> None:
    example = _example(inline_references(one.output_schema()), size)
    card = fill_layout(layout, SCHEMAS_INSIDE.get(str(one.output), dict)(example))
    told = [*card.text_lines(), *card.hints, *card.notes]
    assert told or not size
    assert not [line for line in told if "\x1b" in line or "\n" in line]


def _lines(part: Lines, **fields: Any) -> Sequence[str]:
    card = fill_layout(CardLayout(parts=(part,)), fields)
    return ["".join(text for _, text in one.pieces) for one in card.parts if isinstance(one, FilledLine)]


def test_text_of_others_is_one_visible_line_that_no_format_reads() -> None:
    hostile = "{{ 7 * 7 }}\x1b[2J\nnext  \u202egaia"
    (line,) = _lines(Lines(of="rows", line="{{ it }}"), rows=[hostile])
    assert line.startswith("{{ 7 * 7 }}")
    assert not set(line) & {"\x1b", "\n", "\u202e"}


def test_a_field_is_a_key_even_where_mappings_have_a_method_of_that_name() -> None:
    assert fill_format("{{ one.items }} {{ one.keys }}", {"one": {"items": 3, "keys": "a"}}) == "3 a"
    with pytest.raises(UndefinedError):
        fill_format("{{ one.values }}", {"one": {}})


def test_rows_have_the_fields_of_what_they_are_in_and_empty_ones_of_the_document_are_left_out() -> None:
    part = Lines(of="rows", line="{{ name }} of {{ account }}", below=(Lines(line="{{ why }}"),))
    told = _lines(part, account="A", why="", rows=[{"name": "a"}, {"name": "b", "why": "so"}])
    assert told == ["a of A", "b of A", "so"]


def test_numbers_truths_lists_and_nothing_read_as_people_write_them() -> None:
    fields = {"n": 1234, "yes": True, "names": ["a", "b"], "none": None}
    assert fill_format("{{ n }} {{ yes }} {{ names }}{{ none }}", fields) == "1,234 yes a, b"


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
