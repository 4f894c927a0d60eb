"""The feed: every number once and in order, whoever writes, however slow the reader, whatever was pruned."""

from __future__ import annotations

import asyncio
import threading
from contextlib import aclosing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import event, text
from sqlalchemy.pool import Pool

from gaia_email.app import App
from gaia_email.app.services.feed import EventFeed
from gaia_email.ledger import open_ledger
from gaia_email_registry.errors import ProviderError
from tests.feed.conftest import NEVER_S, WAIT_S, Events, FeedClock, Log, numbers, take, take_until


def test_a_reader_gets_what_is_kept_and_then_what_is_written(log: Log) -> None:
    log.write(250)

    async def read() -> None:
        async with (
            EventFeed(log.app, look_s=NEVER_S, held=20) as feed,
            aclosing(feed.events(after=0)) as events,
        ):
            assert numbers(await take(events, 250)) == [*range(1, 251)]
            for count in (1, 3, 40):
                first = log.last + 1
                log.write(count)
                assert numbers(await take(events, count)) == [*range(first, first + count)]

    asyncio.run(read())


def test_without_a_number_it_begins_with_what_comes_next(log: Log) -> None:
    log.write(3)

    async def read() -> None:
        async with EventFeed(log.app, look_s=NEVER_S) as feed, aclosing(feed.events()) as events:
            following = asyncio.ensure_future(take(events, 1))
            async with aclosing(feed.events(after=2)) as others:
                await take(others, 1)  # by now the first one has begun, too
            log.write(1)
            assert numbers(await following) == [4]

    asyncio.run(read())


@pytest.mark.parametrize("held", [1000, 1])
def test_kinds_account_and_run_are_told_apart_in_memory_and_in_the_log(log: Log, held: int) -> None:
    for kind in ("action.applied", "action.failed", "actions", "run.started"):
        log.write(kind=kind)
        log.write(kind=kind, account="b", run="s")

    async def read() -> None:
        async with EventFeed(log.app, look_s=NEVER_S, held=held) as feed:

            async def found(count: int, **wanted: object) -> list[int | str]:
                async with aclosing(feed.events(after=0, **wanted)) as events:  # type: ignore[arg-type]
                    return numbers(await take(events, count))

            assert await found(4, kinds=("action.*",)) == [1, 2, 3, 4]
            assert await found(3, kinds=("action.*", "run.started"), account_id="a") == [1, 3, 7]
            assert await found(2, kinds=("actions",)) == [5, 6]
            assert await found(4, run_id="s") == [2, 4, 6, 8]
            assert await found(1, kinds=("run.started",), account_id="b", run_id="s") == [8]

    asyncio.run(read())


def test_a_slow_reader_loses_nothing_and_holds_nobody_up(log: Log) -> None:
    log.write(1)

    async def read() -> None:
        async with (
            EventFeed(log.app, look_s=NEVER_S, held=10) as feed,
            aclosing(feed.events(after=0)) as slow,
        ):
            await take(slow, 1)
            for _ in range(30):
                log.write(25)
                await take_until(feed, log.last, after=log.last - 5)
            assert numbers(await take(slow, 750)) == [*range(2, 752)]

    asyncio.run(read())


@pytest.mark.parametrize("after", [0, 3, 6])
def test_a_number_that_was_pruned_gives_one_reset_with_the_oldest_kept(log: Log, after: int) -> None:
    log.write(7)
    pruned = log.prune()
    log.write(2)

    async def read() -> None:
        async with EventFeed(log.app, look_s=NEVER_S) as feed:
            taken = await take_until(feed, log.last, after=after)
            assert numbers(taken) == ["oldest 8", pruned, pruned + 1, pruned + 2]
            assert numbers(await take_until(feed, log.last, after=7)) == [8, 9, 10]

    asyncio.run(read())


def test_what_was_pruned_is_not_given_from_memory_either(log: Log) -> None:
    log.write(5)

    async def read() -> None:
        async with EventFeed(log.app, look_s=NEVER_S) as feed, aclosing(feed.events(after=4)) as events:
            assert numbers(await take(events, 1)) == [5]
            log.prune()
            assert numbers(await take(events, 1)) == [6]
            assert numbers(await take_until(feed, 6, after=2)) == ["oldest 6", 6]

    asyncio.run(read())


def test_a_number_that_was_never_given_is_one_of_another_ledger(log: Log) -> None:
    log.write(3)

    async def read() -> None:
        async with EventFeed(log.app, look_s=NEVER_S) as feed:
            assert numbers(await take_until(feed, 3, after=900)) == ["oldest 1", 1, 2, 3]

    asyncio.run(read())


steps = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.integers(1, 7)),
        st.tuples(st.sampled_from(["prune", "read"]), st.just(0)),
    ),
    max_size=12,
)


