"""The events of the ledger as they are written, for any number of readers. Entry point: `EventFeed`.

```python
async with EventFeed(app) as feed:
    async with aclosing(feed.events(after=412, kinds=("action.*",))) as events:
        async for event in events:       # each number once, in order; or a FeedReset
            ...
```

One thread reads each new event once; the newest events stay in memory, and every reader takes them from there
at its own pace. A reader that falls behind, or starts earlier, reads the log itself until it has caught up.
So no event is lost, a slow reader delays nobody, and writing costs the same for any number of readers.
"""

from __future__ import annotations

import asyncio
import threading
from bisect import bisect_right
from collections.abc import AsyncGenerator, Callable, Collection, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import Self, TypeVar

from gaia_email.app import App
from gaia_email.ledger import EventFilter, Ledger, LedgerEvent, LogPage
from gaia_email.ledger.noticing import LOOK_S, WriteWatch
from gaia_email_registry.errors import InternalError

HELD = 1000
"""The number of newest events kept in memory."""

PAGE = 100
"""Events that a reader takes from the log at a time, which is also the most it buffers."""

Result = TypeVar("Result")
Told = TypeVar("Told")


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedReset:
    """Events that the reader has not seen are gone: they were pruned, or its number belongs to another ledger.

    Attributes:
        oldest: The number of the oldest event that still exists, with which the reader continues.
    """

    oldest: int


class EventFeed:
    """The event log of one ledger, followed in one event loop. An async context manager."""

    def __init__(self, app: App, *, look_s: float = LOOK_S, held: int = HELD) -> None:
        """Create a feed that opens the ledger when it is entered.

        Args:
            app: The running program.
            look_s: Seconds between polls of a SQLite file; writes by this process are noticed at once.
            held: The number of newest events kept in memory.
        """
        self._app = app
        self._look_s = look_s
        self._held = held
        self._ledger: Ledger | None = None
        self._live: _LiveEvents | None = None
        self._threads: list[threading.Thread] = []
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="event log")

    async def __aenter__(self) -> Self:
        """Open the ledger.

        Raises:
            MailError: It cannot be opened.
        """
        self._ledger = await self._run(lambda: self._app.ledger(read_only=True))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End every reader's events and close the ledger; safe to call twice."""
        ledger, self._ledger = self._ledger, None
        if ledger is None:
            return
        if self._live is not None:
            self._live.stop()
        for thread in self._threads:
            await self._run(thread.join)
        await self._run(ledger.close)
        self._reading.shutdown(wait=False)

    async def events(
        self,
        *,
        after: int | None = None,
        kinds: Collection[str] = (),
        account_id: str | None = None,
        run_id: str | None = None,
    ) -> AsyncGenerator[LedgerEvent | FeedReset, None]:
        """Yield every event after a number, oldest first, each once, until the feed is closed.

        A reader that stops early must close the generator (`contextlib.aclosing`); while there are no
        readers, the log is not followed.

        Args:
            after: The number of the last event that the reader has seen; 0 for all events from the first on, None for
                those from now on.
            kinds: Only these kinds, each of which may end in `.*`; empty for all.
            account_id: Only events of this account.
            run_id: Only events of this run.

        Raises:
            MailError: The log cannot be read; a reader that resumes with its last number misses nothing.
        """
        wanted = EventFilter(kinds=tuple(kinds), account_id=account_id, run_id=run_id)
        with self._followed() as (live, woken):
            await live.begun.wait()
            position = live.last if after is None else after
            while not live.stopped:
                woken.clear()
                live.check()
                page = live.page(position, wanted) or await self._page(position, wanted)
                if not page.pruned <= position <= page.last:
                    yield FeedReset(oldest=page.pruned + 1)
                    position = page.pruned
                    continue
                for event in page.events:
                    yield event
                position = page.reached
                if position >= live.last:
                    await woken.wait()

    async def _page(self, position: int, wanted: EventFilter) -> LogPage:
        ledger = self._open()

        def read() -> LogPage:
            with ledger.read() as tx:
                return ledger.events.page(tx, position, wanted, limit=PAGE)

        return await self._run(read)

    def _open(self) -> Ledger:
        if self._ledger is None:
            raise InternalError("The event feed is not open.")
        return self._ledger

    async def _run(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._reading, work)

    @contextmanager
    def _followed(self) -> Generator[tuple[_LiveEvents, asyncio.Event], None, None]:
        """Yield the source of events for all readers, and the flag that is set when there are new ones."""
        live = self._live
        if live is None or live.failure is not None:
            live = self._live = _LiveEvents(self._open(), look_s=self._look_s, held=self._held)
            self._threads = [*filter(threading.Thread.is_alive, self._threads), live.start()]
        woken = asyncio.Event()
        live.readers.add(woken)
        try:
            yield live, woken
        finally:
            live.readers.discard(woken)
            if not live.readers:
                live.stop()
                if self._live is live:
                    self._live = None


