"""A connection that carries one HTTP exchange after another, read on the event loop itself. Entry: `opened`.

A general client takes a request through some thirty layers, which costs as much as everything else that reading a
message needs. Google is asked one thing at a time and answers in full; more than that is not spoken here.
"""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import dataclass

from gaia_gmail_mcp.batch import Answer
from gaia_gmail_mcp.http1 import Oversized, Reading, Unreadable

KEPT_S = 120.0
"""Seconds without an exchange after which a connection is not used again; Google closes them later."""

_QUIET_S = 1.0
"""Seconds after which it is looked whether the server has closed it meanwhile."""


class Broken(Exception):
    """There was no whole answer; what was asked for may have been done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Of an exchange: seconds in which nothing moves, seconds in all, and bytes of the answer, also unpacked."""

    read_s: float
    whole_s: float
    most: int


class Connection(asyncio.Protocol):
    """For one exchange at a time."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._waiter: asyncio.Future[Answer] | None = None
        self._reading = Reading(limits.most)
        self._timer: asyncio.TimerHandle | None = None
        """Of an exchange, or of an earlier one: that it comes too soon then does no harm."""
        self._moved = self._loop.time()
        """When bytes last came, or went."""
        self._ends = 0.0
        """When the exchange must be over."""
        self._unsent = 0

    async def exchange(self, request: bytes) -> Answer:
        """Send, and wait for the whole answer.

        Raises:
            Broken: It broke, or took too long.
            Unreadable: The answer is none.
            Oversized: The answer is larger than was allowed.
        """
        transport = self._transport
        if transport is None or not self.is_open:
            raise Broken
        waiter: asyncio.Future[Answer] = self._loop.create_future()
        self._waiter = waiter
        self._reading = reading = Reading(self._limits.most)
        self._moved = self._loop.time()
        self._ends = self._moved + self._limits.whole_s
        whole = False
        try:
            transport.write(request)
            self._unsent = transport.get_write_buffer_size()
            if self._timer is None:
                soonest = min(self._limits.read_s, self._limits.whole_s)
                self._timer = self._loop.call_later(soonest, self._watch)
            answer = await waiter
            whole = reading.keep
            return answer
        finally:
            self._waiter = None
            if not whole:
                transport.abort()

    @property
    def is_open(self) -> bool:
        """Whether it was not closed yet, as far as is known."""
        return self._transport is not None and not self._transport.is_closing()

    async def is_usable(self) -> bool:
        """Whether another exchange can be tried."""
        quiet = self._loop.time() - self._moved
        if quiet > _QUIET_S:
            for _ in range(2):  # one turn of the loop to hear that the server has closed it, one to act on it
                await asyncio.sleep(0)
        return self.is_open and quiet < KEPT_S

    def close(self) -> None:
        """Give up what is under way."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.Protocol`."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        self._moved = self._loop.time()
        waiter = self._waiter
        if waiter is None or waiter.done():  # nobody asked
            self.close()
            return
        try:
            if self._reading.feed(data):
                waiter.set_result(self._reading.answer())
        except (Unreadable, Oversized) as error:
            waiter.set_exception(error)

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        if self._timer is not None:
            self._timer.cancel()
        waiter = self._waiter
        if waiter is None or waiter.done():
            return
        if exc is not None or not self._reading.ends_with_connection:
            waiter.set_exception(Broken())
            return
        try:
            waiter.set_result(self._reading.answer())
        except (Unreadable, Oversized) as error:
            waiter.set_exception(error)

    def _watch(self) -> None:
        """Give up what has taken too long, else look again when that could be."""
        self._timer = None
        if self._waiter is None or self._waiter.done():
            return
        now = self._loop.time()
        unsent = self._transport.get_write_buffer_size() if self._transport is not None else 0
        if unsent < self._unsent:
            self._unsent, self._moved = unsent, now
        left = min(self._moved + self._limits.read_s, self._ends) - now
        if left > 0:
            self._timer = self._loop.call_later(left, self._watch)
        else:
            self._waiter.set_exception(Broken())


async def opened(host: str, port: int, tls: ssl.SSLContext | None, limits: Limits) -> Connection:
    """A new connection to a server whose certificate `tls` accepts for that host; without, in the clear.

    Raises:
        OSError: There is none.
    """
    loop = asyncio.get_running_loop()
    _, connection = await loop.create_connection(
        lambda: Connection(limits), host, port, ssl=tls, happy_eyeballs_delay=0.25
    )
    return connection
