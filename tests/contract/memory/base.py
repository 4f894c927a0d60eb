"""The reading half of a `MemoryMailbox`, and how mail gets into it. Entry: `MemoryBase`."""

from __future__ import annotations

import asyncio
import datetime as dt
import re
from collections.abc import Callable, Sequence

from typing_extensions import override

from gaia_email_registry.contract.wire import FilterAction, Label, SendAs, Vacation
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail.query.grammar import Query
from gaia_mail.query.match import compile_query
from gaia_mail_mcp.delivery import Delivery
from gaia_mail_mcp.label_state import LabelState
from gaia_mail_mcp.mailbox import Capability, Changes, IdPage, Mailbox, MailboxStatus, StoredMessage
from gaia_mail_mcp.notifier import Notifier
from tests.contract.memory.calendar import MemoryCalendar
from tests.contract.memory.filter_table import FilterTable
from tests.contract.memory.label_table import LabelTable
from tests.contract.memory.message import MemoryMessage
from tests.contract.memory.store import MemoryStore

HISTORY = 10_000
"""Events a mailbox remembers; a cursor from before them is answered with a reset."""

CAPABILITIES = frozenset(Capability)

NO_VACATION = Vacation(
    enabled=False,
    subject="",
    body="",
    html_body="",
    start="",
    end="",
    contacts_only=False,
    domain_only=False,
)

_CURSOR = re.compile(r"(-?\d{1,20}(?:\.\d{1,20})?(?:e[+-]\d{1,3})?):(-?\d{1,15})", re.ASCII)
_ARRIVED = ("INBOX", "UNREAD")
_AWAY = frozenset({"TRASH", "SPAM"})


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


def _nothing(_: object) -> None:
    pass


