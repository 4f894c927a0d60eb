"""Wakes those who wait for a change. Entry: `Notifier`."""

from __future__ import annotations

import asyncio

_LONGEST_S = 3600.0


class Notifier:
    """Who looks first and waits then, without an `await` between, misses no call of `notify` (one event loop)."""

    def __init__(self) -> None:
        self._waiting: dict[int, asyncio.Future[None]] = {}

    def notify(self) -> None:
        """Wake everybody who waits."""
        for future in self._waiting.values():
            if not future.done():
                future.set_result(None)

    async def wait(self, timeout_s: float) -> None:
        """Until the next `notify`, `timeout_s` at most."""
        future = asyncio.get_running_loop().create_future()
        self._waiting[id(future)] = future
        try:
            await asyncio.wait([future], timeout=min(timeout_s, _LONGEST_S))
        finally:
            del self._waiting[id(future)]
            future.cancel()
