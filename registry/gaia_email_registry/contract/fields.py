"""Building blocks of tool inputs: `ToolInput`, `ConventionInput`, `Confirmed`, and field types.

Models tolerate sloppy clients: lists, objects, numbers and booleans may arrive as strings, and an optional argument may
arrive empty or as the word null (`without_blanks`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Annotated, ClassVar, Literal, cast, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

MAX_IDS = 10_000
MAX_TEXT = 20_000_000


_NO_VALUE = frozenset({"null", "None", "undefined"})
"""Spellings of a missing value by clients and models; in other spellings they are ordinary words."""


def is_blank(value: object, *, empty_counts: bool = False) -> bool:
    """Return True if a value means that the argument is not given.

    Args:
        value: As sent by the client.
        empty_counts: True if an empty text or list has a meaning, such as clearing a field.
    """
    if isinstance(value, str):
        text = value.strip()
        return text in _NO_VALUE or not (text or empty_counts)
    if isinstance(value, list):
        items = cast(list[object], value)
        nothing = [item for item in items if _says_nothing(item)]
        return len(nothing) == len(items) and (not empty_counts or any(nothing))
    return value is None


def _says_nothing(item: object) -> bool:
    """Return True for a blank list item; `None` is not blank there, because a label may have that name."""
    return item is None or (isinstance(item, str) and item.strip() in ("", "null", "undefined"))


def without_blanks(
    arguments: Mapping[str, object],
    *,
    optional: Mapping[str, bool],
    empty_counts: frozenset[str] = frozenset(),
) -> dict[str, object]:
    """Return the arguments without blank ones.

    Args:
        arguments: As sent by the client.
        optional: Optional arguments, with True for lists; others are left unchanged.
        empty_counts: Arguments for which an empty value has a meaning.
    """
    kept: dict[str, object] = {}
    for name, value in arguments.items():
        if name in optional:
            parsed = from_json(value) if optional[name] else value
            if is_blank(parsed, empty_counts=name in empty_counts):
                continue
            if isinstance(parsed, list):
                value = [item for item in cast(list[object], parsed) if not _says_nothing(item)]
        kept[name] = value
    return kept


def from_json(value: object) -> object:
    """Parse a list or object that arrived as JSON text; return any other value unchanged."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            parsed: object = json.loads(value)
        except (ValueError, RecursionError):
            return value
        return parsed
    return value


def as_list(value: object) -> object:
    """Parse a list from JSON (`from_json`); a plain text becomes a list of one."""
    parsed = from_json(value)
    if isinstance(parsed, str):
        return [parsed] if parsed.strip() else []
    return parsed


ShortText = Annotated[str, Field(max_length=10_000)]
LongText = Annotated[str, Field(max_length=MAX_TEXT)]
Id = Annotated[str, Field(min_length=1, max_length=2_000)]
Texts = Annotated[list[ShortText], BeforeValidator(as_list), Field(max_length=MAX_IDS)]
Ids = Annotated[list[Id], BeforeValidator(as_list), Field(min_length=1, max_length=MAX_IDS)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Format = Literal["summary", "full", "raw"]
Confirm = Annotated[str | None, Field(max_length=200)]


class ToolInput(BaseModel):
    """Base class of all tool inputs."""

    model_config = ConfigDict(extra="ignore", defer_build=True, frozen=True)
    empty_counts: ClassVar[frozenset[str]] = frozenset()
    """Optional arguments for which an empty value has a meaning, such as clearing a field."""

    @model_validator(mode="before")
    @classmethod
    def _without_blanks(cls, data: object) -> object:
        if not isinstance(data, dict):
            return data
        given = cast(dict[str, object], data)
        return without_blanks(given, optional=_optional(cls), empty_counts=cls.empty_counts)


class ConventionInput(ToolInput):
    """Input with arguments in camelCase, as in the convention."""

    model_config = ConfigDict(alias_generator=to_camel, json_schema_extra={"convention": True})


class Confirmed(ToolInput):
    """Input of a destructive call; `confirm` is the token returned by a first call without it."""

    confirm: Confirm = None


@cache
def _optional(model: type[ToolInput]) -> Mapping[str, bool]:
    return {
        field.alias or name: _takes_list(field.annotation)
        for name, field in model.model_fields.items()
        if not field.is_required()
    }


def _takes_list(annotation: object) -> bool:
    return get_origin(annotation) is list or any(map(_takes_list, get_args(annotation)))
