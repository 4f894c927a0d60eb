"""The index file of one account: its tables, and opening it. Entry: `open_database`.

Everything in it can be fetched from the server again, so a file that is damaged or has another version is set aside
and replaced.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from gaia_email_registry.errors import ProviderError
from gaia_email_registry.private_file import make_private

VERSION = 2

_BUSY_S = 30.0
_PAUSE_S = 0.01
_USUAL_KB, _MANY_KB = 2_000, 16_000
"""Page cache of the index. The larger it is, the less often pages that every batch changes are written."""
_LOG_PAGES, _LOG_BYTES = 8_000, 4 << 20
"""Size of the write-ahead log (pages of 4 kB) at which the index itself is written, and the log's size afterwards.
A first listing changes most pages of the index many times; this way they are written a tenth as often."""
_UNWRITABLE = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
    }
)
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE folders (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,      -- the label its messages carry, empty for the archive
    uidvalidity INTEGER NOT NULL,
    uidnext INTEGER NOT NULL, -- every message below was told. 0 while the first listing is not complete
    modseq INTEGER NOT NULL,  -- every change up to here was told. 0 where the server does not count
    exist INTEGER NOT NULL,
    unseen INTEGER NOT NULL,
    version INTEGER NOT NULL  -- counts commits, so that two processes notice one another
);
CREATE TABLE messages (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    visible INTEGER NOT NULL,
    created INTEGER NOT NULL, -- sequence number of its being added
    changed INTEGER NOT NULL, -- sequence number of its last change
    moment REAL NOT NULL,
    size INTEGER NOT NULL,
    thread INTEGER NOT NULL,
    subject INTEGER NOT NULL,
    orphan INTEGER NOT NULL,  -- a reply that names no parent
    attached INTEGER NOT NULL,
    labels TEXT NOT NULL,
    flags TEXT NOT NULL,
    facts BLOB NOT NULL,
    snippet TEXT NOT NULL
);
CREATE INDEX messages_created ON messages (created);
CREATE INDEX messages_changed ON messages (changed) WHERE changed > created;
CREATE INDEX messages_moment ON messages (moment DESC, id);
CREATE INDEX messages_thread ON messages (thread);
CREATE INDEX messages_subject ON messages (subject, moment) WHERE subject <> 0;
CREATE INDEX messages_orphan ON messages (subject, moment) WHERE orphan;
CREATE TABLE places (
    folder INTEGER NOT NULL,
    uid INTEGER NOT NULL,
    message INTEGER NOT NULL,
    marks TEXT NOT NULL,
    PRIMARY KEY (folder, uid)
) WITHOUT ROWID;
CREATE INDEX places_message ON places (message);
CREATE TABLE removed (seq INTEGER PRIMARY KEY, id TEXT NOT NULL, created INTEGER NOT NULL);
CREATE INDEX removed_id ON removed (id);
CREATE TABLE homeless (message INTEGER PRIMARY KEY);
CREATE TABLE links (
    hash INTEGER PRIMARY KEY,
    thread INTEGER NOT NULL,
    claim INTEGER NOT NULL    -- who uses that Message-ID and above what subject, 0 while only others name it
);
CREATE INDEX links_thread ON links (thread);
CREATE TABLE notes (kind TEXT, key TEXT, value TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;
"""


def open_database(path: Path | None, owner: str) -> tuple[sqlite3.Connection, str]:
    """Return the index of one account, and a warning if the previous file could not be used.

    Args:
        path: The file, created with its directory and readable only by its owner; None for memory.
        owner: Host, port and user; a file of another owner is not used.

    Raises:
        ProviderError: The file cannot be opened or created.
    """
    if path is None:
        connection = _connect(":memory:")
        _tune(connection)
        _create(connection, owner)
        return connection, ""
    try:
        found = _ours(path, owner)
        if found is not None:
            return found, ""
        note = f"{path.name} was not readable as the index of this account and was rebuilt."
        set_aside(path)
        found = _ours(path, owner)
        if found is None:
            raise ProviderError(f"The index {path} cannot be used; delete it and try again.")
        return found, note
    except (OSError, sqlite3.OperationalError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ProviderError(f"The index {path} cannot be opened: {why}.") from error


def _ours(path: Path, owner: str) -> sqlite3.Connection | None:
    """Open the file, created if it is missing; return None if it is not the index of this account."""
    make_private(path)
    connection = _connect(str(path))
    try:
        if _is_ours(connection, owner):
            return connection
    except BaseException:
        connection.close()
        raise
    connection.close()
    return None


def is_unwritable(error: Exception) -> bool:
    """Return True if the disk, a permission or another program caused the error, not the file's content."""
    code = error.sqlite_errorcode if isinstance(error, sqlite3.DatabaseError) else None
    return code is not None and code & 0xFF in _UNWRITABLE


def _connect(path: str) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)


def _tune(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA cache_size = -{_USUAL_KB}")
    connection.execute("PRAGMA temp_store = MEMORY")


@contextmanager
def enlarge_cache(connection: sqlite3.Connection) -> Generator[None]:
    """Keep more of the index in memory while many messages are stored."""
    connection.execute(f"PRAGMA cache_size = -{_MANY_KB}")
    try:
        yield
    finally:
        connection.execute(f"PRAGMA cache_size = -{_USUAL_KB}")


def _is_ours(connection: sqlite3.Connection, owner: str) -> bool:
    """Return True if a file is an index of this account; an empty file becomes one."""
    try:
        _tune(connection)
        _write_ahead(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
        connection.execute(f"PRAGMA journal_size_limit = {_LOG_BYTES}")
        connection.execute("BEGIN IMMEDIATE")
        try:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            empty = not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if version == 0 and empty:
                connection.execute("ROLLBACK")
                return _create_alone(connection, owner)
            if version != VERSION:
                return False
            row = connection.execute("SELECT value FROM meta WHERE key = 'owner'").fetchone()
            return row is not None and row[0] == owner
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
    except sqlite3.DatabaseError as error:
        if is_unwritable(error):
            raise
        return False


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to WAL. SQLite does not wait if two programs do so with a new file at once, so this does."""
    deadline = time.monotonic() + _BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
        time.sleep(_PAUSE_S)


def _create_alone(connection: sqlite3.Connection, owner: str) -> bool:
    """Create the tables, or use those that another process creates at the same time."""
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
        _fill(connection, owner)
    connection.execute("COMMIT")
    return _is_ours(connection, owner)


def _create(connection: sqlite3.Connection, owner: str) -> None:
    connection.execute("BEGIN IMMEDIATE")
    _fill(connection, owner)
    connection.execute("COMMIT")


def _fill(connection: sqlite3.Connection, owner: str) -> None:
    for statement in _TABLES.split(";"):
        if statement.strip():
            connection.execute(statement)
    values = [("owner", owner), ("epoch", secrets.token_hex(6)), ("seq", 0), ("horizon", 0)]
    connection.executemany("INSERT INTO meta VALUES (?, ?)", values)
    connection.execute(f"PRAGMA user_version = {VERSION}")


def set_aside(path: Path) -> None:
    """Rename a file that cannot be used, so that a new one can be created."""
    os.replace(path, path.with_name(path.name + ".old"))
    for suffix in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.unlink(f"{path}{suffix}")
