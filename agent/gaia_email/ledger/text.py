"""Text that the database can store, and canonical JSON: `storable`, `to_json`, `from_json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""A JSON value."""


def storable(text: str) -> str:
    """Replace characters that a database rejects: NUL and lone surrogates become U+FFFD."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def storable_or_none(text: str | None) -> str | None:
    """Return the storable text, or None for None."""
    return None if text is None else storable(text)


# Created once: `json.dumps` with these options creates an encoder per call, which costs more than encoding.
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def to_json(value: object) -> str:
    """Return canonical JSON: sorted keys, no spaces, ASCII; equal values give equal text.

    Raises:
        TypeError: The value cannot be expressed in JSON.
        ValueError: A number is not finite.
    """
    return _encode(value)


# As for `_encode`: `json.loads` skips spaces before and after, which doubles the cost for a short text.
_decode = json.JSONDecoder().raw_decode


def from_json(text: str) -> dict[str, Json]:
    """Return the object that `to_json` wrote; empty if the text is JSON but not an object.

    Raises:
        ValueError: The text is not JSON.
    """
    value: object
    value, end = _decode(text)
    if end != len(text):
        raise ValueError("there is something after the JSON")
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def object_or_none(text: str | None) -> dict[str, Json] | None:
    """Return the object in a JSON text, or None for None."""
    return None if text is None else from_json(text)


def json_or_none(value: Mapping[str, object] | None) -> str | None:
    """Return the JSON of a value, or None for None."""
    return None if value is None else to_json(value)