class _LiveEvents:
    """The newest events, and the thread that adds new ones until it is stopped or fails.

    Everything but `_look` and the functions it calls belongs to the event loop.

    Attributes:
        readers: Flags of the readers, each set when there is something new.
        begun: Set once the log was first read, or reading it failed.
        last: The number up to which the log was read.
        failure: The error that ended the thread.
        stopped: True once the thread was asked to end.
    """

    def __init__(self, ledger: Ledger, *, look_s: float, held: int) -> None:
        self.readers: set[asyncio.Event] = set()
        self.begun = asyncio.Event()
        self.last = 0
        self.failure: Exception | None = None
        self.stopped = False
        self._pruned = 0
        self._floor = 0
        self._events: list[LedgerEvent] = []
        self._ledger = ledger
        self._look_s = look_s
        self._held = held
        self._loop = asyncio.get_running_loop()
        self._watch: WriteWatch | None = None

    def start(self) -> threading.Thread:
        """Start following the log; return the thread."""
        thread = threading.Thread(target=self._run, name="event feed", daemon=True)
        thread.start()
        return thread

    def stop(self) -> None:
        """Stop following the log, and wake waiting readers."""
        self.stopped = True
        if self._watch is not None:
            self._watch.stop()
        self._wake()

    def check(self) -> None:
        """Raise the error that ended the thread, if any."""
        if self.failure is not None:
            raise self.failure

    def page(self, position: int, wanted: EventFilter) -> LogPage | None:
        """Return the matching events after `position`, or None if they are not all in memory."""
        if not self._floor <= position <= self.last:
            return None
        first = bisect_right(self._events, position, key=_number)
        events = [event for event in self._events[first:] if wanted.matches(event)]
        return LogPage(events=events, reached=self.last, last=self.last, pruned=self._pruned)

    def _run(self) -> None:
        try:
            self._look()
        except Exception as error:  # waiting readers receive any error
            self._tell(self._failed, error)

    def _look(self) -> None:
        with closing(self._ledger.watch(look_s=self._look_s)) as watch:
            self._watch = watch
            with self._ledger.read() as tx:
                seq = max(0, self._ledger.events.last(tx) - self._held)
            self._tell(self._began, seq)
            while not self.stopped:
                with self._ledger.read() as tx:
                    page = self._ledger.events.page(tx, seq, limit=self._held)
                self._tell(self._arrived, page)
                seq = page.reached
                if seq >= page.last and not watch.wait():
                    return

    def _tell(self, hear: Callable[[Told], None], told: Told) -> None:
        with suppress(RuntimeError):  # the loop has ended, and with it every reader
            self._loop.call_soon_threadsafe(hear, told)

    def _began(self, floor: int) -> None:
        self._floor = self.last = floor

    def _arrived(self, page: LogPage) -> None:
        if page.last < self.last:  # the ledger was replaced by another one
            self._events.clear()
            self._floor = page.last
        is_news = page.reached != self.last or not self.begun.is_set()
        self._events += page.events
        self.last = page.reached
        self._pruned = page.pruned
        gone = max(len(self._events) - self._held, bisect_right(self._events, page.pruned, key=_number))
        if gone > 0:
            self._floor = self._events[gone - 1].seq
            del self._events[:gone]
        self._floor = max(self._floor, page.pruned)
        if is_news and page.reached == page.last:
            self._wake()

    def _failed(self, error: Exception) -> None:
        self.failure = error
        self._wake()

    def _wake(self) -> None:
        self.begun.set()
        for woken in self.readers:
            woken.set()


def item_ids_of(event: LedgerEvent) -> list[str]:
    """Return the items of the Agent Inbox that an event raised, answered or closed."""
    ids = event.payload.get("item_ids")
    if isinstance(ids, list):
        return [str(one) for one in ids]
    one = event.payload.get("item_id")
    return [one] if isinstance(one, str) else []


def _number(event: LedgerEvent) -> int:
    return event.seq
