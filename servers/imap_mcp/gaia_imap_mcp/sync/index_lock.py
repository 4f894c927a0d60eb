"""Lets programs that share an index take turns, so that they do not read the same mail twice. Entry: `Turns`.

The lock is only a courtesy: the index itself rejects outdated work (`IndexOutdated`), so a wait that times out or a
file system without locks does no harm.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

PATIENCE_S = 10.0

_PAUSE_S = 0.02


class Turns:
    """A lock file next to the index; None for an index that is not shared."""

    def __init__(self, index: Path | None) -> None:
        self._path = None if index is None else index.with_name(index.name + ".lock")

    @contextmanager
    def turn(self) -> Generator[None]:
        """Hold the lock, after waiting for other programs at most `PATIENCE_S`."""
        if self._path is None:
            yield
            return
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            yield
            return
        try:
            _lock(descriptor)
            yield
        finally:
            os.close(descriptor)


def _lock(descriptor: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_PAUSE_S)
        except OSError:
            return
        else:
            return
