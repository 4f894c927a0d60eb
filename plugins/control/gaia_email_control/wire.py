"""A record of the protocol on the wire: JSON in camelCase, unknown fields kept. Entry point: `WireRecord`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Final, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, PlainValidator, ValidationError, WithJsonSchema
from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails, PydanticCustomError

from gaia_email_registry.errors import BadArgument

MOST_LEVELS: Final = 64
"""Maximum nesting depth of objects and lists in a record, including the record itself."""

MOST_TOLD: Final = 5
"""Maximum number of errors of a record that are reported at once."""

LATEST_MS: Final = 8.64e15
"""The largest time of a JavaScript `Date`, before and after 1970."""


def _milliseconds(value: object) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LATEST_MS:
        raise PydanticCustomError("milliseconds", "Input should be a number of milliseconds since 1970")
    return value


ScoutId: TypeAlias = str
Milliseconds: TypeAlias = Annotated[
    int | float,
    PlainValidator(_milliseconds),
    WithJsonSchema({"type": "number", "minimum": -LATEST_MS, "maximum": LATEST_MS}),
]
"""Milliseconds since 1970-01-01T00:00:00Z."""
WireMetadata: TypeAlias = dict[str, object]


class WireRecord(BaseModel):
    """A record with the protocol's field names on the wire and Python's names here.

    A null field counts as absent, an unknown one is kept, and a parsed record is written unchanged. Nothing is
    converted: a number in quotes is not a number.
    """

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_alias=True,
        validate_by_name=True,
        extra="allow",
        frozen=True,
        strict=True,
        allow_inf_nan=False,
        hide_input_in_errors=True,
    )

    @classmethod
    def of(cls, **fields: object) -> Self:
        """Create a record by Python's field names; fields that are None are left out.

        Raises:
            ValidationError: A field is missing or invalid.
        """
        return cls.model_validate({name: value for name, value in fields.items() if value is not None})

    @classmethod
    def from_wire(cls, value: object) -> Self:
        """Parse a record from a JSON value.

        Raises:
            BadArgument: It is invalid; the message names the fields and never repeats their values.
        """
        check_depth(value)
        try:
            return cls.model_validate(value, by_alias=True, by_name=False)
        except ValidationError as error:
            raise refuse_record(cls.__name__, error) from None

    def to_wire(self) -> dict[str, object]:
        """Return the record as a JSON object, without fields that were not given."""
        return self.model_dump(by_alias=True, exclude_unset=True)


def check_depth(value: object) -> None:
    """Refuse a value that is nested so deeply that writing it could fail.

    Raises:
        BadArgument: It is nested too deeply.
    """
    level: list[object] = [value]
    for _ in range(MOST_LEVELS):
        level = [inner for one in level for inner in _inside(one) if isinstance(inner, Mapping | list)]
        if not level:
            return
    raise BadArgument(f"A record is nested at most {MOST_LEVELS} levels deep; write it flatter.")


def refuse_record(what: str, error: ValidationError) -> BadArgument:
    """Return the errors of an invalid record, field by field, without the fields' values."""
    found = error.errors(include_input=False, include_url=False)
    told = "; ".join(f"{_path(one['loc'])}: {_reason(one)}" for one in found[:MOST_TOLD])
    more = f"; and {len(found) - MOST_TOLD} more" if len(found) > MOST_TOLD else ""
    return BadArgument(f"{what} is not valid: {told}{more}")


def _path(location: Iterable[int | str]) -> str:
    return ".".join(str(step)[:40] for step in location) or "the value"


def _reason(found: ErrorDetails) -> str:
    match found["type"]:
        case "union_tag_invalid":
            return f"kind should be one of {found.get('ctx', {}).get('expected_tags')}"
        case "union_tag_not_found":
            return "kind: Field required"
        case "model_type" | "model_attributes_type":
            return "Input should be an object"
        case _:
            return found["msg"]


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, Mapping):
        return list[object](value.values())  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    return list[object](value) if isinstance(value, list) else ()  # pyright: ignore[reportUnknownArgumentType]
