"""How far a long call is, for a client that asked to be told. Entries: `telling`, `tell`.

A context variable and not an argument: a mailbox inside wrappers tells, the tool surface hears.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[float, float | None], Awaitable[object]]
"""Takes what is done, and what there is in all where that is known."""

_LISTENER: ContextVar[Listener | None] = ContextVar("gaia_mail_progress", default=None)


@contextmanager
def telling(listener: Listener) -> Generator[None, None, None]:
    """What is told inside goes to `listener`."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


async def tell(done: float, total: float | None = None) -> None:
    """So much is done; nothing happens where nobody listens."""
    listener = _LISTENER.get()
    if listener is not None:
        await listener(done, total)
