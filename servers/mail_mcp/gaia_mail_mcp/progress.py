"""Progress of a long call, for clients that asked for it. Entries: `telling`, `tell`, `teller`.

It is passed in a context variable rather than an argument: a mailbox reports through any wrappers around it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar

Listener = Callable[[float, float | None], Awaitable[object]]
"""Receives the amount done, and the total if it is known."""

Teller = Callable[[float, float | None], None]
"""Reports progress from a thread."""


class _Hearing:
    """A listener and the last progress it received; progress only increases, as MCP requires."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._said = float("-inf")
        self._saying: set[asyncio.Task[None]] = set()
        self._open = True

    async def say(self, done: float, total: float | None) -> None:
        if self._open and done > self._said:
            self._said = done
            await self._listener(done, total)

    def say_soon(self, done: float, total: float | None) -> None:
        if self._open:
            task = asyncio.get_running_loop().create_task(self.say(done, total))
            self._saying.add(task)
            task.add_done_callback(self._saying.discard)

    async def settle(self) -> None:
        """Wait until all reports are delivered."""
        await asyncio.gather(*self._saying, return_exceptions=True)

    def close(self) -> None:
        """Stop reporting: no progress may follow the result."""
        self._open = False


_HEARING: ContextVar[_Hearing | None] = ContextVar("gaia_mail_progress", default=None)


@asynccontextmanager
async def telling(listener: Listener) -> AsyncGenerator[None, None]:
    """Send the progress reported in the block to `listener`."""
    hearing = _Hearing(listener)
    token = _HEARING.set(hearing)
    try:
        yield
        await hearing.settle()
    finally:
        hearing.close()
        _HEARING.reset(token)


def is_heard() -> bool:
    """Return True if a client listens."""
    return _HEARING.get() is not None


async def tell(done: float, total: float | None = None) -> None:
    """Report progress; does nothing if no client listens."""
    hearing = _HEARING.get()
    if hearing is not None:
        await hearing.say(done, total)


def teller() -> Teller | None:
    """Return a function that reports progress from a thread started now; None if no client listens."""
    hearing = _HEARING.get()
    if hearing is None:
        return None
    loop = asyncio.get_running_loop()

    def tell_from_thread(done: float, total: float | None) -> None:
        loop.call_soon_threadsafe(hearing.say_soon, done, total)

    return tell_from_thread
