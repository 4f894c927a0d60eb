"""Limits a mailbox to one batch at a time, over all processes that serve it. Entry: `BatchTurn`.

Outlook runs four requests per mailbox at once, and the parts of a batch four at a time, so that one batch uses all of a
mailbox's concurrency (https://learn.microsoft.com/graph/throttling-limits#outlook-service-limits).
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from types import TracebackType

from gaia_email_registry.paths import ensure_private_directory

_LOOK_S = 0.02
"""Seconds between tries to get the lock from another process."""

if sys.platform == "win32":

    def _try_lock(descriptor: int) -> bool:
        """Return True: processes do not wait for one another on Windows."""
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        """Return True if the lock was acquired; closing the file releases it."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class BatchTurn:
    """Async context manager for one batch. Waiters in this process keep their order; other processes come in between.

    Args:
        path: The lock file; None if no other process can serve the mailbox.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._own = asyncio.Lock()
        self._descriptor = -1

    async def __aenter__(self) -> None:
        await self._own.acquire()
        if self._path is None:
            return
        try:
            ensure_private_directory(self._path.parent)
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
            try:
                while not _try_lock(descriptor):
                    await asyncio.sleep(_LOOK_S)
            except BaseException:
                os.close(descriptor)
                raise
            self._descriptor = descriptor
        except BaseException:
            self._own.release()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        self._own.release()
