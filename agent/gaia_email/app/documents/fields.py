"""Reads typed parts of a JSON object; a value of another type counts as empty. Entries: `rows_of`, `texts_of`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

Json = Mapping[str, object]


def list_of(data: Json, key: str) -> list[object]:
    """Return the list at a key; empty if it is not a list."""
    found = data.get(key)
    return cast("list[object]", found) if isinstance(found, list) else []


def object_of(data: Json, key: str) -> dict[str, object]:
    """Return the object at a key; empty if it is not an object."""
    found = data.get(key)
    return cast("dict[str, object]", found) if isinstance(found, dict) else {}


def rows_of(data: Json, key: str = "rows") -> list[dict[str, object]]:
    """Return the objects in the list at a key."""
    return [cast("dict[str, object]", one) for one in list_of(data, key) if isinstance(one, dict)]


def texts_of(data: Json, key: str) -> list[str]:
    """Return the strings in the list at a key."""
    return [one for one in list_of(data, key) if isinstance(one, str)]
