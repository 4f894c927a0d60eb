"""JSON values by kind and place, and regular expressions that take linear time. Entries: `kind_of`, `linear`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib import import_module
from typing import Any, Literal, TypeGuard

from gaia_email_registry.errors import BadArgument

MOST_PATTERN_BYTES = 1 << 20
"""Memory that a compiled expression may take."""


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether it is a JSON object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether it is a JSON list."""
    return isinstance(value, list)


def kind_of(value: object) -> Literal["boolean", "number", "string", "list", "object", "null"]:
    """Of which kind a value is; a truth is no number, and a number is of one kind, whether whole or not."""
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
    """The JSON Pointer (RFC 6901) of a path of names and numbers."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def steps_of(pointer: str) -> list[str]:
    """The names and numbers of a JSON Pointer."""
    return [name.replace("~1", "/").replace("~0", "~") for name in pointer.split("/")[1:]]


def is_deeper(value: object, most: int) -> bool:
    """True if objects and lists of a JSON value lie deeper in one another than that."""
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
    """Every value that stands in a JSON value and is neither an object nor a list, as text."""
    if is_object(value):
        return [text for one in value.values() for text in flat_texts(one)]
    if is_list(value):
        return [text for one in value for text in flat_texts(one)]
    return [] if value is None else [str(value)]


@lru_cache(maxsize=1024)
def linear(pattern: str) -> Callable[[str], bool]:
    """Whether a text holds what a regular expression of RE2 says, in time linear in the text.

    Raises:
        BadArgument: It is none, or too large.
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
