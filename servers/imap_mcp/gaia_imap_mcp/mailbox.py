"""An IMAP account as a `Mailbox`: the reading half. Entry: `ImapReader`.

One worker thread runs the account's jobs one after another, so the event loop never waits for the network. The first
listing of a large mailbox is split into steps, between which other jobs can run.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TypeVar

from typing_extensions import override

from gaia_email_registry.contract.wire import Label
from gaia_email_registry.errors import MailError, NotFound, ProviderError
from gaia_imap_mcp.account import ImapAccount
from gaia_imap_mcp.index import views
from gaia_imap_mcp.index.changes import STEP, changes, is_news, now
from gaia_imap_mcp.index.limits import limits
from gaia_imap_mcp.index.schema import is_unwritable, set_aside
from gaia_imap_mcp.index.snoozed import times_of
from gaia_imap_mcp.protocol.errors import ConnectionDropped
from gaia_imap_mcp.protocol.fetch import is_short
from gaia_imap_mcp.protocol.link import HeldConnection
from gaia_imap_mcp.search import search
from gaia_imap_mcp.settings import ImapSettings
from gaia_imap_mcp.sync.idle import POLL_WITHOUT_IDLE_S, IdleWatcher
from gaia_mail.query.grammar import Query
from gaia_mail_mcp import progress
from gaia_mail_mcp.label_names import label_list
from gaia_mail_mcp.mailbox import Changes, IdPage, Mailbox, MailboxStatus, StoredMessage

T = TypeVar("T")

FRESH_S = 2.0
"""The oldest index accepted for reading messages by id; all other calls ask the server first."""

AWAY_S = 6.0
"""The time a restarting server gets to return before `wait` raises."""


class ImapReader(Mailbox):
    """The reading half of an IMAP mailbox; opens nothing before its first method is called."""

    def __init__(self, settings: ImapSettings) -> None:
        self.settings = settings
        self._address = settings.address
        self._link = HeldConnection(settings)
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="gaia-imap")
        self._account: ImapAccount | None = None
        self._watcher: IdleWatcher | None = None
        self._note = ""
        """Why the index is in memory instead of its file; empty if it is not."""
        self._looked = float("-inf")
        self._closed = asyncio.Event()

    @property
    @override
    def account(self) -> str:
        return self._address

    @property
    @override
    def provider(self) -> str:
        return "imap"

    @override
    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> IdPage:
        """Search the account; the cursor is the position of the previous page's last message."""
        instant = dt.datetime.now(dt.UTC)
        return await self._work(
            lambda account: search(account, query, limit=limit, cursor=cursor, now=instant)
        )

    @override
    async def read(self, ids: Sequence[str], *, raw: bool, most: int | None = None) -> list[StoredMessage]:
        """Read messages, without those that another client has removed and without the end of huge ones."""
        return await self._read(ids, raw=raw, most=most, bounded=True)

    async def _read(
        self, ids: Sequence[str], *, raw: bool, most: int | None = None, bounded: bool
    ) -> list[StoredMessage]:
        def load(account: ImapAccount) -> list[StoredMessage]:
            found = views.rows(account.index, ids)
            cut = limits({id_: row.size for id_, row in found.items()}, most) if raw and bounded else {}
            bodies = account.bodies(list(found), cut) if raw else {}
            asleep = times_of(account.index, found.values())
            return [
                StoredMessage(
                    summary=row.summary(self.account),
                    raw=bodies.get(row.id),
                    snoozed_until=asleep.get(row.id),
                    left_out=_left_out(row.size, len(bodies[row.id]), cut.get(row.id)) if raw else 0,
                )
                for row in (found[id_] for id_ in ids if id_ in found)
                if not raw or row.id in bodies
            ]

        return await self._work(load, fresh=self._is_old())

    @override
    async def thread(self, thread_id: str) -> list[str]:
        found = await self._work(lambda account: views.thread(account.index, thread_id), fresh=self._is_old())
        if not found:
            raise NotFound(f"There is no conversation {thread_id[:80]!r}.", argument="thread_id")
        return found

    @override
    async def attachment(self, message_id: str, attachment_id: str) -> tuple[str, str, bytes]:
        stored = await self._read([message_id], raw=True, bounded=False)
        if not stored:
            raise NotFound(f"There is no message {message_id[:80]!r}.", argument="message_id")
        return await asyncio.to_thread(_attachment, stored[0], attachment_id)

    @override
    async def labels(self) -> list[Label]:
        return await self._work(self._labels)

    @override
    async def changes(self, cursor: str | None, *, limit: int) -> Changes:
        """Return a page of changes; during the first listing it holds what has been read so far."""
        found = await self._work(partial(changes, text=cursor, limit=limit, name=self.account), fresh=False)
        self._looked = time.monotonic()
        await self._tell()
        return found

    @override
    async def cursor(self) -> str:
        return str(await self._work(now))

    @override
    async def wait(self, cursor: str, *, timeout_s: float) -> bool:
        """Wait for a change; an unreachable server gets `AWAY_S` to return.

        Listening starts before the first check, and each lost connection is followed by another check, so no change
        is missed.

        Raises:
            NeedsAuth: The server no longer accepts the login.
            ProviderError: The server was unreachable for longer, or exceeded the response bounds.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        away_since, failure = 0.0, None
        while not self._closed.is_set():
            count = self._watcher.count if self._watcher is not None else 0
            pause = timeout_s
            try:
                if await self._is_news(cursor):
                    return True
                failure = None
            except ConnectionDropped as error:
                away_since = loop.time() if failure is None else away_since
                failure, pause = error, self._link.pause_s
                if loop.time() + pause >= away_since + AWAY_S:
                    break
            left = deadline - loop.time()
            if left <= 0 or self._closed.is_set():
                break
            left = min(left, pause, self._until_due_s())
            if self._watcher is None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._closed.wait(), min(left, POLL_WITHOUT_IDLE_S))
            else:
                await self._watcher.wait(count, left)
        if failure is not None and not self._closed.is_set():
            raise failure
        return False

    async def _is_news(self, cursor: str) -> bool:
        """Return True if something changed; the first call starts listening before it checks."""
        if self._watcher is None or self._watcher.was_refused:
            # Fails first, so that the watcher does not repeat a refused login.
            await self._run(ImapAccount.connection)
        if self._closed.is_set():
            return False
        if self._watcher is None:  # a concurrent `wait` may have created it
            self._watcher = IdleWatcher(self.settings)
        watcher = self._watcher
        watcher.start()
        try:
            news, inbox = await self._work(
                lambda account: (is_news(account, cursor), account.inbox_reaches), fresh=False
            )
            watcher.note_check(inbox)
            return news
        except ProviderError:
            if self._closed.is_set():
                return False
            raise

    @override
    async def status(self) -> MailboxStatus:
        """Return the status; if the server cannot be reached, `connected` is False and `errors` has the reason."""
        try:
            errors = await self._run(lambda account: (account.connection(), account.errors)[1])
        except MailError as error:
            return MailboxStatus(connected=False, errors=(error.message,), last_sync=self._last_sync())
        return MailboxStatus(connected=True, errors=errors, last_sync=self._last_sync())

    @override
    async def aclose(self) -> None:
        """Close, interrupting a running job; what it has stored is kept."""
        if self._closed.is_set():
            return
        self._closed.set()
        watcher, self._watcher = self._watcher, None
        if watcher is not None:
            await watcher.aclose()
        closing = self._worker.submit(self._close)
        try:
            await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(closing)), 0.5)
        except TimeoutError:
            self._link.abort()
            await asyncio.wrap_future(closing)
        self._worker.shutdown(wait=False)

    async def _work(self, job: Callable[[ImapAccount], T], *, fresh: bool = True, again: bool = True) -> T:
        """Run a job in the worker thread; with `fresh`, bring the index up to date first.

        Pass `again=False` for a job that must not run twice.
        """
        if fresh:
            while not await self._run(lambda account: account.refresh(limit=STEP)):
                await self._tell()
            self._looked = time.monotonic()

        def when_due_is_done(account: ImapAccount) -> T:
            self._do_due(account)
            return job(account)

        return await self._run(when_due_is_done, again=again)

    def _do_due(self, account: ImapAccount) -> None:
        """Run scheduled work before each job; the reading half has none."""

    def _until_due_s(self) -> float:
        """Return the seconds until scheduled work is due; `wait` does that work and goes on waiting."""
        return float("inf")

    async def _tell(self) -> None:
        """Report the first listing's progress to a client that asked for it."""
        far = await self._run(lambda account: account.first_reading) if progress.is_heard() else None
        if far is not None:
            await progress.tell(*far)

    def _labels(self, account: ImapAccount) -> list[Label]:
        """Return the system labels and the labels of folders and keywords."""
        used = {label for folder in account.index.folders() if (label := folder.label)}
        used.update(views.used_labels(account.index))
        return label_list(used)

    async def _run(self, job: Callable[[ImapAccount], T], *, again: bool = True) -> T:
        if self._closed.is_set():
            raise ProviderError("This mailbox was closed.")
        unwanted = threading.Event()
        try:
            return await asyncio.wrap_future(self._worker.submit(self._do, job, again, unwanted))
        except asyncio.CancelledError:
            unwanted.set()
            raise

    def _do(self, job: Callable[[ImapAccount], T], again: bool, unwanted: threading.Event) -> T:
        """Run a job in the worker thread. If the index fails, replace it and repeat the job if `again` is True."""
        try:
            account = self._open_account()
            account.unwanted = unwanted
            return job(account)
        except sqlite3.DatabaseError as error:
            self._replace_index(error)
            if not again:
                raise ProviderError(
                    f"The index of this mailbox failed halfway ({error}); check what was done before you repeat it."
                ) from error
        account = self._open_account()
        account.unwanted = unwanted
        return job(account)

    def _replace_index(self, error: sqlite3.DatabaseError) -> None:
        """Set a damaged index aside; if the disk cannot be written, keep the index in memory from now on."""
        self._close()
        if is_unwritable(error):
            self._note = (
                f"The index cannot be written ({error}); it is kept in memory, and read from the server again "
                "at the next start."
            )
        elif isinstance(error, sqlite3.OperationalError):
            raise ProviderError(f"The index of this mailbox cannot be used: {error}.") from error
        elif self.settings.cache is not None:
            set_aside(self.settings.cache)

    def _open_account(self) -> ImapAccount:
        if self._account is None:
            settings = replace(self.settings, cache=None) if self._note else self.settings
            self._account = ImapAccount(settings, self._link, self._note)
        return self._account

    def _close(self) -> None:
        account, self._account = self._account, None
        if account is not None:
            account.close()

    def _last_sync(self) -> str | None:
        return self._account.last_sync if self._account is not None else None

    def _is_old(self) -> bool:
        return time.monotonic() - self._looked > FRESH_S


def _left_out(size: int, read: int, limit: int | None) -> int:
    """Return how many bytes of a message are missing: those beyond `limit`, and those the server did not return."""
    missing = max(size - read, 0)
    return missing if limit is not None or is_short(missing, size) else 0


def _attachment(stored: StoredMessage, attachment_id: str) -> tuple[str, str, bytes]:
    from gaia_mail.mime.read import parse_message

    for part in parse_message(stored.raw or b"").attachments:
        if part.id == attachment_id:
            return part.filename, part.content_type, part.content
    raise NotFound(
        f"Message {stored.summary['id']} has no attachment {attachment_id[:80]!r}.", argument="attachment_id"
    )
