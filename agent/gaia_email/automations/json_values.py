"""JSON values by kind, and regular expressions that take linear time. Entries: `is_object`, `is_list`, `linear`."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any, TypeGuard

from gaia_email_registry.errors import BadArgument

MOST_PATTERN_BYTES = 1 << 20
"""Memory that a compiled expression may take."""


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether it is a JSON object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether it is a JSON list."""
    return isinstance(value, list)


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
