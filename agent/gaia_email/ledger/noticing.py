"""Notices writes to the ledger by any program. Entry points: `WriteWatch`, `watch_writes`.

SQLite counts the transactions of other connections (`PRAGMA data_version`), which is polled a few times a second;
writes of this process are noticed at once. PostgreSQL notifies its listeners. A watch has its own connection, and its
cost does not depend on the number of waiting callers.
"""

from __future__ import annotations

import selectors
import socket
from abc import ABC, abstractmethod
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from sqlite3 import Connection as SqliteConnection
from sqlite3 import Error as SqliteError
from threading import Event, Lock
from typing import Any

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from gaia_email.ledger.engine import database_title, file_of
from gaia_email.ledger.failures import translated_failures

LOOK_S = 0.2
"""Seconds between checks of a SQLite file."""

SURE_S = 30.0
"""Seconds without notifications after which the server connection is tested."""

CHANNEL = "gaia_events"
"""PostgreSQL's channel on which writers of events notify others."""

_registering = Lock()
_watching: defaultdict[str, set[Event]] = defaultdict(set)


class WriteWatch(ABC):
    """Waits for the next write. Create it before the first read, so that no later write is missed."""

    @abstractmethod
    def wait(self) -> bool:
        """Block until something may have been written since the last call; False after `stop` was called.

        Raises:
            ProviderError: The database cannot be used.
        """

    @abstractmethod
    def stop(self) -> None:
        """Make `wait` return from now on; safe to call from any thread."""

    @abstractmethod
    def close(self) -> None:
        """Return the connection, once no caller is waiting."""


def watch_writes(engine: Engine, *, look_s: float = LOOK_S) -> WriteWatch:
    """Return a watch on the database.

    Args:
        engine: The ledger's engine.
        look_s: Seconds between checks of a file; unused for a server.

    Raises:
        ProviderError: The database cannot be used.
    """
    path = file_of(engine)
    with translated_failures(database_title(engine)):
        return _ServerWatch(engine) if path is None else _FileWatch(engine, path, look_s)


def wrote_here(engine: Engine) -> None:
    """Wake the watches of this process after it committed a transaction."""
    path = file_of(engine)
    if path is not None and _watching:
        with _registering:
            for event in _watching.get(_name(path), ()):
                event.set()


def notify_written(tx: Connection) -> None:
    """Notify other programs at the end of this transaction, if the database does not do so by itself."""
    if tx.dialect.name == "postgresql":
        tx.execute(text("SELECT pg_notify(:channel, '')"), {"channel": CHANNEL})


def _name(path: Path) -> str:
    return str(path.resolve())


class _FileWatch(WriteWatch):
    def __init__(self, engine: Engine, path: Path, look_s: float) -> None:
        self._title = database_title(engine)
        self._name = _name(path)
        self._look_s = look_s
        self._stopped = False
        self._woken = Event()
        self._connection = engine.connect()
        driver = self._connection.connection.driver_connection
        assert isinstance(driver, SqliteConnection)
        self._driver = driver
        self._version = self._look()
        with _registering:
            _watching[self._name].add(self._woken)

    def wait(self) -> bool:
        while not self._stopped:
            self._woken.wait(self._look_s)
            self._woken.clear()
            with translated_failures(self._title):
                version = self._look()
            if version != self._version and not self._stopped:
                self._version = version
                return True
        return False

    def _look(self) -> int:
        try:
            return int(self._driver.execute("PRAGMA data_version").fetchone()[0])
        except SqliteError as error:
            raise DBAPIError("PRAGMA data_version", None, error) from error

    def stop(self) -> None:
        self._stopped = True
        self._woken.set()

    def close(self) -> None:
        with _registering:
            _watching[self._name].discard(self._woken)
            if not _watching[self._name]:
                del _watching[self._name]
        self._connection.close()


class _ServerWatch(WriteWatch):
    def __init__(self, engine: Engine) -> None:
        self._title = database_title(engine)
        self._engine = engine
        self._stopped = False
        self._connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        self._connection.exec_driver_sql(f"LISTEN {CHANNEL}")
        driver: Any = self._connection.connection.driver_connection
        assert driver is not None
        self._driver = driver
        self._stopping, self._stop = socket.socketpair()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._driver.fileno(), selectors.EVENT_READ)
        self._selector.register(self._stopping, selectors.EVENT_READ)

    def wait(self) -> bool:
        while not self._stopped:
            heard = bool(self._selector.select(SURE_S))
            with translated_failures(self._title):
                if not self._stopped and self._was_told(ask=not heard):
                    return True
        return False

    def _was_told(self, *, ask: bool) -> bool:
        """Return True if something may have been written; raises if a tested server does not answer."""
        try:
            if ask:
                self._driver.execute("SELECT 1")
            return bool(list(self._driver.notifies(timeout=0))) or ask
        except Exception as error:
            self._engine.dispose()  # the connections in the pool are lost with this one
            raise DBAPIError(f"LISTEN {CHANNEL}", None, error) from error

    def stop(self) -> None:
        self._stopped = True
        with suppress(OSError):  # already closed
            self._stop.send(b"x")

    def close(self) -> None:
        self._selector.close()
        self._stopping.close()
        self._stop.close()
        self._connection.invalidate()  # otherwise the pool would reuse a connection that listens
        self._connection.close()
