"""Read untrusted JSON values of an expected type. Entries: `object_of`, `objects_of`, `text_of`."""

from __future__ import annotations

from typing import TypeGuard


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def object_of(value: object) -> dict[str, object]:
    """Return the value if it is an object, or else an empty one."""
    return value if _is_object(value) else {}


def objects_of(value: object) -> list[dict[str, object]]:
    """Return the objects in the value if it is a list, skipping other entries."""
    return [entry for entry in value if _is_object(entry)] if _is_list(value) else []


def text_of(value: object) -> str:
    """Return the value if it is a text, or else an empty one."""
    return value if isinstance(value, str) else ""


def count_of(value: object) -> int | None:
    """Return the value if it is an integer above 0, or else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
