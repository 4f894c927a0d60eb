"""What inputs of tools are made of: `ToolInput`, `ConventionInput`, `Confirmed`, and types of their fields.

Models are forgiving where clients are sloppy: lists, objects, numbers and booleans may arrive as strings.
"""

from __future__ import annotations

import json
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

MAX_IDS = 10_000
MAX_TEXT = 20_000_000


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
    described: ClassVar[str] = ""
    """The description that the convention publishes inside the input schema of some tools."""


class ConventionInput(ToolInput):
    """Arguments in camelCase, as in the convention."""

    model_config = ConfigDict(alias_generator=to_camel, json_schema_extra={"convention": True})


class Confirmed(ToolInput):
    """A destructive call; `confirm` is the token that a first call without it answers with."""

    confirm: Confirm = None
