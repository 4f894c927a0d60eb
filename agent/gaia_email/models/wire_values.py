"""Strangers' JSON, as far as it is of the type that it should be. Entries: `object_of`, `objects_of`, `text_of`."""

from __future__ import annotations

from typing import TypeGuard


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def object_of(value: object) -> dict[str, object]:
    """The object that it is; an empty one for anything else."""
    return value if _is_object(value) else {}


def objects_of(value: object) -> list[dict[str, object]]:
    """The objects of the list that it is; what else is in it is left out."""
    return [entry for entry in value if _is_object(entry)] if _is_list(value) else []


def text_of(value: object) -> str:
    """The text that it is, or an empty one."""
    return value if isinstance(value, str) else ""


def count_of(value: object) -> int | None:
    """The number above 0 that it is, or None."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
