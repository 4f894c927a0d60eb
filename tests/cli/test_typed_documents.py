"""The schema of a document is made from its type."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

import jsonschema
import pytest

from gaia_email.app.documents.typed import (
    Count,
    FromAddress,
    Limits,
    ObjectKeys,
    OneOf,
    Ratio,
    Version,
    schema_of,
)


class Row(FromAddress):
    """A row with one key of each kind."""

    id: str
    size: Count
    kind: Annotated[str, OneOf(("a", "b"))]
    state: Literal["open", "closed"]
    shares: Annotated[dict[str, Ratio], ObjectKeys(("x", "y"))]
    counts: dict[Literal["one", "two"], Count]
    when: Annotated[str, Limits(format="date-time")] | None


class Document(TypedDict):
    """A document of rows."""

    schema_version: Version
    rows: list[Row]


GOOD: dict[str, object] = {
    "id": "1",
    "from": {"name": "Ann", "address": "ann@example.org"},
    "size": 0,
    "kind": "a",
    "state": "open",
    "shares": {"x": 0.5, "y": 1},
    "counts": {"one": 2},
    "when": None,
}


def test_a_document_as_its_type_says_is_valid() -> None:
    jsonschema.validate({"schema_version": 1, "rows": [GOOD]}, schema_of(Document))


@pytest.mark.parametrize(
    "wrong",
    [
        {"more": 1},
        {"size": -1},
        {"size": 1.5},
        {"kind": "c"},
        {"state": "ajar"},
        {"shares": {"x": 0.5}},
        {"shares": {"x": 0.5, "y": 2}},
        {"counts": {"three": 1}},
        {"counts": {"one": -1}},
        {"when": 5},
        {"from": {"name": "Ann"}},
    ],
)
def test_anything_else_is_not(wrong: dict[str, object]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"schema_version": 1, "rows": [{**GOOD, **wrong}]}, schema_of(Document))


@pytest.mark.parametrize("name", sorted(GOOD))
def test_no_key_may_be_missing(name: str) -> None:
    row = {key: value for key, value in GOOD.items() if key != name}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"schema_version": 1, "rows": [row]}, schema_of(Document))


def test_another_version_is_another_document() -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"schema_version": 2, "rows": []}, schema_of(Document))


def test_a_type_that_no_document_uses_is_refused() -> None:
    with pytest.raises(TypeError, match="no document holds"):
        schema_of(bytes)
