"""The mailbox behind the emulated API: a `MemoryMailbox` with Gmail's ids and Gmail's history. Entry: `Account`.

Message ids are 16 hex digits, a thread has the id of its first message. Unlike the mailbox in memory, Gmail
does not remember where a message was before it went to Trash or Spam: taking it out leaves it archived.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gaia_mail_mcp.mailbox import WriteOutcome
from tests.contract.memory import Delivery, MemoryMailbox

Json = dict[str, Any]

_BASE = 0x18F0000000000000
_FIRST_HISTORY = 1000
PLACES = frozenset({"INBOX", "SPAM", "TRASH"})


@dataclass(kw_only=True)
class Kept:
    """What the history knows of a message."""

    thread: str
    labels: frozenset[str]
    history: int


@dataclass(kw_only=True)
class Record:
    """One history record."""

    id: int
    kind: str
    message: str
    thread: str
    labels: tuple[str, ...]
    """Labels of the message after it."""
    changed: tuple[str, ...] = field(default=())


class Account:
    """One user's mail."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.sent: list[Delivery] = []
        self.mailbox = MemoryMailbox(address, deliver=self.sent.append, history=1_000_000)
        self.kept: dict[str, Kept] = {}
        self.records: list[Record] = []
        self.history_id = _FIRST_HISTORY
        self.forgotten = _FIRST_HISTORY
        """Records up to this id are gone; a `startHistoryId` before it is answered with 404."""
        self._cursor: str | None = None
        self._threads: dict[str, str] = {}

    def forget_history(self) -> None:
        """Make a gap: what happened so far cannot be asked for any more."""
        self.forgotten = self._next_id()
        self.records.clear()

    def _next_id(self) -> int:
        self.history_id += 7
        return self.history_id

    def inner(self, message_id: str) -> str:
        """The id in memory of a well-formed id, empty for one that Gmail calls invalid."""
        if not re.fullmatch(r"[0-9a-f]{1,16}", message_id):
            return ""
        return f"m{int(message_id, 16) - _BASE}"

    def outer(self, inner: str) -> str:
        """Gmail's id of a message in memory."""
        return f"{_BASE + int(inner[1:]):016x}"

    def thread_outer(self, inner: str, message: str) -> str:
        """Gmail's id of a thread; new when this is its first message."""
        return self._threads.setdefault(inner, message)

    def thread_inner(self, outer: str) -> str | None:
        """The id in memory of a thread."""
        return next((inner for inner, known in self._threads.items() if known == outer), None)

    async def settle(self) -> None:
        """Write down what has happened since the last time; call after every change."""
        first = self._cursor is None
        more = True
        while more:
            page = await self.mailbox.changes(self._cursor, limit=5000)
            self._cursor, more = page.cursor, page.more
            for summary in reversed(page.added) if first else page.added:
                self._added(self.outer(summary["id"]), summary["thread_id"], frozenset(summary["labels"]))
            for changed in page.changed:
                self._changed(self.outer(changed["id"]), frozenset(changed["labels"]))
            for removed in page.removed:
                self._removed(self.outer(removed))

    def _note(self, kind: str, message: str, changed: Sequence[str] = ()) -> None:
        kept = self.kept[message]
        kept.history = self._next_id()
        self.records.append(
            Record(
                id=kept.history,
                kind=kind,
                message=message,
                thread=kept.thread,
                labels=tuple(sorted(kept.labels)),
                changed=tuple(sorted(changed)),
            )
        )

    def _added(self, message: str, inner_thread: str, labels: frozenset[str]) -> None:
        thread = self.thread_outer(inner_thread, message)
        self.kept[message] = Kept(thread=thread, labels=labels, history=0)
        self._note("messagesAdded", message)

    def _changed(self, message: str, labels: frozenset[str]) -> None:
        kept = self.kept[message]
        gone, new = kept.labels - labels, labels - kept.labels
        kept.labels = labels
        if new:
            self._note("labelsAdded", message, sorted(new))
        if gone:
            self._note("labelsRemoved", message, sorted(gone))

    def _removed(self, message: str) -> None:
        if message in self.kept:
            self._note("messagesDeleted", message)
            del self.kept[message]

    async def modify(self, ids: Sequence[str], add: Sequence[str], remove: Sequence[str]) -> WriteOutcome:
        """Labels of messages in memory; what leaves Trash or Spam goes nowhere by itself."""
        applied = await self.mailbox.modify(ids, add=add, remove=remove)
        await self._not_restored(applied.ids, set(add) | set(remove))
        return applied

    async def untrash(self, inner: str) -> None:
        """Out of Trash, into no other place."""
        await self.mailbox.untrash([inner])
        await self._not_restored([inner], set())

    async def _not_restored(self, ids: Sequence[str], named: set[str]) -> None:
        for item in await self.mailbox.read(ids, raw=False):
            before = self.kept[self.outer(item.summary["id"])].labels
            back = (PLACES & set(item.summary["labels"])) - before - named
            if back:
                await self.mailbox.modify([item.summary["id"]], add=[], remove=sorted(back))
