"""Wakes up tasks that wait for a change. Entry: `Notifier`."""

from __future__ import annotations

import asyncio

_LONGEST_S = 3600.0


class Notifier:
    """Wakes up waiting tasks in one event loop.

    A task that checks its condition and then waits, with no `await` in between, misses no call of `notify`.
    """

    def __init__(self) -> None:
        self._waiting: dict[int, asyncio.Future[None]] = {}

    def notify(self) -> None:
        """Wake up all waiting tasks."""
        for future in self._waiting.values():
            if not future.done():
                future.set_result(None)

    async def wait(self, timeout_s: float) -> None:
        """Wait until the next `notify`, at most `timeout_s` seconds."""
        future = asyncio.get_running_loop().create_future()
        self._waiting[id(future)] = future
        try:
            await asyncio.wait([future], timeout=min(timeout_s, _LONGEST_S))
        finally:
            del self._waiting[id(future)]
            future.cancel()
