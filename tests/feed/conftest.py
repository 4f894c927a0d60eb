"""A home with a ledger, and what writes to it and reads the feed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

import pytest

from gaia_email.app import App
from gaia_email.app.services.feed import EventFeed, FeedReset
from gaia_email.ledger import Ledger, LedgerEvent, NewLedgerEvent, open_ledger

START = 1_790_000_000.0
NEVER_S = 3600.0
"""A look that no test lives to see: what is noticed was noticed without it."""
WAIT_S = 30.0


@dataclass
class FeedClock:
    now: float = START

    def __call__(self) -> float:
        return self.now


@dataclass
class Log:
    """The ledger of the test's home, and a way to write events to it."""

    ledger: Ledger
    clock: FeedClock
    app: App = field(default_factory=App)

    def write(self, count: int = 1, *, kind: str = "x.y", account: str = "a", run: str = "r") -> None:
        event = NewLedgerEvent(kind=kind, account_id=account, run_id=run)
        with self.ledger.write() as tx:
            self.ledger.events.append(tx, *[event] * count)

    def prune(self) -> int:
        """Forget every event that there is; the number of the one that says so."""
        with self.ledger.write() as tx:
            self.ledger.events.prune(tx, float("inf"))
            return self.ledger.events.last(tx)

    @property
    def last(self) -> int:
        with self.ledger.read() as tx:
            return self.ledger.events.last(tx)


@pytest.fixture
def log() -> Iterator[Log]:
    clock = FeedClock()
    with open_ledger(clock=clock) as ledger:
        yield Log(ledger, clock, App(environ=dict(os.environ), clock=clock))


Events = AsyncGenerator[LedgerEvent | FeedReset, None]


async def take(events: Events, count: int) -> list[LedgerEvent | FeedReset]:
    """The next so many."""
    async with asyncio.timeout(WAIT_S):
        return [await anext(events) for _ in range(count)]


async def take_until(feed: EventFeed, seq: int, after: int | None = 0) -> list[LedgerEvent | FeedReset]:
    """All from a number on up to another, by a reader that then leaves."""
    taken: list[LedgerEvent | FeedReset] = []
    async with asyncio.timeout(WAIT_S), aclosing(feed.events(after=after)) as events:
        async for event in events:
            taken.append(event)
            if isinstance(event, LedgerEvent) and event.seq >= seq:
                break
    return taken


def numbers(taken: Sequence[LedgerEvent | FeedReset]) -> list[int | str]:
    """The numbers, and for a reset `oldest N`."""
    return [event.seq if isinstance(event, LedgerEvent) else f"oldest {event.oldest}" for event in taken]
