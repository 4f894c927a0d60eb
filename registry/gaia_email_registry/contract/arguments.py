"""Parses the arguments of a call into a tool's model. Entry: `read_arguments`.

`null` means not given, as do the values of `fields.is_blank`; an unknown argument is dropped and reported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeVar

from pydantic import ValidationError

from gaia_email_registry.contract.fields import ToolInput, is_blank
from gaia_email_registry.errors import BadArgument

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
"""Alternative names that clients use for an argument; all lower case, without underscores."""

_NAMED = 20
"""Unknown arguments that are compared with a missing one."""

Input = TypeVar("Input", bound=ToolInput)


def read_arguments(model: type[Input], arguments: Mapping[str, object]) -> tuple[Input, list[str]]:
    """Parse the arguments of a call as `model`; also return the names of dropped, unknown arguments.

    Raises:
        BadArgument: An argument is missing or wrong; the error names the first.
    """
    known = _known(model)
    taken: dict[str, object] = {}
    dropped: list[str] = []
    for name, value in arguments.items():
        target = known.get(_key(name))
        if target is None:
            dropped.append(name[:80])
        elif value is None:
            continue
        elif target not in taken or is_blank(taken[target]) or (name == target and not is_blank(value)):
            taken[target] = value
    try:
        return model.model_validate(taken), dropped
    except ValidationError as error:
        raise _bad_argument(error, dropped) from None


@cache
def _known(model: type[ToolInput]) -> Mapping[str, str]:
    """Return the arguments of a model by all their names, in the form of `_key`."""
    known = {_key(field.alias or name): field.alias or name for name, field in model.model_fields.items()}
    for own, others in _SYNONYMS.items():
        if own in known:
            for other in others:
                known.setdefault(other, known[own])
    return known


def _key(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _bad_argument(error: ValidationError, dropped: Sequence[str]) -> BadArgument:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    name = ".".join(str(step) for step in first["loc"])
    if first["type"] == "missing":
        from difflib import get_close_matches

        near = get_close_matches(name, dropped[:_NAMED], n=1)
        meant = f"; there is none called {near[0]}" if near else ""
        return BadArgument(f"The argument {name} is missing{meant}.", argument=name)
    return BadArgument(f"The argument {name} is wrong: {first['msg']}.", argument=name)
