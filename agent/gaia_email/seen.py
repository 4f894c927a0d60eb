"""Which messages a watch has told already, kept on disk in eight bytes each. Entry point: `SeenMessages`.

A cursor alone would not do: a server may forget what it stood for (a new index, a folder numbered anew) and
tell everything again. The set of what was told answers "is this new?" whatever the server has forgotten.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from gaia_email.history import hash64
from gaia_email_registry.errors import BadArgument, ProviderError
from gaia_email_registry.paths import ensure_private_directory

FORMAT = 1


def seen_file(home: Path, mailbox: str, folders: Iterable[str]) -> Path:
    """Where a watch of these folders of that mailbox keeps what it has told."""
    name = "\0".join((mailbox, *sorted(set(folders))))
    return home / "watch" / f"{hashlib.blake2b(name.encode(), digest_size=10).hexdigest()}.sqlite"


class SeenMessages:
    """A set of message ids in one file, which only one program at a time can have open; a context manager.

    Nothing is kept before `commit`.

    Attributes:
        fresh: Nothing was ever committed here: this is the first watch of that mailbox.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the file.

        Raises:
            BadArgument: Another program has it open.
            ProviderError: It cannot be opened.
        """
        try:
            ensure_private_directory(path.parent)
            path.touch(mode=0o600)
            self._db = sqlite3.connect(path, isolation_level=None, timeout=0)
            self._begin()
        except sqlite3.DatabaseError as error:
            if "locked" in str(error):
                raise BadArgument("Another gaia email watch follows this mailbox already.") from None
            self._start_over(path)
        except OSError as error:
            raise ProviderError(f"{path.parent} cannot be written: {error.strerror}.") from None
        self.fresh = self._db.execute("SELECT count(*) FROM begun").fetchone() == (0,)

    def __enter__(self) -> SeenMessages:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._db.close()

    def _begin(self) -> None:
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("BEGIN EXCLUSIVE")
        if self._db.execute("PRAGMA user_version").fetchone() != (FORMAT,):
            self._db.execute("DROP TABLE IF EXISTS seen")
            self._db.execute("DROP TABLE IF EXISTS begun")
            self._db.execute("CREATE TABLE seen (id INTEGER PRIMARY KEY) WITHOUT ROWID")
            self._db.execute("CREATE TABLE begun (once INTEGER)")
            self._db.execute(f"PRAGMA user_version = {FORMAT}")

    def _start_over(self, path: Path) -> None:
        """The file is damaged: what was told is forgotten, and the watch starts at now."""
        self._db.close()
        for name in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
            name.unlink(missing_ok=True)
        path.touch(mode=0o600)
        self._db = sqlite3.connect(path, isolation_level=None, timeout=0)
        self._begin()

    def __contains__(self, message_id: str) -> bool:
        found = self._db.execute("SELECT 1 FROM seen WHERE id = ?", (hash64(message_id),)).fetchone()
        return found is not None

    def __len__(self) -> int:
        """How many ids are in it."""
        count: int = self._db.execute("SELECT count(*) FROM seen").fetchone()[0]
        return count

    def add(self, message_ids: Iterable[str]) -> None:
        """These were told."""
        self._db.executemany(
            "INSERT OR IGNORE INTO seen VALUES (?)", ((hash64(message_id),) for message_id in message_ids)
        )

    def discard(self, message_ids: Iterable[str]) -> None:
        """These are gone for good."""
        self._db.executemany(
            "DELETE FROM seen WHERE id = ?", ((hash64(message_id),) for message_id in message_ids)
        )

    def commit(self) -> None:
        """Keep everything so far; from then on this is not `fresh`."""
        if self.fresh:
            self._db.execute("INSERT INTO begun VALUES (1)")
            self.fresh = False
        self._db.execute("COMMIT")
        self._db.execute("BEGIN EXCLUSIVE")
