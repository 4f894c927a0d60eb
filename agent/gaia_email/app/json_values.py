"""Kinds and places of JSON values, and regular expressions in linear time. Entries: `kind_of`, `linear`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib import import_module
from typing import Any, Literal, TypeGuard

from gaia_email_registry.errors import BadArgument

MOST_PATTERN_BYTES = 1 << 20
"""Maximum memory for a compiled expression, in bytes."""


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Return True if the value is a JSON object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Return True if the value is a JSON list."""
    return isinstance(value, list)


def kind_of(value: object) -> Literal["boolean", "number", "string", "list", "object", "null"]:
    """Return the kind of a value; unlike in Python, a boolean is not a number. Integers and floats are one kind."""
    match value:
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case list():
            return "list"
        case dict():
            return "object"
        case _:
            return "null"


def pointer_of(steps: Iterable[object]) -> str:
    """Return the JSON Pointer (RFC 6901) for a path of names and numbers."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def steps_of(pointer: str) -> list[str]:
    """Return the names and numbers of a JSON Pointer."""
    return [name.replace("~1", "/").replace("~0", "~") for name in pointer.split("/")[1:]]


def is_deeper(value: object, most: int) -> bool:
    """Return True if objects and lists of a JSON value are nested deeper than `most`."""
    level = [value]
    for _ in range(most + 1):
        level = [
            part
            for one in level
            for part in (one.values() if is_object(one) else one if is_list(one) else ())
            if is_object(part) or is_list(part)
        ]
        if not level:
            return False
    return True


def flat_texts(value: object) -> list[str]:
    """Return every value in a JSON value that is neither an object nor a list, as text."""
    if is_object(value):
        return [text for one in value.values() for text in flat_texts(one)]
    if is_list(value):
        return [text for one in value for text in flat_texts(one)]
    return [] if value is None else [str(value)]


@lru_cache(maxsize=1024)
def linear(pattern: str) -> Callable[[str], bool]:
    """Compile an RE2 expression; the result returns True if a text matches, in linear time.

    Raises:
        BadArgument: The expression is invalid or too large.
    """
    re2: Any = import_module("re2")
    options: Any = re2.Options()
    options.max_mem = MOST_PATTERN_BYTES
    options.log_errors = False
    try:
        compiled: Any = re2.compile(pattern, options=options)
    except re2.error:
        raise BadArgument(
            f"{pattern[:60]!r} is no regular expression of RE2 (no look-around, no back-references)."
        ) from None
    return lambda text: compiled.search(text) is not None
