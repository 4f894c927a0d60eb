"""Two hundred readers while other processes write, and are killed at it; on SQLite, with `-m postgresql` there."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from multiprocessing import get_context

import pytest

from gaia_email.app import App
from gaia_email.app.services.feed import EventFeed
from gaia_email.ledger import LedgerEvent, open_ledger
from tests.feed.conftest import WAIT_S, take
from tests.feed.writer import write_some, write_until_killed
from tests.ledger.postgresql_server import started

PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.feed.writer"])
READERS, KILLED = 200, 20
WRITTEN = 15
"""Events that each writer has written at least before it is killed."""

pytestmark = pytest.mark.timeout(180)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def app(request: pytest.FixtureRequest) -> Iterator[App]:
    """A program with a ledger of that kind."""
    if request.param == "sqlite":
        yield App(environ=dict(os.environ))
        return
    with started() as url:
        yield App(environ={**os.environ, "GAIA_EMAIL_DATABASE_URL": url})


def test_what_another_process_writes_is_noticed(app: App) -> None:
    open_ledger(environ=app.environ).close()

    async def read() -> None:
        async with EventFeed(app) as feed, aclosing(feed.events(after=0)) as events:
            for count in (1, 5):
                following = asyncio.ensure_future(take(events, count))
                writer = PROCESSES.Process(target=write_some, args=(dict(app.environ), count))
                writer.start()
                assert len(await following) == count
                await asyncio.to_thread(writer.join, WAIT_S)

    asyncio.run(read())


class SeenNumbers:
    """One reader: what it got, how slow it is, and after how many events it comes back anew."""

    def __init__(self, number: int) -> None:
        self.numbers: list[int] = []
        self.leaves_after = (None, 150, 60)[number % 3]
        self.is_slow = number % 20 == 0

    async def read(self, feed: EventFeed) -> None:
        """Until the feed is closed."""
        while True:
            after = self.numbers[-1] if self.numbers else 0
            came = 0
            async with aclosing(feed.events(after=after)) as events:
                async for event in events:
                    assert isinstance(event, LedgerEvent), "nothing was pruned"
                    self.numbers.append(event.seq)
                    came += 1
                    if self.is_slow:
                        for _ in range(3):
                            await asyncio.sleep(0)
                    if came == self.leaves_after:
                        break
                else:
                    return


def test_each_of_200_readers_gets_every_number_once_in_order_while_writers_are_killed(app: App) -> None:
    open_ledger(environ=app.environ).close()
    readers = [SeenNumbers(number) for number in range(READERS)]

    async def reading(rounds: int) -> int:
        """With a program of its own, as it were: another feed, to which the readers come back. The last number."""
        async with EventFeed(app, held=200) as feed:
            tasks = [asyncio.ensure_future(reader.read(feed)) for reader in readers]
            async with aclosing(feed.events()) as events:
                for _ in range(rounds):
                    writer = PROCESSES.Process(target=write_until_killed, args=(dict(app.environ),))
                    writer.start()
                    await take(events, WRITTEN)
                    writer.kill()
                    await asyncio.to_thread(writer.join, WAIT_S)
            # SQLite may find one more transaction of a writer that was killed, but only once everybody has closed it.
            last = await asyncio.to_thread(_last, app)
            await _all_have(readers, last, tasks)
        await asyncio.gather(*tasks)
        return last

    last = [asyncio.run(reading(KILLED // 4)) for _ in range(4)][-1]
    assert last >= KILLED * WRITTEN
    for reader in readers:
        assert reader.numbers == [*range(1, last + 1)]


async def _all_have(readers: list[SeenNumbers], last: int, tasks: Sequence[asyncio.Future[None]]) -> None:
    async with asyncio.timeout(60):
        while any(not reader.numbers or reader.numbers[-1] < last for reader in readers):
            assert not [task for task in tasks if task.done() and task.exception()]
            await asyncio.sleep(0.01)


def _last(app: App) -> int:
    with open_ledger(environ=app.environ) as ledger, ledger.read() as tx:
        return ledger.events.last(tx)
