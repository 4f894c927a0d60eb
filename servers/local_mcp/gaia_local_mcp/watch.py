"""Tells when files may have changed, without asking them all the time. Entry: `FileWatcher`.

inotify and FSEvents come from watchfiles; where they cannot be had, and on network drives, which tell
nothing, looking again every `POLL_S` seconds does.
"""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify  # pyright: ignore[reportPrivateUsage]

POLL_S = 5.0
POLL_WITHOUT_NOTICE_S = 1.0

_DEBOUNCE_MS = 40
_STEP_MS = 50
_TURN_MS = 60_000


class FileWatcher:
    """Counts notices of change. Take `count` before looking at the files, then `wait` for another one.

    A change after `start` is never missed: either it is seen by looking, or it is counted after `count` was
    taken and `wait` returns at once.
    """

    def __init__(self, paths: list[str], *, recursive: bool) -> None:
        self._paths = paths
        self._recursive = recursive
        self._notify: RustNotify | None = None
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Event()
        self.count = 0

    @property
    def noticing(self) -> bool:
        """Whether the system tells us of changes; else only looking again does."""
        return self._thread is not None

    def start(self) -> None:
        """Begin to watch; when this returns, later changes are noticed. Harmless when called again."""
        if self._loop is not None:
            return
        self._loop = asyncio.get_running_loop()
        # The documented low-level class: unlike `awatch` it watches from the moment it is made.
        from watchfiles._rust_notify import RustNotify  # pyright: ignore[reportPrivateUsage]

        try:
            self._notify = RustNotify(self._paths, False, False, 0, self._recursive, True)
        except (OSError, RuntimeError):
            return
        self._thread = threading.Thread(
            target=self._run, args=(self._notify,), name="gaia-watch", daemon=True
        )
        self._thread.start()

    async def wait(self, count: int, timeout_s: float) -> None:
        """Return when `count` is outdated, when it is time to look anyway, or after `timeout_s`."""
        if self.count != count:
            return
        self._changed.clear()
        limit = min(timeout_s, POLL_S if self.noticing else POLL_WITHOUT_NOTICE_S)
        try:
            await asyncio.wait_for(self._changed.wait(), limit)
        except TimeoutError:
            return

    async def aclose(self) -> None:
        """Stop watching; harmless when called twice."""
        self._stop.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            await asyncio.to_thread(thread.join)
        if self._notify is not None:
            self._notify.close()
            self._notify = None

    def _run(self, notify: RustNotify) -> None:
        while not self._stop.is_set():
            try:
                found = notify.watch(_DEBOUNCE_MS, _STEP_MS, _TURN_MS, self._stop)
            except (OSError, RuntimeError):
                return
            if found in ("stop", "signal"):
                return
            loop = self._loop
            if found == "timeout" or loop is None:
                continue
            try:
                loop.call_soon_threadsafe(self._notice)
            except RuntimeError:  # the loop was closed
                return

    def _notice(self) -> None:
        self.count += 1
        self._changed.set()