class MemoryBase(MemoryCalendar, Mailbox):
    """Messages, labels, filters, history; see `MemoryMailbox`."""

    def __init__(
        self,
        account: str = "me@example.org",
        *,
        now: Callable[[], dt.datetime] = _now,
        deliver: Callable[[Delivery], None] = _nothing,
        on_unsubscribe: Callable[[str], None] = _nothing,
        capabilities: frozenset[Capability] = CAPABILITIES,
        history: int = HISTORY,
    ) -> None:
        super().__init__(account, capabilities=capabilities)
        self._me = (account,) if "@" in account else ()
        self._now = now
        self._deliver = deliver
        self._on_unsubscribe = on_unsubscribe
        self._notifier = Notifier()
        self._store = MemoryStore(account, history, self._notifier.notify)
        self._labels = LabelTable()
        self._filters = FilterTable()
        self.senders = [SendAs(address=account, name="", signature="", default=True)]
        self.reported: list[str] = []
        self._vacation = NO_VACATION
        self._drafts: dict[str, str] = {}
        self._drafts_made = 0
        self._snoozed: dict[str, dt.datetime] = {}
        self._closed = False

    @property
    @override
    def account(self) -> str:
        return self._owner

    @property
    @override
    def provider(self) -> str:
        return "memory"

    @property
    @override
    def capabilities(self) -> frozenset[Capability]:
        return self._capabilities

    def put(self, raw: bytes, labels: Sequence[str] = _ARRIVED) -> str:
        """Store a message as it is, without filters; the new id.

        Labels are ids, or names of the user's labels, which are made when there are none.
        """
        message = self._add(raw, LabelState(labels=frozenset(self._labels.ids_for(labels))))
        if "DRAFT" in message.labels:
            self._new_draft(message)
        return message.id

    def receive(self, raw: bytes) -> str:
        """A message arrives: unread in the inbox, unless a filter says otherwise; the new id."""
        self._wake()
        return self._arrive(raw, _ARRIVED).id

    @override
    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> IdPage:
        """`total` is exact; a cursor is the position of the last message of the page before."""
        self._wake()
        after = _read_cursor(cursor) if cursor is not None else None
        names = self._labels.names()
        test = compile_query(query, self._now(), self._me)
        hits = [message for message in self._store.newest_first() if test(message.document(names))]
        rest = [message for message in hits if after is None or message.key > after]
        page = rest[: max(limit, 1)]
        last = page[-1].key if len(page) < len(rest) else None
        return IdPage(
            ids=tuple(message.id for message in page),
            next_cursor=f"{last[0]!r}:{last[1]}" if last is not None else None,
            total=len(hits),
        )

    @override
    async def read(self, ids: Sequence[str], *, raw: bool, most: int | None = None) -> list[StoredMessage]:
        self._wake()
        found = (self._store.messages.get(id_) for id_ in ids)
        return [
            StoredMessage(
                summary=message.summary(self.account),
                raw=message.raw if raw else None,
                snoozed_until=message.snoozed_until.isoformat()
                if message.snoozed_until is not None
                else None,
            ).within(most)
            for message in found
            if message is not None
        ]

    @override
    async def thread(self, thread_id: str) -> list[str]:
        """Messages in Trash belong to it, as in Gmail."""
        self._wake()
        return self._store.thread(thread_id)

    @override
    async def attachment(self, message_id: str, attachment_id: str) -> tuple[str, str, bytes]:
        for part in self._message(message_id).parsed().attachments:
            if part.id == attachment_id:
                return part.filename, part.content_type, part.content
        raise NotFound(
            f"Message {message_id} has no attachment {attachment_id[:80]!r}.", argument="attachment_id"
        )

    @override
    async def labels(self) -> list[Label]:
        return self._labels.all()

    @override
    async def changes(self, cursor: str | None, *, limit: int) -> Changes:
        """A cursor of another mailbox, or from before the history, starts over with a reason."""
        self._wake()
        return self._store.changes(cursor, limit)

    @override
    async def cursor(self) -> str:
        self._wake()
        return self._store.cursor()

    @override
    async def wait(self, cursor: str, *, timeout_s: float) -> bool:
        """A snoozed message that comes back is a change too."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        while not self._closed:
            self._wake()
            if not self._store.is_current(cursor):
                return True
            left = deadline - loop.time()
            if left <= 0:
                break
            await self._notifier.wait(min(left, self._until_wake()))
        return False

    @override
    async def status(self) -> MailboxStatus:
        return MailboxStatus(connected=not self._closed)

    @override
    async def aclose(self) -> None:
        """Whoever waits gets the answer that nothing happened."""
        self._closed = True
        self._notifier.notify()

    def _message(self, message_id: str) -> MemoryMessage:
        message = self._store.messages.get(message_id)
        if message is None:
            raise NotFound(f"There is no message {message_id[:80]!r}.", argument="message_id")
        return message

    def _add(self, raw: bytes, state: LabelState, thread_id: str | None = None) -> MemoryMessage:
        return self._store.add(raw, state, received=self._now().timestamp(), thread_id=thread_id)

    def _arrive(self, raw: bytes, labels: Sequence[str], thread_id: str | None = None) -> MemoryMessage:
        """Add a message that was received, as the filters want it."""
        state = LabelState(labels=frozenset(labels))
        received = self._now().timestamp()
        seen = MemoryMessage(id="", number=0, raw=raw, state=state, received=received)
        document = seen.document(self._labels.names())
        actions = list(self._filters.actions(document, self._now(), self._me))
        for action in actions:
            added = self._labels.known(action.get("addLabelIds", ()))
            state = state.relabel(add=added, remove=action.get("removeLabelIds", ()))
        message = self._add(raw, state, thread_id)
        self._forward(raw, actions)
        return message

    def _forward(self, raw: bytes, actions: Sequence[FilterAction]) -> None:
        for address in dict.fromkeys(action.get("forward", "") for action in actions):
            if address:
                self._deliver(Delivery(sender=self.account, recipients=(address,), raw=raw))

    def _new_draft(self, message: MemoryMessage) -> str:
        self._drafts_made += 1
        draft_id = f"r{self._drafts_made}"
        self._drafts[draft_id] = message.id
        return draft_id

    def _wake(self) -> None:
        """Bring back what was snoozed until now; what is in Trash or Spam meanwhile stays there."""
        if not self._snoozed:
            return
        now = self._now()
        for id_, until in sorted(self._snoozed.items(), key=lambda item: item[1]):
            message = self._store.messages[id_]
            if until <= now and not _AWAY & message.labels:
                self._end_snooze(message)
                self._store.set_state(message, message.state.relabel(add=_ARRIVED))

    def _end_snooze(self, message: MemoryMessage) -> None:
        message.snoozed_until = None
        self._snoozed.pop(message.id, None)

    def _until_wake(self) -> float:
        """Seconds until the next snoozed message is due."""
        due = [until for id_, until in self._snoozed.items() if not _AWAY & self._store.messages[id_].labels]
        return max((min(due) - self._now()).total_seconds(), 0.001) if due else float("inf")


def _read_cursor(text: str) -> tuple[float, int]:
    match = _CURSOR.fullmatch(text)
    if match is None:
        raise BadArgument(
            "That is not a cursor of this search: give back the next_cursor of the page before.",
            argument="cursor",
        )
    return float(match[1]), int(match[2])
