"""A small SQLite file that a user's programs share, readable by its owner only. Entry: `SmallDatabase`."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from gaia_email_registry.private_file import make_private

BUSY_S = 5.0
"""Seconds to wait for another program's transaction."""


class SmallDatabase:
    """A database opened for each transaction, so that nothing stays open between calls.

    Args:
        path: The file; None for a database in memory, for a server without a home.
        tables: Statements that create missing tables.
        added: By table, columns that a file of an earlier version may lack, with their types.
    """

    def __init__(
        self,
        path: Path | None,
        tables: Sequence[str],
        added: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        self._path = path
        self._tables = tables
        self._added = added or {}
        self._memory: sqlite3.Connection | None = None

    @contextmanager
    def transaction(self, *, write: bool = False) -> Generator[sqlite3.Connection, None, None]:
        """Run one transaction, rolled back if its body raises; `write` locks the file before anything is read."""
        if self._path is None:
            if self._memory is None:
                self._memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
                self._create(self._memory)
            yield self._memory
            return
        make_private(self._path)
        with closing(sqlite3.connect(self._path, timeout=BUSY_S, isolation_level=None)) as db:
            db.execute("BEGIN IMMEDIATE" if write else "BEGIN")
            try:
                self._create(db)
                yield db
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection, None, None]:
        """Run a transaction that does not write to an existing file, which may be on a read-only disk."""
        if self._path is None or not self._path.exists():
            with self.transaction() as db:
                yield db
            return
        with closing(sqlite3.connect(f"{self._path.as_uri()}?mode=ro", uri=True, timeout=BUSY_S)) as db:
            # A file that another program is about to fill has no table yet.
            has_tables = db.execute("SELECT 1 FROM sqlite_master").fetchone() is not None
            is_current = has_tables and not any(self._missing(db))
            if is_current:
                yield db
        if not is_current:
            with self.transaction() as db:
                yield db

    def close(self) -> None:
        """Discard a database in memory; a file is kept."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None

    def _create(self, db: sqlite3.Connection) -> None:
        for table in self._tables:
            db.execute(table)
        for table, column, kind in list(self._missing(db)):
            db.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind}")

    def _missing(self, db: sqlite3.Connection) -> Generator[tuple[str, str, str], None, None]:
        """Yield table, column and type of each missing column."""
        for table, columns in self._added.items():
            known = {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
            yield from ((table, name, kind) for name, kind in columns.items() if known and name not in known)
