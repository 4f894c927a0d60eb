"""The messages of a `MemoryMailbox` in their order, their conversations, and the history. Entry: `MemoryStore`.

Everything that changes a message goes through here, so that nothing happens without an event.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterator
from secrets import token_hex

from gaia_email_registry.errors import NotFound
from gaia_mail.threads import ThreadIndex
from gaia_mail_mcp.label_state import LabelState
from gaia_mail_mcp.mailbox import Changes
from tests.contract.memory.history import EventKind, History, MemoryCursor
from tests.contract.memory.message import MemoryMessage

SortKey = tuple[float, int]


class MemoryStore:
    """All messages by id; `on_event` is called after each change."""

    def __init__(self, account: str, history_size: int, on_event: Callable[[], None]) -> None:
        self.messages: dict[str, MemoryMessage] = {}
        self._account = account
        self._order: list[tuple[SortKey, str]] = []
        self._threads = ThreadIndex()
        self._by_thread: dict[str, list[str]] = {}
        self._anchors: dict[str, str] = {}
        self._history = History(token_hex(8), history_size)
        self._on_event = on_event

    def add(
        self, raw: bytes, state: LabelState, *, received: float, thread_id: str | None = None
    ) -> MemoryMessage:
        """A new message, in the given conversation or the one its headers say."""
        number = len(self._threads)
        message = MemoryMessage(id=f"m{number + 1}", number=number, raw=raw, state=state, received=received)
        message.thread_id = self._thread_of(message, thread_id)
        message.created = self._history.end
        self.messages[message.id] = message
        self._by_thread.setdefault(message.thread_id, []).append(message.id)
        insort(self._order, (message.key, message.id))
        self._note("added", message.id)
        return message

    def set_state(self, message: MemoryMessage, state: LabelState) -> None:
        """Give a message other labels; no event when they are the same."""
        before, message.state = message.labels, state
        if message.labels != before:
            self._note("changed", message.id)

    def remove(self, message: MemoryMessage) -> None:
        """Forget a message; its conversation is remembered, should an answer come."""
        del self.messages[message.id]
        del self._order[bisect_right(self._order, (message.key, message.id)) - 1]
        members = self._by_thread[message.thread_id]
        members.remove(message.id)
        if not members:
            del self._by_thread[message.thread_id]
        self._note("removed", message.id)

    def newest_first(self, after: SortKey | None = None) -> Iterator[MemoryMessage]:
        """Every message, newest first, from behind the place `after`."""
        start = 0 if after is None else bisect_right(self._order, after, key=lambda item: item[0])
        for _, id_ in self._order[start:]:
            yield self.messages[id_]

    def thread(self, thread_id: str) -> list[str]:
        """Ids of a conversation, oldest first; `NotFound` when there is none."""
        members = self._by_thread.get(thread_id)
        if not members:
            raise NotFound(f"There is no conversation {thread_id[:80]!r}.", argument="thread_id")
        return sorted(members, key=lambda id_: (self.messages[id_].when, self.messages[id_].number))

    def is_current(self, text: str) -> bool:
        """Whether a caller with this cursor knows everything."""
        cursor = self._history.read(text)
        return isinstance(cursor, MemoryCursor) and cursor == MemoryCursor(position=self._history.end)

    def cursor(self) -> str:
        """The cursor of a caller that knows everything."""
        return self._history.write(MemoryCursor(position=self._history.end))

    def changes(self, text: str | None, limit: int) -> Changes:
        """A page of what happened since a cursor; a cursor that is of no use any more starts over."""
        limit = max(limit, 1)
        cursor = self._history.read(text) if text is not None else None
        if isinstance(cursor, MemoryCursor) and cursor.after is None:
            return self._events(cursor, limit)
        if isinstance(cursor, MemoryCursor):
            return self._listing(cursor, limit, reason="")
        return self._listing(MemoryCursor(position=self._history.end), limit, reason=cursor or "")

    def _listing(self, cursor: MemoryCursor, limit: int, reason: str) -> Changes:
        there = (message for message in self.newest_first(cursor.after) if message.created < cursor.position)
        page: list[MemoryMessage] = []
        for message in there:
            if len(page) == limit:
                following = MemoryCursor(position=cursor.position, after=page[-1].key)
                break
            page.append(message)
        else:
            following = MemoryCursor(position=cursor.position)
        return Changes(
            cursor=self._history.write(following),
            added=tuple(message.summary(self._account) for message in page),
            changed=(),
            removed=(),
            reset=bool(reason),
            reason=reason,
            more=following != MemoryCursor(position=self._history.end),
        )

    def _events(self, cursor: MemoryCursor, limit: int) -> Changes:
        first, reached = self._history.since(cursor.position, limit)
        new = [id_ for id_, event in first.items() if event.kind == "added"]
        known = [id_ for id_, event in first.items() if event.kind != "added"]
        found = self.messages
        return Changes(
            cursor=self._history.write(MemoryCursor(position=reached)),
            added=tuple(found[id_].summary(self._account) for id_ in new if id_ in found),
            changed=tuple(found[id_].changed() for id_ in known if id_ in found),
            removed=tuple(id_ for id_ in known if id_ not in found),
            reset=False,
            reason="",
            more=reached < self._history.end,
        )

    def _thread_of(self, message: MemoryMessage, wanted: str | None) -> str:
        """The conversation of a new message; a wanted one is joined through the id of one of its messages."""
        scan = message.scan
        anchor = self._anchors.get(wanted, "") if wanted is not None else ""
        self._threads.add(
            message.number,
            message_id=scan.message_id,
            references=(anchor, *(scan.references or scan.in_reply_to[:1])) if anchor else scan.references,
            in_reply_to=scan.in_reply_to,
            subject=scan.subject,
            date=message.when,
            sender=scan.sender.address if scan.sender else "",
            recipients=[one.address for one in (*scan.to, *scan.cc)],
        )
        thread = self._threads.freeze(message.number)
        thread = wanted if wanted is not None else thread
        if scan.message_id:
            self._anchors.setdefault(thread, scan.message_id)
        return thread

    def _note(self, kind: EventKind, id_: str) -> None:
        self._history.add(kind, id_)
        self._on_event()
