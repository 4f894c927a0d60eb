"""What every tool input shares: forgiving types, base models, and how arguments are read. Entry: `read_arguments`.

Models are forgiving where clients are sloppy: lists, objects, numbers and booleans may arrive as strings, `null`
means not given, and an argument that does not exist is dropped and named.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from gaia_email_registry.errors import BadArgument

MAX_IDS = 10_000
MAX_TEXT = 20_000_000


def from_json(value: object) -> object:
    """A list or object that arrived as JSON text; everything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            parsed: object = json.loads(value)
        except (ValueError, RecursionError):
            return value
        return parsed
    return value


def as_list(value: object) -> object:
    """As `from_json`, and a text alone is a list of one."""
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


_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "ids": ("messageids", "messageid", "emailids", "emailid", "id"),
    "messageids": ("ids",),
    "messageid": ("id", "emailid"),
    "threadid": ("id",),
    "draftid": ("id",),
    "limit": ("maxresults", "pagesize"),
    "cursor": ("pagetoken",),
    "timeouts": ("timeout",),
    "start": ("timemin", "starttime"),
    "end": ("timemax", "endtime"),
    "title": ("summary", "subject"),
    "attendees": ("guests",),
    "eventid": ("id",),
}
"""Names that clients use for an argument, beside its own; all without underscores and in lower case."""

Input = TypeVar("Input", bound=ToolInput)


def read_arguments(model: type[Input], arguments: Mapping[str, object]) -> tuple[Input, list[str]]:
    """The arguments of a call as `model`, and the names of those that do not exist and were dropped.

    Raises:
        BadArgument: One is missing or wrong; it names the first.
    """
    known = {_key(field.alias or name): field.alias or name for name, field in model.model_fields.items()}
    for own, others in _SYNONYMS.items():
        if own in known:
            for other in others:
                known.setdefault(other, known[own])
    taken: dict[str, object] = {}
    dropped: list[str] = []
    for name, value in arguments.items():
        target = known.get(_key(name))
        if target is None:
            dropped.append(name[:80])
        elif value is not None and (name == target or target not in taken):
            taken[target] = value
    try:
        return model.model_validate(taken), dropped
    except ValidationError as error:
        raise _bad_argument(error) from None


def _key(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _bad_argument(error: ValidationError) -> BadArgument:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    name = ".".join(str(step) for step in first["loc"])
    if first["type"] == "missing":
        return BadArgument(f"The argument {name} is missing.", argument=name)
    return BadArgument(f"The argument {name} is wrong: {first['msg']}.", argument=name)
