"""Text as the database can hold it, and JSON in one canonical form: `storable`, `to_json`, `from_json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""What JSON can say."""


def storable(text: str) -> str:
    """The text without what a database refuses: NUL and lone surrogates become U+FFFD."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def storable_or_none(text: str | None) -> str | None:
    """A text that can be stored, or None for None."""
    return None if text is None else storable(text)


# Made once: `json.dumps` with these options makes an encoder at each call, which costs more than encoding.
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def to_json(value: object) -> str:
    """Canonical JSON: sorted keys, no spaces, ASCII; equal values give equal text.

    Raises:
        TypeError: It is nothing that JSON can say.
        ValueError: A number is not finite.
    """
    return _encode(value)


# As for `_encode`: `json.loads` looks for spaces before and after, which costs as much again on a short text.
_decode = json.JSONDecoder().raw_decode


def from_json(text: str) -> dict[str, Json]:
    """The object that `to_json` wrote; an empty one where the text is no object.

    Raises:
        ValueError: It is no JSON.
    """
    value: object
    value, end = _decode(text)
    if end != len(text):
        raise ValueError("there is something after the JSON")
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def object_or_none(text: str | None) -> dict[str, Json] | None:
    """The object that a JSON text holds, or None for None."""
    return None if text is None else from_json(text)


def given(value: Mapping[str, object] | None) -> str | None:
    """JSON of a value, or None for None."""
    return None if value is None else to_json(value)
