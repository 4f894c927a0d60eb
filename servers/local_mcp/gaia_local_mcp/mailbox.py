"""Mail files as a `Mailbox`: the reading half, for any kind of file. Entry: `LocalMailbox`.

`maildir_mailbox.MaildirMailbox` adds the writes. Worker threads read the files, one at a time, so the event loop is not
blocked while a large mailbox is read for the first time.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from typing_extensions import override

from gaia_email_registry.clock import utc_now
from gaia_email_registry.contract.wire import Label, Summary
from gaia_email_registry.errors import BadArgument, MailError, NotFound
from gaia_local_mcp.changes import changes, parse_cursor
from gaia_local_mcp.entry import IndexEntry
from gaia_local_mcp.index import MailIndex, SourceListing, listing_of
from gaia_local_mcp.origin import Origin
from gaia_local_mcp.store import IndexStore
from gaia_local_mcp.watch import FileWatcher
from gaia_mail.exchanged import counts_as_exchanged
from gaia_mail.files.location import read_location
from gaia_mail.header_facts import summary_of
from gaia_mail.query.grammar import Query
from gaia_mail_mcp import progress
from gaia_mail_mcp.label_names import label_list
from gaia_mail_mcp.mailbox import (
    Capability,
    Changes,
    Draft,
    IdPage,
    Mailbox,
    MailboxStatus,
    StoredMessage,
    WriteOutcome,
)

if TYPE_CHECKING:
    from gaia_mail.snippet import Glance

T = TypeVar("T")

GLANCES = 2000
"""Maximum number of cached glances at messages, enough for a page or two."""

READ_ONLY = (
    "This mailbox cannot be changed: only a Maildir can; mbox files and folders of messages are only read."
)


class LocalMailbox(Mailbox):
    """A mailbox over files. Every method first checks if the files have changed."""

    def __init__(self, origin: Origin, account: str, *, index: Path | None = None) -> None:
        """Create the mailbox without opening any file.

        Args:
            origin: The files.
            account: The name of the mailbox.
            index: File that keeps the index between runs, for a caller that has a copy of the listing. While nothing
                has changed since, messages that are read with `raw` have no thread id, so that the index need not be
                loaded.
        """
        self._name = account
        self._store = None if index is None else IndexStore(index)
        self._origin = origin
        self._lock = asyncio.Lock()
        self._index: MailIndex | None = None
        self._watcher: FileWatcher | None = None
        self._last_look: str | None = None
        self._glances: dict[str, tuple[IndexEntry, Glance]] = {}
        self._listed: tuple[Origin, SourceListing] | None = None
        """A listing that matched a cursor, and the origin that detects later changes; no message was read."""

    @property
    @override
    def account(self) -> str:
        return self._name

    @property
    @override
    def provider(self) -> str:
        return "local"

    @property
    @override
    def capabilities(self) -> frozenset[Capability]:
        """The empty set: only a Maildir can be changed."""
        return frozenset()

    @override
    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> IdPage:
        """Search the mailbox; the cursor names the previous page's last message."""

        def find(index: MailIndex) -> IdPage:
            from gaia_local_mcp.search import search

            now = utc_now()
            return search(index, query, limit=limit, cursor=cursor, now=now, account=self.account)

        return await self._with_index(find)

    @override
    async def read(self, ids: Sequence[str], *, raw: bool, most: int | None = None) -> list[StoredMessage]:
        """Read messages, without those that another program has removed."""

        def load(index: MailIndex) -> list[StoredMessage]:
            return self._found(ids, index.entries.get, index.thread_id, raw=raw, most=most)

        if self._store is not None and raw and await self._known() is not None and self._listed is not None:
            origin, listing = self._listed
            entry_of = partial(listing.entry, origin)
            async with self._lock:
                return await asyncio.to_thread(
                    self._found, ids, entry_of, lambda entry: "", raw=raw, most=most
                )
        return await self._with_index(load)

    @override
    async def thread(self, thread_id: str) -> list[str]:
        found = await self._with_index(lambda index: index.thread(thread_id))
        if not found:
            raise NotFound(f"There is no conversation {thread_id[:80]!r}.", argument="thread_id")
        return found

    async def own_address(self) -> str:
        """Return the most frequent sender of its sent mail, else recipient of its mail; empty if unknown."""

        def count(index: MailIndex) -> str:
            sent, received = Counter[str](), Counter[str]()
            for entry in index.entries.values():
                if not counts_as_exchanged(entry.labels, entry.flags):
                    continue
                facts = entry.facts()
                if "SENT" in entry.labels:
                    sent[facts.sender["address"].lower()] += 1
                else:
                    received.update({person["address"].lower() for person in (*facts.to, *facts.cc)})
            for found in (sent, received):
                del found[""]
            return min(sent or received, key=lambda one: (-(sent or received)[one], one), default="")

        return await self._with_index(count)

    @override
    async def attachment(self, message_id: str, attachment_id: str) -> tuple[str, str, bytes]:

        def load(index: MailIndex) -> tuple[str, str, bytes]:
            from gaia_mail.mime.read import parse_message

            entry = index.entries.get(message_id)
            raw = _bytes_of(entry) if entry is not None else None
            if raw is None:
                raise NotFound(f"There is no message {message_id[:80]!r}.", argument="message_id")
            for part in parse_message(raw).attachments:
                if part.id == attachment_id:
                    return part.filename, part.content_type, part.content
            raise NotFound(
                f"Message {message_id} has no attachment {attachment_id[:80]!r}.", argument="attachment_id"
            )

        return await self._with_index(load)

    @override
    async def labels(self) -> list[Label]:
        if (listing := await self._known()) is not None:
            return label_list(set(listing.labels))
        return await self._with_index(self._labels)

    @override
    async def changes(self, cursor: str | None, *, limit: int) -> Changes:
        """Return a page of changes, newest first; if a listing already matches the cursor, no message is read."""
        if cursor is not None and await self._is_as(cursor):
            return Changes(
                cursor=cursor, added=(), changed=(), removed=(), reset=False, reason="", more=False
            )

        def tell(index: MailIndex) -> Changes:
            return changes(index, cursor, limit, lambda entries: self._summaries(index, entries))

        return await self._with_index(tell)

    @override
    async def cursor(self) -> str:
        return await self._with_index(lambda index: index.digest)

    @override
    async def wait(self, cursor: str, *, timeout_s: float) -> bool:
        """Wait for a change; watching starts before the first check, so none is missed."""
        seen = parse_cursor(cursor)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        watcher = self._watch()
        while True:
            count = watcher.count
            digest = await self._with_index(lambda index: index.digest)
            if seen is None or seen.after is not None or digest != seen.target:
                return True
            left = deadline - loop.time()
            if left <= 0:
                return False
            await watcher.wait(count, left)

    @override
    async def status(self) -> MailboxStatus:
        """Return the status; if the files cannot be read, `connected` is False and `errors` has the reason."""
        try:
            if (listing := await self._known()) is not None:
                return MailboxStatus(connected=True, errors=listing.errors, last_sync=self._last_look)
            errors = await self._with_index(lambda index: tuple(index.errors))
        except MailError as error:
            return MailboxStatus(connected=False, errors=(error.message,), last_sync=self._last_look)
        return MailboxStatus(connected=True, errors=errors, last_sync=self._last_look)

    @override
    async def aclose(self) -> None:
        watcher, self._watcher = self._watcher, None
        if watcher is not None:
            await watcher.aclose()

    @override
    async def create_label(self, name: str, visibility: dict[str, str]) -> Label:
        raise _refusal()

    @override
    async def update_label(self, label_id: str, name: str | None, visibility: dict[str, str]) -> Label:
        raise _refusal()

    @override
    async def delete_label(self, label_id: str) -> Label:
        raise _refusal()

    @override
    async def modify(self, ids: Sequence[str], *, add: Sequence[str], remove: Sequence[str]) -> WriteOutcome:
        raise _refusal()

    @override
    async def trash(self, ids: Sequence[str]) -> WriteOutcome:
        raise _refusal()

    @override
    async def untrash(self, ids: Sequence[str]) -> WriteOutcome:
        raise _refusal()

    @override
    async def delete(self, ids: Sequence[str]) -> WriteOutcome:
        raise _refusal()

    @override
    async def snooze(self, ids: Sequence[str], until: str) -> WriteOutcome:
        """Raise `BadArgument`: files cannot be snoozed."""
        raise BadArgument("Local mail files cannot be snoozed.")

    @override
    async def create_draft(self, raw: bytes, thread_id: str | None) -> Draft:
        raise _refusal()

    @override
    async def update_draft(self, draft_id: str, raw: bytes) -> Draft:
        raise _refusal()

    @override
    async def drafts(self, *, limit: int) -> list[Draft]:
        raise _refusal()

    @override
    async def delete_draft(self, draft_id: str) -> bytes:
        raise _refusal()

    @override
    async def send_draft(self, draft_id: str, raw: bytes | None = None) -> str:
        """Raise `BadArgument`: files cannot send."""
        raise _no_sending()

    @override
    async def send(self, raw: bytes, thread_id: str | None) -> str:
        """Raise `BadArgument`: files cannot send."""
        raise _no_sending()

    async def _is_as(self, cursor: str) -> bool:
        """Return True if a listing matches the cursor; False if the index is already loaded."""
        async with self._lock:
            origin = self._origin.afresh() if self._index is None else None
            if origin is None:
                return False
            listing = await asyncio.to_thread(listing_of, origin)
            if listing is None or listing.digest != cursor:
                return False
            self._listed, self._last_look = (origin, listing), _now()
            return True

    async def _known(self) -> SourceListing | None:
        """Return the listing, if nothing has changed since and the index is not loaded."""
        async with self._lock:
            if self._index is not None or self._listed is None:
                return None
            origin, listing = self._listed
            changed, gone = await asyncio.to_thread(origin.changed_units)
            if changed or gone:
                self._listed = None
            return self._listed and listing

    async def _with_index(self, use: Callable[[MailIndex], T]) -> T:
        """Run `use` on the refreshed index, in a worker thread, one call at a time."""
        tell = progress.teller()
        async with self._lock:
            return await asyncio.to_thread(self._run, use, tell)

    def _run(self, use: Callable[[MailIndex], T], tell: progress.Teller | None = None) -> T:
        if self._index is None:
            index = MailIndex(self._origin, self._store)
            index.refresh(tell)
            self._index = index
        else:
            self._index.refresh(tell)
        self._last_look = _now()
        return use(self._index)

    def _labels(self, index: MailIndex) -> list[Label]:
        used = {label for entry in index.entries.values() for label in entry.labels}
        return label_list(used)

    def _found(
        self,
        ids: Sequence[str],
        entry_of: Callable[[str], IndexEntry | None],
        thread_of: Callable[[IndexEntry], str],
        *,
        raw: bool,
        most: int | None,
    ) -> list[StoredMessage]:
        found: list[StoredMessage] = []
        for entry in filter(None, map(entry_of, ids)):
            data = _bytes_of(entry)
            if data is not None:
                summary = self._summary(entry, thread_of(entry), data)
                found.append(StoredMessage(summary=summary, raw=data if raw else None).within(most))
        return found

    def _summaries(self, index: MailIndex, entries: Sequence[IndexEntry]) -> list[Summary]:
        return [self._summary(entry, index.thread_id(entry), _bytes_of(entry) or b"") for entry in entries]

    def _summary(self, entry: IndexEntry, thread_id: str, raw: bytes) -> Summary:
        seen = self._glance(entry, raw)
        return summary_of(
            entry.facts(),
            message=entry.id,
            account=self.account,
            thread=thread_id,
            snippet=seen.snippet,
            labels=entry.labels,
            flags=entry.flags,
            size=entry.size,
            has_attachments=seen.has_attachments,
        )

    def _glance(self, entry: IndexEntry, raw: bytes) -> Glance:
        """Return a glance at a message, cached because a caller that lists a page usually reads its messages next."""
        from gaia_mail.snippet import glance

        known = self._glances.get(entry.id)
        if known is not None and known[0] is entry:
            return known[1]
        seen = glance(raw)
        if raw:
            if len(self._glances) >= GLANCES:
                self._glances.clear()
            self._glances[entry.id] = entry, seen
        return seen

    def _watch(self) -> FileWatcher:
        if self._watcher is None:
            self._watcher = FileWatcher(self._origin.paths_to_watch(), recursive=self._origin.nested)
            self._watcher.start()
        return self._watcher


def _bytes_of(entry: IndexEntry) -> bytes | None:
    """Return the bytes of a message; None if it is gone or cannot be read."""
    try:
        return read_location(entry.location)
    except OSError:
        return None


def _now() -> str:
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def _refusal() -> BadArgument:
    return BadArgument(READ_ONLY)


def _no_sending() -> BadArgument:
    return BadArgument("Local mail files cannot send mail; connect an account for that.")
