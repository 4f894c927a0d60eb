"""Which messages a watch has reported already, stored in eight bytes each. Entry point: `ReportedMessages`.

A cursor alone would not do: a server may forget what it stood for (a new index, a folder numbered anew) and
report everything again. The set of what was reported answers "is this new?" whatever the server has forgotten.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from gaia_email.mailbox.correspondents import hash64
from gaia_email_registry.errors import BadArgument, ProviderError
from gaia_email_registry.paths import ensure_private_directory

FORMAT = 1

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def seen_file(home: Path, mailbox: str, folders: Iterable[str]) -> Path:
    """Where a watch of these folders of that mailbox stores what it has reported."""
    name = "\0".join((mailbox, *sorted(set(folders))))
    return home / "watch" / f"{hashlib.blake2b(name.encode(), digest_size=10).hexdigest()}.sqlite"


class NotRecorded(ProviderError):
    """What was reported cannot be recorded just now."""


class ReportedMessages:
    """A set of message ids in one file, which only one program at a time can have open; a context manager.

    Nothing is on disk before `commit`; a commit that fails can be repeated, and nothing is forgotten meanwhile.

    Attributes:
        fresh: Nothing was ever committed here: this is the first watch of that mailbox.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the file.

        Raises:
            BadArgument: Another program has it open.
            NotRecorded: It cannot be opened or written.
        """
        self._folder = path.parent
        self._new: set[int] = set()
        self._gone: set[int] = set()
        try:
            ensure_private_directory(path.parent)
            path.touch(mode=0o600)
            self._db = _connect(path)
        except sqlite3.DatabaseError as error:
            if "locked" in str(error):
                raise BadArgument("Another gaia email watch follows this mailbox already.") from None
            if (error.sqlite_errorcode or 0) & 0xFF not in _DAMAGED:
                raise self._unwritable(str(error)) from None
            self._db = _started_over(path)
        except OSError as error:
            raise self._unwritable(error.strerror or "no reason given") from None
        self.fresh = self._db.execute("SELECT count(*) FROM begun").fetchone() == (0,)

    def __enter__(self) -> ReportedMessages:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._db.close()

    def __contains__(self, message_id: str) -> bool:
        number = hash64(message_id)
        return number in self._new or (number not in self._gone and self._is_stored(number))

    def __len__(self) -> int:
        """How many ids are in it."""
        stored: int = self._db.execute("SELECT count(*) FROM seen").fetchone()[0]
        added = sum(not self._is_stored(number) for number in self._new)
        return stored + added - sum(self._is_stored(number) for number in self._gone)

    def add(self, message_ids: Iterable[str]) -> None:
        """These were reported."""
        for number in map(hash64, message_ids):
            self._gone.discard(number)
            self._new.add(number)

    def discard(self, message_ids: Iterable[str]) -> None:
        """These are gone for good."""
        for number in map(hash64, message_ids):
            self._new.discard(number)
            self._gone.add(number)

    def commit(self) -> None:
        """Keep everything so far; from then on this is not `fresh`.

        Raises:
            NotRecorded: The file cannot be written, for example because the disk is full.
        """
        if not (self.fresh or self._new or self._gone):
            return
        try:
            self._db.execute("BEGIN IMMEDIATE")
            if self.fresh:
                self._db.execute("INSERT INTO begun VALUES (1)")
            self._db.executemany("INSERT OR IGNORE INTO seen VALUES (?)", ((n,) for n in self._new))
            self._db.executemany("DELETE FROM seen WHERE id = ?", ((n,) for n in self._gone))
            self._db.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise self._unwritable(str(error)) from None
        self.fresh = False
        self._new.clear()
        self._gone.clear()

    def _is_stored(self, number: int) -> bool:
        return self._db.execute("SELECT 1 FROM seen WHERE id = ?", (number,)).fetchone() is not None

    def _unwritable(self, why: str) -> NotRecorded:
        return NotRecorded(
            f"What was told cannot be noted in {self._folder} ({why}), so nothing more is told until it can be; "
            "make room there, or see who may write."
        )


def _connect(path: Path) -> sqlite3.Connection:
    """The file, open for this program alone."""
    database = sqlite3.connect(path, isolation_level=None, timeout=0)
    try:
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute("BEGIN EXCLUSIVE")
        if database.execute("PRAGMA user_version").fetchone() != (FORMAT,):
            database.execute("DROP TABLE IF EXISTS seen")
            database.execute("DROP TABLE IF EXISTS begun")
            database.execute("CREATE TABLE seen (id INTEGER PRIMARY KEY) WITHOUT ROWID")
            database.execute("CREATE TABLE begun (once INTEGER)")
            database.execute(f"PRAGMA user_version = {FORMAT}")
        database.execute("COMMIT")
    except BaseException:
        database.close()
        raise
    return database


def _started_over(path: Path) -> sqlite3.Connection:
    """The file is damaged: what was reported is forgotten, and the watch starts at now."""
    for name in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
        name.unlink(missing_ok=True)
    path.touch(mode=0o600)
    return _connect(path)
