"""What inputs of tools are made of: `ToolInput`, `ConventionInput`, `Confirmed`, and types of their fields.

Models are forgiving where clients are sloppy: lists, objects, numbers and booleans may arrive as strings, and an
optional argument may arrive empty or as the word null (`without_blanks`).
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
"""How clients and models write that they give nothing; in other spellings they are ordinary words."""


def is_blank(value: object, *, empty_counts: bool = False) -> bool:
    """Return True if a value stands for an argument that is not given.

    Args:
        value: As a client sent it.
        empty_counts: True if an empty text or list says something, such as that a field is to be emptied.
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
    """True of an item of a list; `None` is no such word there, because a label may be called that."""
    return item is None or (isinstance(item, str) and item.strip() in ("", "null", "undefined"))


def without_blanks(
    arguments: Mapping[str, object],
    *,
    optional: Mapping[str, bool],
    empty_counts: frozenset[str] = frozenset(),
) -> dict[str, object]:
    """Return the arguments without those that stand for nothing.

    Args:
        arguments: As a client sent them.
        optional: The arguments that may be left out, and whether each is a list; no other is touched.
        empty_counts: Those of which an empty value says something.
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
    """A list or object that arrived as JSON text; anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            parsed: object = json.loads(value)
        except (ValueError, RecursionError):
            return value
        return parsed
    return value


def as_list(value: object) -> object:
    """A list from JSON (`from_json`); a text alone is a list of one."""
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
    """What every tool input has in common."""

    model_config = ConfigDict(extra="ignore", defer_build=True, frozen=True)
    empty_counts: ClassVar[frozenset[str]] = frozenset()
    """Optional arguments of which an empty value says something, such as that a field is to be emptied."""

    @model_validator(mode="before")
    @classmethod
    def _without_blanks(cls, data: object) -> object:
        if not isinstance(data, dict):
            return data
        given = cast(dict[str, object], data)
        return without_blanks(given, optional=_optional(cls), empty_counts=cls.empty_counts)


class ConventionInput(ToolInput):
    """Arguments in camelCase, as in the convention."""

    model_config = ConfigDict(alias_generator=to_camel, json_schema_extra={"convention": True})


class Confirmed(ToolInput):
    """A destructive call; `confirm` is the token that a first call without it answers with."""

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
