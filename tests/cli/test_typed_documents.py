"""The schema of a document is made from its type."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

import jsonschema
import pytest

from gaia_email.document import (
    Count,
    Document,
    FromAddress,
    Limits,
    ObjectKeys,
    OneOf,
    Ratio,
    Timestamp,
    Version,
    answer_of,
    answer_schema,
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


class Listing(TypedDict):
    """A document of rows."""

    schema_version: Version
    rows: list[Row]


class Author(Document, frozen=True, kw_only=True):
    """Somebody, as a row of a document."""

    name: str
    first: Timestamp | None = None


class Letters(Document, frozen=True, kw_only=True):
    """A document whose type is that of the domain."""

    from_: Author
    size: Count
    words: tuple[str, ...] = ()


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
    jsonschema.validate({"schema_version": 1, "rows": [GOOD]}, schema_of(Listing))


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
        jsonschema.validate({"schema_version": 1, "rows": [{**GOOD, **wrong}]}, schema_of(Listing))


@pytest.mark.parametrize("name", sorted(GOOD))
def test_no_key_may_be_missing(name: str) -> None:
    row = {key: value for key, value in GOOD.items() if key != name}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"schema_version": 1, "rows": [row]}, schema_of(Listing))


def test_another_version_is_another_document() -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"schema_version": 2, "rows": []}, schema_of(Listing))


def test_a_type_that_no_document_uses_is_refused() -> None:
    with pytest.raises(TypeError, match="no document holds"):
        schema_of(bytes)


def test_a_domain_type_is_its_own_document() -> None:
    found = Letters(from_=Author(name="Ann", first=Timestamp(0.6)), size=2, words=("a", "b\ud800"))

    answer = answer_of(found)

    assert answer == {
        "schema_version": 1,
        "from": {"name": "Ann", "first": "1970-01-01T00:00:00Z"},
        "size": 2,
        "words": ["a", "b\N{REPLACEMENT CHARACTER}"],
    }
    assert list(answer) == ["schema_version", "from", "size", "words"]
    jsonschema.validate(answer, answer_schema(Letters))


@pytest.mark.parametrize(
    "wrong", [{"size": -1}, {"more": 1}, {"from": {"name": "Ann"}}, {"schema_version": 2}]
)
def test_no_other_answer_fits_a_domain_type(wrong: dict[str, object]) -> None:
    answer = answer_of(Letters(from_=Author(name="Ann"), size=0))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**answer, **wrong}, answer_schema(Letters))
