"""Small private JSON files, and helpers for parsed JSON. Entries: `read_json`, `write_json`, `is_object`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeAlias, TypeGuard

from gaia_email_registry.private_file import write_private

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

MAX_BYTES = 4_000_000


def is_object(value: object) -> TypeGuard[dict[str, object]]:
    """Return True if a parsed JSON value is an object."""
    return isinstance(value, dict)


def parsed_object(body: bytes) -> dict[str, Json]:
    """Return the object in a JSON text; empty if there is none."""
    try:
        found: Json = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def text_member(value: object, name: str) -> str:
    """Return the text under a name in an object; empty if there is none."""
    text = value.get(name) if is_object(value) else None
    return text if isinstance(text, str) else ""


def read_json(path: Path) -> dict[str, Json] | None:
    """Return the object in a file; None if there is no file or no object in it.

    Raises:
        OSError: The file exists and cannot be read.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES)
    except FileNotFoundError:
        return None
    try:
        found: Json = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def write_json(path: Path, value: dict[str, Json]) -> None:
    """Replace a file in one step, readable only by its owner; a link stays a link.

    Raises:
        OSError: The file cannot be written.
    """
    write_private(path.resolve(), json.dumps(value, indent=2).encode())
