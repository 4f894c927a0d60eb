"""One batch at a time for a mailbox, over all processes that serve it. Entry: `BatchTurn`.

Outlook runs four requests of a mailbox at once and the parts of a batch four at a time, so one batch is all there is
to a mailbox's concurrency (https://learn.microsoft.com/graph/throttling-limits#outlook-service-limits).
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from types import TracebackType

from gaia_email_registry.paths import ensure_private_directory

_LOOK_S = 0.02
"""How often to look whether another process is through."""

if sys.platform == "win32":

    def _locked(descriptor: int) -> bool:
        """Always: here processes do not wait for one another."""
        return True

else:
    import fcntl

    def _locked(descriptor: int) -> bool:
        """Whether the lock is ours now; closing the file gives it back."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class BatchTurn:
    """Held with `async with`; those of this process come in order, other processes between them.

    Args:
        path: The file that is locked; None where no other process can have the mailbox.
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
                while not _locked(descriptor):
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
