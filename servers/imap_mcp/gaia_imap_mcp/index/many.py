"""Queries the index for many values at once. Entry: `select_many`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

_CHUNKS = (1, 10, 100, 500)
"""Numbers of values in one query; only a few, because SQLite caches each prepared statement."""


def select_many(
    database: sqlite3.Connection, query: str, values: Iterable[str | int]
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows that a query finds for many values, which replace its `{}`."""
    wanted = list(values)
    for start in range(0, len(wanted), _CHUNKS[-1]):
        chunk = wanted[start : start + _CHUNKS[-1]]
        size = next(size for size in _CHUNKS if size >= len(chunk))
        chunk += chunk[-1:] * (size - len(chunk))
        yield from database.execute(query.format(",".join("?" * size)), chunk)
