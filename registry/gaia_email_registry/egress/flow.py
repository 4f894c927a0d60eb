"""Counts the bytes of each connection from its opening. Entries: `start_flow`, `reason`.

A program's `main` switches recording on (`recording.py`). Code that opens a connection takes a `Flow`, reports sent and
received bytes, and closes it. The row is written before the first byte leaves, so a killed program leaves it behind. A
ledger that cannot be written never blocks a connection.
"""

from __future__ import annotations

import atexit
import os
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from threading import Lock

from gaia_email_registry.egress.recording import get_recording
from gaia_email_registry.egress.rows import EgressRow, Why, add, ledger_file, make_room

EVERY_S = 60.0
"""Interval in seconds at which the row of an active connection is updated."""

_ROOM_EVERY = 200
"""Rows that a program writes between checks of the ledger's size."""

_LONGEST = 255
"""Maximum number of characters of a name."""


class Recorder:
    """Writes the connections of one program to the ledger.

    Args:
        environ: Locates the ledger on each write.
        program: Name of the program.
        clock: Seconds since the epoch.
    """

    def __init__(
        self, environ: Mapping[str, str], program: str, clock: Callable[[], float] = time.time
    ) -> None:
        self.program, self.clock = program, clock
        self._environ = environ
        self._process = os.getpid()
        self._written = 0

    def write(self, row: EgressRow) -> None:
        """Write a row; do nothing if that is impossible."""
        if os.getpid() != self._process:
            return  # a forked copy of the process: the connection belongs to the original
        path = ledger_file(self._environ)
        with suppress(OSError):
            if self._written % _ROOM_EVERY == 0:
                make_room(path, self.clock())
            self._written += 1
            add(path, row)


class Flow:
    """One connection, from its opening to its end; without a recorder it is only counted.

    Attributes:
        row: The connection as last written.
    """

    def __init__(self, row: EgressRow, recorder: Recorder | None) -> None:
        self.row = row
        self._recorder = recorder
        self._out = self._in = 0
        self._closed = False
        self._lock = Lock()
        if recorder is not None:
            recorder.write(row)

    @property
    def total(self) -> tuple[int, int]:
        """Bytes sent and received so far."""
        return self._out, self._in

    def count_sent(self, size: int) -> None:
        """Add to the number of bytes sent."""
        self._out += size
        self._now_and_then()

    def count_received(self, size: int) -> None:
        """Add to the number of bytes received."""
        self._in += size
        self._now_and_then()

    def through_proxy(self, host: str, port: int) -> None:
        """Record that the connection goes to a proxy, and its real destination."""
        here = f"{self.row.host}:{self.row.port}"
        self.row = replace(self.row, host=_short(host), port=port, via=here)
        self._write(still_open=True)

    def close(self) -> None:
        """Record the end of the connection; harmless if called twice."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        _open.discard(self)
        self._write(still_open=False)

    def _now_and_then(self) -> None:
        if self._recorder is not None and self._recorder.clock() - self.row.until >= EVERY_S:
            self._write(still_open=not self._closed)

    def _write(self, *, still_open: bool) -> None:
        if self._recorder is None:
            return
        self.row = replace(
            self.row,
            until=self._recorder.clock(),
            sent=self._out,
            received=self._in,
            open=still_open,
        )
        self._recorder.write(self.row)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    why: Why | None = None
    account: str | None = None


_said: ContextVar[_Said] = ContextVar("egress", default=_Said())  # noqa: B039
_open: set[Flow] = set()
_current: tuple[object, Recorder] | None = None
"""The last result of `get_recording`, and its recorder."""


@contextmanager
def reason(why: Why | None = None, account: str | None = None) -> Generator[None, None, None]:
    """Set the reason or account of connections opened in this block; overrides the opener's own."""
    before = _said.get()
    token = _said.set(_Said(why=why or before.why, account=account or before.account))
    try:
        yield
    finally:
        _said.reset(token)


def start_flow(host: str, port: int, why: Why, account: str = "") -> Flow:
    """Count a connection that was just opened.

    Args:
        host: The other end.
        port: Its port; 0 for a socket of this machine.
        why: Purpose of the connection, unless set by `reason`.
        account: Account of the connection, unless set by `reason`.
    """
    said, recorder = _said.get(), _recorder()
    now = 0.0 if recorder is None else recorder.clock()
    row = EgressRow(
        id=os.urandom(8).hex(),
        at=now,
        until=now,
        program="" if recorder is None else recorder.program,
        account=_short(said.account or account),
        host=_short(host),
        port=port,
        via="",
        why=said.why or why,
        sent=0,
        received=0,
        open=True,
    )
    flow = Flow(row, recorder)
    if recorder is not None:
        _open.add(flow)
    return flow


def close_all() -> None:
    """Close and record all open connections, at the end of the program."""
    for flow in list(_open):
        flow.close()


def _recorder() -> Recorder | None:
    global _current
    told = get_recording()
    if told is None:
        return None
    if _current is None:
        atexit.register(close_all)
    if _current is None or _current[0] is not told:
        _current = (told, Recorder(*told))
    return _current[1]


def _short(name: str) -> str:
    return name[:_LONGEST]
