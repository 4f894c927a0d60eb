"""Take turns at the model servers of this machine, with leases in a small SQLite file. Entry: `Broker`.

Servers keep one model in memory and evict the previous one, which costs seconds; two programs that ask alternately
would cause that at every call. So a program takes a lease before it uses a model: those that want the same model share
it, the others wait until it is released, and users who wait come before background work. A lease of a program that died
is void.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from gaia_email_registry.paths import home
from gaia_email_registry.private_file import make_private

POLL_S = 0.05
BEAT_S = 5.0
STALE_S = 30.0
"""Seconds without a heartbeat after which a lease is void; its holder also sends them while it waits for a model."""

OLD_S = 60.0
"""Seconds of waiting after which a lease comes first, whatever model is loaded."""

_TABLES = """
CREATE TABLE IF NOT EXISTS leases (
    id INTEGER PRIMARY KEY AUTOINCREMENT, pid INTEGER NOT NULL, place TEXT NOT NULL, model TEXT NOT NULL,
    interactive INTEGER NOT NULL, running INTEGER NOT NULL, asked REAL NOT NULL, beat REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS loaded (place TEXT PRIMARY KEY, model TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS forms (
    place TEXT NOT NULL, version TEXT NOT NULL, model TEXT NOT NULL, form TEXT NOT NULL,
    PRIMARY KEY (place, version, model)
);
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A turn at a server; `switched` is True if another model was used before, so that this one may need loading."""

    model: str
    waited_s: float
    switched: bool


class Broker:
    """Gives out turns; any number of programs use the same file."""

    def __init__(self, file: Path, *, clock: Callable[[], float] = time.time, pid: int | None = None) -> None:
        self._file, self._clock = file, clock
        self._pid = os.getpid() if pid is None else pid

    @asynccontextmanager
    async def lease(
        self, place: str, model: str, *, interactive: bool, waits: Callable[[], None] = lambda: None
    ) -> AsyncGenerator[Lease, None]:
        """Hold a turn with this model during the block; `waits` is called once if it is not available immediately."""
        number = self._enter(place, model, interactive)
        beating = asyncio.create_task(self._beats(number))
        started, told = self._clock(), False
        try:
            while (switched := self._turn(number, place, model)) is None:
                if not told:
                    told = True
                    waits()
                await asyncio.sleep(POLL_S)
            yield Lease(model=model, waited_s=max(0.0, self._clock() - started), switched=switched)
        finally:
            beating.cancel()
            with self._transaction() as database:
                database.execute("DELETE FROM leases WHERE id = ?", (number,))

    def form_of(self, place: str, version: str, model: str) -> str | None:
        """Return the last known form in which this version of a server accepts a schema."""
        with self._transaction() as database:
            where = "WHERE place = ? AND version = ? AND model = ?"
            row = database.execute(f"SELECT form FROM forms {where}", (place, version, model)).fetchone()
        return None if row is None else str(row[0])

    def learn_form(self, place: str, version: str, model: str, form: str) -> None:
        """Store the form in which a server accepts a schema."""
        with self._transaction() as database:
            database.execute(
                "INSERT OR REPLACE INTO forms VALUES (?, ?, ?, ?)", (place, version, model, form)
            )

    def _enter(self, place: str, model: str, interactive: bool) -> int:
        now = self._clock()
        with self._transaction() as database:
            added = database.execute(
                "INSERT INTO leases (pid, place, model, interactive, running, asked, beat)"
                " VALUES (?, ?, ?, ?, 0, ?, ?)",
                (self._pid, place, model, int(interactive), now, now),
            )
        return int(added.lastrowid or 0)

    def _turn(self, number: int, place: str, model: str) -> bool | None:
        """Take the turn if possible, and return True if the model changes; None if others come first."""
        now = self._clock()
        with self._transaction() as database:
            self._forget_the_dead(database, now)
            query = "SELECT id, model, interactive, running, asked FROM leases WHERE place = ? ORDER BY id"
            rows = [_Row(*row) for row in database.execute(query, (place,))]
            last = database.execute("SELECT model FROM loaded WHERE place = ?", (place,)).fetchone()
            loaded = None if last is None else str(last[0])
            if not _may_run(number, model, rows, loaded, now):
                return None
            database.execute("UPDATE leases SET running = 1, beat = ? WHERE id = ?", (now, number))
            database.execute("INSERT OR REPLACE INTO loaded VALUES (?, ?)", (place, model))
        return loaded is not None and loaded != model

    def _forget_the_dead(self, database: sqlite3.Connection, now: float) -> None:
        for number, pid, beat in database.execute("SELECT id, pid, beat FROM leases").fetchall():
            if now - beat > STALE_S or not _lives(pid):
                database.execute("DELETE FROM leases WHERE id = ?", (number,))

    async def _beats(self, number: int) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            with suppress(sqlite3.Error), self._transaction() as database:
                database.execute("UPDATE leases SET beat = ? WHERE id = ?", (self._clock(), number))

    @contextmanager
    def _transaction(self) -> Generator[sqlite3.Connection, None, None]:
        make_private(self._file)
        with closing(sqlite3.connect(self._file, timeout=10.0, isolation_level=None)) as database:
            database.executescript(_TABLES)
            database.execute("BEGIN IMMEDIATE")
            try:
                yield database
            except BaseException:
                database.execute("ROLLBACK")
                raise
            database.execute("COMMIT")


@dataclass(frozen=True, slots=True)
class _Row:
    number: int
    model: str
    interactive: int
    running: int
    asked: float


def _may_run(number: int, model: str, rows: list[_Row], loaded: str | None, now: float) -> bool:
    waiting = [row for row in rows if not row.running]
    running = {row.model for row in rows if row.running}
    if running:
        # A late program must not keep out one that has been waiting for another model.
        earlier = any(row.model != model and row.number < number for row in waiting)
        return running == {model} and not earlier

    def order(row: _Row) -> tuple[bool, bool, bool, int]:
        return (now - row.asked < OLD_S, not row.interactive, row.model != loaded, row.number)

    first = min(waiting, key=order, default=None)
    return first is not None and (first.number == number or first.model == model)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def broker_of(environ: Mapping[str, str]) -> Broker:
    """Return this user's broker."""
    return Broker(home(environ) / "email" / "model-leases.db")
