"""How far a long call is, for a client that asked to be told. Entries: `telling`, `tell`, `teller`.

A context variable and not an argument: a mailbox inside wrappers tells, the tool surface hears.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar

Listener = Callable[[float, float | None], Awaitable[object]]
"""Takes what is done, and what there is in all where that is known."""

Teller = Callable[[float, float | None], None]
"""Tells from a thread."""


class _Hearing:
    """Who listens, and what was said; it says only what is more, as MCP has it."""

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
        """Until all is said."""
        await asyncio.gather(*self._saying, return_exceptions=True)

    def close(self) -> None:
        """Nothing is said after the answer."""
        self._open = False


_HEARING: ContextVar[_Hearing | None] = ContextVar("gaia_mail_progress", default=None)


@asynccontextmanager
async def telling(listener: Listener) -> AsyncGenerator[None, None]:
    """What is told inside goes to `listener`."""
    hearing = _Hearing(listener)
    token = _HEARING.set(hearing)
    try:
        yield
        await hearing.settle()
    finally:
        hearing.close()
        _HEARING.reset(token)


def is_heard() -> bool:
    """Whether somebody listens."""
    return _HEARING.get() is not None


async def tell(done: float, total: float | None = None) -> None:
    """So much is done; nothing happens where nobody listens."""
    hearing = _HEARING.get()
    if hearing is not None:
        await hearing.say(done, total)


def teller() -> Teller | None:
    """What tells from a thread that is started now; None where nobody listens."""
    hearing = _HEARING.get()
    if hearing is None:
        return None
    loop = asyncio.get_running_loop()

    def tell_from_thread(done: float, total: float | None) -> None:
        loop.call_soon_threadsafe(hearing.say_soon, done, total)

    return tell_from_thread