@settings(max_examples=25)
@given(steps=steps, held=st.integers(1, 6))
def test_every_number_comes_once_in_order_or_a_reset_says_where_it_goes_on(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]], held: int
) -> None:
    environ = {"GAIA_HOME": str(tmp_path_factory.mktemp("home"))}
    with open_ledger(environ=environ, clock=FeedClock()) as ledger:
        log = Log(ledger, FeedClock(), App(environ=environ))
        asyncio.run(_follow_through(log, steps, held))


async def _follow_through(log: Log, steps: list[tuple[str, int]], held: int) -> None:
    position = 0
    async with (
        EventFeed(log.app, look_s=NEVER_S, held=held) as feed,
        aclosing(feed.events(after=0)) as events,
    ):
        for step, count in [*steps, ("write", 1), ("read", 0)]:
            if step == "write":
                log.write(count)
            elif step == "prune":
                log.prune()
            while step == "read" and position < log.last:
                (number,) = numbers(await take(events, 1))
                if isinstance(number, str):
                    oldest = int(number.removeprefix("oldest "))
                    assert oldest > position + 1
                    position = oldest - 1
                else:
                    assert number == position + 1
                    position = number


def test_closing_the_feed_ends_its_readers(log: Log) -> None:
    log.write(1)

    async def read() -> None:
        feed = EventFeed(log.app, look_s=NEVER_S)
        async with feed:
            streams = [feed.events(after=0) for _ in range(3)]
            for stream in streams:
                assert numbers(await take(stream, 1)) == [1]
            waiting = [asyncio.ensure_future(_rest(stream)) for stream in streams]
        async with asyncio.timeout(WAIT_S):
            assert await asyncio.gather(*waiting) == [[], [], []]
        await feed.close()

    asyncio.run(read())
    _no_thread_is_left()


async def _rest(events: Events) -> list[int | str]:
    return numbers([event async for event in events])


def test_with_no_reader_left_nothing_is_looked_at(log: Log) -> None:
    async def read() -> None:
        async with EventFeed(log.app) as feed:
            log.write(1)
            await take_until(feed, 1)
            _no_thread_is_left()
            log.write(1)
            assert numbers(await take_until(feed, 2, after=1)) == [2]

    asyncio.run(read())


def _no_thread_is_left() -> None:
    for thread in threading.enumerate():
        if thread.name == "event feed":
            thread.join(WAIT_S)
    assert not [thread for thread in threading.enumerate() if thread.name == "event feed"]


def test_a_log_that_cannot_be_read_is_an_error_and_a_reader_that_comes_back_misses_nothing(log: Log) -> None:
    log.write(2)

    def rename(old: str, new: str) -> None:
        with log.ledger.write() as tx:
            tx.execute(text(f"ALTER TABLE {old} RENAME TO {new}"))

    async def read() -> None:
        async with EventFeed(log.app, look_s=NEVER_S) as feed:
            async with aclosing(feed.events(after=0)) as events:
                assert numbers(await take(events, 2)) == [1, 2]
                rename("events", "elsewhere")
                with pytest.raises(ProviderError):
                    await take(events, 1)
                with pytest.raises(ProviderError):
                    await take_until(feed, 3)
            rename("elsewhere", "events")
            log.write(1)
            assert numbers(await take_until(feed, 3, after=2)) == [3]

    asyncio.run(read())


def test_with_nobody_writing_many_readers_ask_the_database_no_more_than_one(log: Log) -> None:
    log.write(3)
    asked: list[str] = []
    looked = threading.Semaphore(0)

    def note(statement: str) -> None:
        asked.append(statement)
        if statement == "PRAGMA data_version":
            looked.release()

    def traced(connection: object, _: object) -> None:
        connection.set_trace_callback(note)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]

    async def count(readers: int) -> set[str]:
        """What is asked while the file is looked at a hundred times."""
        async with EventFeed(log.app, look_s=0.001) as feed:
            streams = [feed.events(after=2) for _ in range(readers)]
            for stream in streams:
                await take(stream, 1)
            waiting = [asyncio.ensure_future(anext(stream)) for stream in streams]
            for _ in range(3):  # what the last of them began with is over
                await asyncio.to_thread(looked.acquire)
            asked.clear()
            for _ in range(100):
                await asyncio.to_thread(looked.acquire)
            found = set(asked)
            for one in waiting:
                one.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
            return found

    event.listen(Pool, "connect", traced)
    try:
        for readers in (1, 200):
            assert asyncio.run(count(readers)) == {"PRAGMA data_version"}
    finally:
        event.remove(Pool, "connect", traced)


def test_a_ledger_that_cannot_be_opened_is_said_on_entering(tmp_path: Path) -> None:
    (tmp_path / "email").mkdir()
    (tmp_path / "email" / "ledger.db").write_bytes(b"no database at all, but long enough to look like one")

    async def enter() -> None:
        async with EventFeed(App(environ={"GAIA_HOME": str(tmp_path)})):
            raise AssertionError("it was opened")

    with pytest.raises(ProviderError, match="damaged"):
        asyncio.run(enter())
