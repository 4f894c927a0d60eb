"""Notices when files may have changed, without constant polling. Entry: `FileWatcher`.

watchfiles provides inotify and FSEvents. If they are not available, callers poll every `POLL_WITHOUT_NOTICE_S` seconds;
otherwise every `POLL_S`, because network drives report no changes.
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
    """Counts change notices. Read `count` before checking the files, then `wait` for another value.

    A change after `start` is never missed: either the check sees it, or it increases `count` afterwards and `wait`
    returns at once.
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
        """True if the system reports changes; otherwise callers must poll."""
        return self._thread is not None

    def start(self) -> None:
        """Start to watch; changes after this returns are noticed. Safe to call again."""
        if self._loop is not None:
            return
        self._loop = asyncio.get_running_loop()
        # The documented low-level class: unlike `awatch` it watches from its creation on.
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
        """Wait until `count` is outdated, until it is time to check anyway, or for `timeout_s`."""
        if self.count != count:
            return
        self._changed.clear()
        limit = min(timeout_s, POLL_S if self.noticing else POLL_WITHOUT_NOTICE_S)
        try:
            await asyncio.wait_for(self._changed.wait(), limit)
        except TimeoutError:
            return

    async def aclose(self) -> None:
        """Stop watching; safe to call twice."""
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
