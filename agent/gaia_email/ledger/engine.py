"""Connections to the ledger's database, SQLite or PostgreSQL. Entry points: `connect`, `reading`, `writing`.

Both allow one writer at a time: `BEGIN IMMEDIATE` on SQLite, an advisory lock on PostgreSQL. So a transaction never
fails half-way because of another writer, and numbers assigned in it (events, actions) have no gaps.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection as SqliteConnection
from sqlite3 import Error as SqliteError
from sqlite3 import connect as connect_sqlite

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from gaia_email_registry.errors import BadArgument

BUSY_S = 60
"""Seconds to wait for another process's transaction."""

WRITER = 0x6761_6961
"""The number of PostgreSQL's advisory lock for writers of the ledger."""

WRITES = "gaia_writes"
READS = "reads_only"


def connect(url: str, *, busy_s: float = BUSY_S) -> Engine:
    """Return an engine for a database URL, without opening a connection.

    Raises:
        BadArgument: The URL is invalid, or names neither SQLite nor PostgreSQL.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise _bad_url() from None
    backend = parsed.get_backend_name()
    if backend == "sqlite" and parsed.database:
        engine = create_engine(parsed, connect_args={"timeout": busy_s})
        event.listen(engine, "connect", _configure)
        event.listen(engine, "begin", _begin)
        return engine
    if backend == "postgresql":
        from gaia_email.ledger.server_connections import count_connections

        count_connections()
        return create_engine(parsed.set(drivername="postgresql+psycopg"))
    raise _bad_url()


def _bad_url() -> BadArgument:
    return BadArgument(
        "GAIA_EMAIL_DATABASE_URL is neither sqlite:////path/ledger.db nor postgresql://user@host/database.",
        argument="GAIA_EMAIL_DATABASE_URL",
    )


def for_reading(
    engine: Engine, is_current: Callable[[Connection], bool], *, busy_s: float, asked: bool
) -> Engine:
    """Return a read-only engine if requested or if the file cannot be written; otherwise `engine`.

    `engine` is also returned for a file that is missing, outdated (not `is_current`) or unreadable, so that opening
    it creates or upgrades the file or reports the error. On a read-only disk, SQLite cannot write a log and needs
    none, because there are no other writers.
    """
    path = file_of(engine)
    if path is None or not path.exists() or not path.stat().st_size:
        return engine
    log = path.with_name(path.name + "-wal")
    fixed = not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))
    if not fixed and not asked:
        return engine
    whole = fixed and not (log.exists() and log.stat().st_size)
    uri = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if whole else ''}"

    def connect() -> SqliteConnection:
        return connect_sqlite(uri, uri=True, timeout=busy_s, check_same_thread=False)

    reader = create_engine(engine.url, creator=connect).execution_options(**{READS: True})
    event.listen(reader, "connect", _configure)
    event.listen(reader, "begin", _begin)
    try:
        with reader.connect() as connection:
            if is_current(connection):
                return reader
    except DBAPIError:
        pass  # `engine` fails in the same way, and that failure is reported
    reader.dispose()
    return engine


def reads_only(engine: Engine) -> bool:
    """Return True if `for_reading` created the engine."""
    return bool(engine.get_execution_options().get(READS, False))


def file_of(engine: Engine) -> Path | None:
    """Return the file of a SQLite database, or None for a server."""
    return Path(engine.url.database or "") if engine.dialect.name == "sqlite" else None


def database_title(engine: Engine) -> str:
    """Return a name for the database in sentences; contains no password."""
    path = file_of(engine)
    return f"The ledger {path}" if path else f"The ledger at {engine.url.host or 'localhost'}"


def _configure(connection: object, record: object) -> None:
    assert isinstance(connection, SqliteConnection)
    connection.isolation_level = None  # `_begin` starts transactions
    # FULL: a row written before an effect reaches the disk before the effect, even if the power fails.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA temp_store = MEMORY")


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def writing(engine: Engine) -> Generator[Connection, None, None]:
    """Open a transaction that excludes other writers; rolled back if the block raises."""
    with engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": WRITER})
        yield connection


@contextmanager
def reading(engine: Engine) -> Generator[Connection, None, None]:
    """Open a transaction that sees one state of the database, unaffected by concurrent writes."""
    with engine.connect() as connection, connection.begin():
        yield connection


def compact(engine: Engine) -> None:
    """Rewrite the file without deleted data. PostgreSQL servers do this themselves."""
    if engine.dialect.name != "sqlite":
        return
    with engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert isinstance(raw, SqliteConnection)
        try:
            raw.execute("INSERT INTO message_words(message_words) VALUES ('optimize')")
            raw.execute("VACUUM")
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except SqliteError as error:
            raise DBAPIError("VACUUM", None, error) from error


def use_wal(engine: Engine) -> None:
    """Let readers and the writer work without waiting for each other. The mode is stored in the file.

    Call it while no other connection is open.

    Raises:
        DBAPIError: The file is not a database, or cannot be written.
    """
    with engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert isinstance(raw, SqliteConnection)
        try:
            raw.execute("PRAGMA journal_mode = WAL").fetchone()
        except SqliteError as error:
            raise DBAPIError("PRAGMA journal_mode", None, error) from error
