"""Reads the parts of a JSON object by their kind; what is of another kind is empty. Entries: `rows_of`, `texts_of`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

Json = Mapping[str, object]


def list_of(data: Json, key: str) -> list[object]:
    """A list."""
    found = data.get(key)
    return cast("list[object]", found) if isinstance(found, list) else []


def object_of(data: Json, key: str) -> dict[str, object]:
    """An object."""
    found = data.get(key)
    return cast("dict[str, object]", found) if isinstance(found, dict) else {}


def rows_of(data: Json, key: str = "rows") -> list[dict[str, object]]:
    """The objects of a list."""
    return [cast("dict[str, object]", one) for one in list_of(data, key) if isinstance(one, dict)]


def texts_of(data: Json, key: str) -> list[str]:
    """The texts of a list."""
    return [one for one in list_of(data, key) if isinstance(one, str)]
