"""Small private JSON files that several processes read and write.

Entries: `read_json`, `write_json`, `lock`; `is_object` looks at what was parsed.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import TypeAlias, TypeGuard

from gaia_email_registry.paths import ensure_private_directory

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

MAX_BYTES = 4_000_000


def is_object(value: object) -> TypeGuard[dict[str, object]]:
    """Whether a parsed JSON value is an object."""
    return isinstance(value, dict)


def read_json(path: Path) -> dict[str, Json] | None:
    """The object in a file; None when there is no file or no object in it.

    Raises:
        OSError: It is there and cannot be read.
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
    """Replace a file in one step, readable by its owner only: a crash leaves the old one or the new one.

    A link stays a link: the file it leads to is replaced.

    Raises:
        OSError: It cannot be written.
    """
    target = path.resolve()
    ensure_private_directory(target.parent)
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(value, file, indent=2)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def lock(path: Path) -> int:
    """Wait until no other process holds `path`, a file that only serves this; closing the descriptor frees it.

    Blocks: call it in a thread. A system without `fcntl` locks nothing.
    """
    ensure_private_directory(path.parent)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    with contextlib.suppress(ImportError):
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)
    return descriptor
