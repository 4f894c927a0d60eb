"""Follow JSONPaths (RFC 9535) into the payload of a trigger. Entries: `check_path`, `values_at`.

A path can contain filters with regular expressions and can traverse everything many times, and the payload is
untrusted. So only a path of plain names and positions is followed in this process.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from gaia_email_registry.errors import BadArgument


def check_path(path: str) -> None:
    """Raise if a JSONPath is invalid.

    Raises:
        BadArgument: It does not follow RFC 9535.
    """
    _compiled(path)


def values_at(paths: Mapping[str, str], payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the first value at each path, by the names of the paths; a path without a match is left out.

    Raises:
        BadArgument: A path cannot be used on this payload, or takes too long.
    """
    from gaia_email_automations.rendering import outside_process

    found: dict[str, Any] = {}
    for name, path in paths.items():
        is_plain = _compiled(path).singular_query()
        values = first_at(path, payload) if is_plain else outside_process().first_values([path], payload)[0]
        if values:
            found[name] = values[0]
    return found


def first_at(path: str, payload: Mapping[str, Any]) -> list[Any]:
    """Return the first value at a path, in a list; an empty list if there is none. May never finish.

    Raises:
        BadArgument: The path cannot be used on this payload.
    """
    compiled = _compiled(path)
    try:
        return [match.obj for match, _ in zip(compiled.finditer(dict(payload)), range(1), strict=False)]
    except (import_module("jsonpath").JSONPathError, RecursionError):
        raise BadArgument(f"{path[:60]!r} cannot be used on this payload.", argument="inputs") from None


def _compiled(path: str) -> Any:
    jsonpath: Any = import_module("jsonpath")
    try:
        return jsonpath.JSONPathEnvironment(strict=True).compile(path)
    except (jsonpath.JSONPathError, RecursionError) as error:
        raise BadArgument(f"{path[:60]!r} is no JSONPath: {str(error)[:100]}.", argument="inputs") from None
