"""The state of a memory mailbox and everything that only looks at it: `MemoryStore`."""

from __future__ import annotations

import asyncio
import datetime as dt
import re
import secrets
from collections.abc import Callable, Iterable, Sequence

from gaia_email_registry.contract.wire import Failure, Label
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail_mcp.mailbox import Capability, Changes, Page, Status, StoredMessage
from gaia_mail_mcp.memory.journal import Journal, Position
from gaia_mail_mcp.memory.labels import LabelBook
from gaia_mail_mcp.memory.record import Record
from gaia_mail_mcp.query.grammar import Query
from gaia_mail_mcp.query.match import compile_query
from gaia_mail_mcp.threads import ThreadIndex

Clock = Callable[[], dt.datetime]
"""Tells the time, aware."""

KEPT_REMOVALS = 10_000
_CURSOR = re.compile(r"(-?\d{1,12}(?:\.\d{1,9})?):(\d{1,12})", re.ASCII)


def system_clock() -> dt.datetime:
    """The time of this machine."""
    return dt.datetime.now(dt.UTC)


class MemoryStore:
    """Messages, labels, threads and the change log; `MemoryMailbox` adds the writes.

    Nothing here awaits between looking and changing, so on one event loop every call is atomic.
    """

    provider = "memory"

    def __init__(
        self, account: str, capabilities: Iterable[Capability], clock: Clock, aliases: Sequence[str]
    ) -> None:
        self.account = account
        self.capabilities = frozenset(capabilities)
        self._me = (account, *aliases)
        self._clock = clock
        self._records: dict[str, Record] = {}
        self._arrived = 0
        self._labels = LabelBook()
        self._threads = ThreadIndex()
        self._journal = Journal(secrets.token_hex(6), keep=KEPT_REMOVALS)
        self._changed = asyncio.Event()
        self._closed = False

    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> Page:
        """See `Mailbox`. The cursor is a place in the order, so mail that comes or goes does not move it."""
        self.wake()
        before = _place(cursor) if cursor is not None else None
        matches = compile_query(query, self._clock(), self._me)
        hits = [record for record in self._records.values() if matches(record.document(self._names(record)))]
        hits.sort(key=lambda record: record.order, reverse=True)
        rest = [record for record in hits if before is None or record.order < before]
        page = rest[: max(limit, 1)]
        more = len(page) < len(rest)
        return Page(
            ids=tuple(record.id for record in page),
            next_cursor=f"{page[-1].received!r}:{page[-1].number}" if more else None,
            total=len(hits),
        )

    async def read(self, ids: Sequence[str], *, raw: bool) -> list[StoredMessage]:
        """See `Mailbox`."""
        self.wake()
        found = [self._records[id_] for id_ in ids if id_ in self._records]
        return [
            StoredMessage(
                summary=record.summary(self.account, self._thread_id(record)),
                raw=record.raw if raw else None,
            )
            for record in found
        ]

    async def thread(self, thread_id: str) -> list[str]:
        """See `Mailbox`."""
        self.wake()
        members = self._members(thread_id)
        if not members:
            raise NotFound(f"There is no conversation {thread_id[:80]!r}.", argument="threadId")
        return [record.id for record in members]

    async def attachment(self, message_id: str, attachment_id: str) -> tuple[str, str, bytes]:
        """See `Mailbox`."""
        record = self._record(message_id)
        for part in record.message.attachments:
            if part.id == attachment_id:
                return part.filename, part.content_type, part.content
        raise NotFound(
            f"Message {message_id} has no attachment {attachment_id[:80]!r}; read it for their IDs.",
            argument="attachmentId",
        )

    async def labels(self) -> list[Label]:
        """See `Mailbox`."""
        return self._labels.all()

    async def changes(self, cursor: str | None, *, limit: int) -> Changes:
        """See `Mailbox`. A cursor that is of no use starts over, with `reset` and the reason."""
        self.wake()
        position = self._journal.position(cursor) if cursor is not None else Position(base=0, told=0)
        reason = position if isinstance(position, str) else ""
        start = Position(base=0, told=0) if isinstance(position, str) else position
        told = self._journal.since(start, limit)
        added = (self._records[id_] for id_ in told.added)
        return Changes(
            cursor=self._journal.cursor(told.position),
            added=tuple(record.summary(self.account, self._thread_id(record)) for record in added),
            changed=tuple(self._records[id_].changed() for id_ in told.changed),
            removed=told.removed,
            reset=bool(reason),
            reason=reason,
            more=told.more,
        )

    async def wait(self, cursor: str, *, timeout_s: float) -> bool:
        """See `Mailbox`; a cursor of no use counts as a change, so that the caller hears of the reset."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        while not self._closed:
            self.wake()
            position = self._journal.position(cursor)
            if isinstance(position, str) or position.told < self._journal.latest:
                return True
            left = min(deadline - loop.time(), self._until_next_wake())
            if deadline - loop.time() <= 0:
                return False
            changed = self._changed
            try:
                await asyncio.wait_for(changed.wait(), max(left, 0.0))
            except TimeoutError:
                continue
        return False

    async def status(self) -> Status:
        """See `Mailbox`."""
        return Status(connected=not self._closed)

    async def aclose(self) -> None:
        """See `Mailbox`; waiting callers are told that nothing changed."""
        self._closed = True
        self._announce()

    def wake(self) -> None:
        """Bring back what was snoozed until now; every call does so first, a timer need not."""
        now = self._clock().timestamp()
        for record in self._records.values():
            if record.snoozed_until is not None and record.snoozed_until <= now:
                self._relabel(record, ("INBOX", "UNREAD"), ())

    def forget_history(self) -> None:
        """Let every cursor handed out so far be too old, as happens at a provider after some days."""
        self._journal.forget()

    def _until_next_wake(self) -> float:
        due = [r.snoozed_until for r in self._records.values() if r.snoozed_until is not None]
        return min(due) - self._clock().timestamp() if due else float("inf")

    def _announce(self) -> None:
        """Wakes whoever waits. Each wait holds the event of its time, so none can miss a change in between."""
        past, self._changed = self._changed, asyncio.Event()
        past.set()

    def _add(self, raw: bytes, labels: tuple[str, ...], thread_id: str | None = None) -> Record:
        record = Record(self._arrived, raw, labels, self._clock())
        message = record.message
        references = message.references
        if thread_id is not None:
            references = self._references_into(thread_id)
        self._threads.add(
            record.number,
            message_id=message.message_id,
            references=references,
            in_reply_to=message.in_reply_to,
            subject=message.subject,
            date=record.received,
        )
        self._arrived += 1
        self._records[record.id] = record
        self._journal.add(record.id)
        self._announce()
        return record

    def _remove(self, record: Record) -> None:
        del self._records[record.id]
        self._journal.remove(record.id)
        self._announce()

    def _relabel(self, record: Record, add: Sequence[str], remove: Sequence[str]) -> None:
        """Change labels and tell of it if that changed any; what moves to a place is no longer snoozed."""
        before = frozenset(record.labels)
        record.state.apply(add, remove)
        if record.labels & {"INBOX", "SPAM", "TRASH"}:
            record.snoozed_until = None
        if before != record.labels:
            self._journal.change(record.id)
            self._announce()

    def _record(self, id_: str) -> Record:
        record = self._records.get(id_)
        if record is None:
            raise _unknown(id_)
        return record

    def _split(self, ids: Sequence[str]) -> tuple[list[Record], tuple[Failure, ...]]:
        """The messages that exist, each once, and a failure for each id that names none."""
        known: list[Record] = []
        failed: list[Failure] = []
        for id_ in dict.fromkeys(ids):
            record = self._records.get(id_)
            if record is None:
                failed.append({"id": id_, "error": _unknown(id_).message})
            else:
                known.append(record)
        return known, tuple(failed)

    def _thread_id(self, record: Record) -> str:
        return self._threads.thread_id(record.number)

    def _members(self, thread_id: str) -> list[Record]:
        members = [record for record in self._records.values() if self._thread_id(record) == thread_id]
        return sorted(members, key=lambda record: record.order)

    def _references_into(self, thread_id: str) -> tuple[str, ...]:
        """Ids that make a new message a member of an existing conversation, whatever its own header says."""
        members = self._members(thread_id)
        if not members:
            raise NotFound(f"There is no conversation {thread_id[:80]!r}.", argument="threadId")
        return tuple(r.message.message_id for r in members if r.message.message_id)[-1:]

    def _names(self, record: Record) -> tuple[str, ...]:
        return tuple(self._labels.name(label) for label in record.labels if label in self._labels)


def _place(cursor: str) -> tuple[float, int]:
    found = _CURSOR.fullmatch(cursor)
    if found is None:
        raise BadArgument(
            "That is not a cursor of this search: give back the next_cursor of the page before.",
            argument="cursor",
        )
    return float(found[1]), int(found[2])


def _unknown(id_: str) -> NotFound:
    return NotFound(f"There is no message with ID {id_[:80]!r}.", argument="messageId")
