"""Keeps the index of a local mailbox between runs, in a SQLite file private to its owner. Entry: `IndexStore`.

The file has the header facts, so that a run reads only the headers of new messages. It can be deleted at any time.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from gaia_email_registry.paths import ensure_private_directory
from gaia_local_mcp.entry import IndexEntry

MAX_KEPT_EVENTS = 1_000
"""Maximum number of stored events; an older cursor leads to a reset."""

_VERSION = 1
_TABLES = f"""
CREATE TABLE IF NOT EXISTS messages (
  id TEXT PRIMARY KEY, unit BLOB, directory BLOB, file BLOB, start INTEGER, length INTEGER, labels TEXT, flags TEXT,
  size INTEGER, time REAL, facts BLOB, thread TEXT, threading BLOB
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (number INTEGER PRIMARY KEY, before TEXT, kind TEXT, id TEXT);
PRAGMA user_version = {_VERSION};
"""

EventKind = Literal["added", "changed", "moved", "removed"]
"""The kind of an event; `moved` means to another conversation."""


class LocalEvent(NamedTuple):
    """An event in the life of a message."""

    kind: EventKind
    id: str


StoredEntry = tuple[IndexEntry, int, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredIndex:
    """An index as it was stored.

    Attributes:
        messages: Each message, its thread, and its `ThreadIndex.pack`; `ordinal` is not valid.
        events: The last events in order, each with the state of the mailbox before it.
    """

    messages: list[StoredEntry]
    events: list[tuple[str, LocalEvent]]


class IndexStore:
    """The stored index of one mailbox. Failures to read or write it are ignored, as if nothing were stored."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> StoredIndex | None:
        """Return the stored index; None if there is none."""
        with (
            suppress(sqlite3.Error, ValueError),
            closing(sqlite3.connect(f"{self._path.as_uri()}?mode=ro", uri=True)) as database,
        ):
            if _version(database) != _VERSION:
                return None
            messages = [_message(row) for row in database.execute("SELECT * FROM messages")]
            events = database.execute("SELECT before, kind, id FROM events ORDER BY number")
            return StoredIndex(
                messages=messages, events=[(before, LocalEvent(kind, id_)) for before, kind, id_ in events]
            )
        return None

    def save(
        self,
        messages: Sequence[StoredEntry],
        removed: Sequence[str],
        events: Sequence[tuple[str, LocalEvent]] | None,
    ) -> None:
        """Store these messages and events and delete the removed ones; without `events`, replace everything."""
        with suppress(sqlite3.Error, OSError), self._open() as database:
            if events is None:
                database.execute("DELETE FROM messages")
                database.execute("DELETE FROM events")
            database.executemany(
                f"INSERT OR REPLACE INTO messages VALUES ({', '.join('?' * 13)})",
                [_row(*one) for one in messages],
            )
            database.executemany("DELETE FROM messages WHERE id = ?", [(id_,) for id_ in removed])
            database.executemany(
                "INSERT INTO events (before, kind, id) VALUES (?, ?, ?)",
                [(before, event.kind, event.id) for before, event in events or ()],
            )
            database.execute(
                "DELETE FROM events WHERE number <= (SELECT max(number) FROM events) - ?", (MAX_KEPT_EVENTS,)
            )

    @contextmanager
    def _open(self) -> Generator[sqlite3.Connection, None, None]:
        """Open the database for one transaction."""
        ensure_private_directory(self._path.parent)
        self._path.touch(mode=0o600)
        with closing(sqlite3.connect(self._path)) as database, database:
            database.execute("PRAGMA synchronous = OFF")  # a lost file is rebuilt
            if _version(database) != _VERSION:
                database.executescript(
                    f"DROP TABLE IF EXISTS messages; DROP TABLE IF EXISTS events; {_TABLES}"
                )
            yield database


def _version(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def _row(entry: IndexEntry, thread: int, packed: bytes) -> tuple[object, ...]:
    return (
        entry.id,
        *(os.fsencode(path) for path in (entry.unit, entry.directory, entry.file)),
        entry.start,
        entry.length,
        json.dumps(entry.labels),
        json.dumps(entry.flags),
        entry.size,
        entry.when,
        entry.packed,
        f"{thread:016x}",
        packed,
    )


def _message(row: tuple[Any, ...]) -> StoredEntry:
    id_, unit, directory, file, start, length, labels, flags, size, when, packed, thread, threading = row
    entry = IndexEntry(
        id=id_,
        unit=_path(unit),
        directory=_path(directory),
        file=os.fsdecode(file),
        start=start,
        length=length,
        labels=_texts(labels),
        flags=_texts(flags),
        size=size,
        when=when,
        ordinal=-1,
        packed=packed,
    )
    return entry, int(thread, 16), threading


# Few folders and labels are shared by many messages.
_path = lru_cache(maxsize=1024)(os.fsdecode)


@lru_cache(maxsize=1024)
def _texts(text: str) -> tuple[str, ...]:
    return tuple(map(str, json.loads(text)))
