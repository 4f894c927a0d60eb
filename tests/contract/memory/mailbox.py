"""The writing half of the mailbox in memory. Entry: `MemoryMailbox`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from typing_extensions import override

from gaia_email_registry.contract.wire import (
    Failure,
    Filter,
    FilterAction,
    FilterCriteria,
    Label,
    SendAs,
    Vacation,
)
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail.snoozing import time_to_come
from gaia_mail_mcp.delivery import make_ready, require_as_shown
from gaia_mail_mcp.label_state import LabelState
from gaia_mail_mcp.mailbox import (
    NO_MESSAGE,
    Capability,
    Draft,
    FilterStore,
    PhishingReporter,
    SendAsMailbox,
    Unsubscribed,
    Unsubscriber,
    VacationStore,
    WriteOutcome,
)
from tests.contract.memory.base import MemoryBase
from tests.contract.memory.message import MemoryMessage

_HTTPS_URI = re.compile(r"<\s*(https://[^<>\s]{1,2000})\s*>", re.IGNORECASE)


class MemoryMailbox(MemoryBase, FilterStore, PhishingReporter, SendAsMailbox, Unsubscriber, VacationStore):
    """A mailbox in memory that behaves like Gmail; `put` fills it, `receive` delivers to it.

    Not shared between threads or event loops. Nothing leaves it: what is sent is handed to `deliver`, the
    address of a one-click unsubscribe to `on_unsubscribe`. An error raised by `deliver` fails the sending.

    Args:
        account: Its address.
        now: The clock, aware; what snoozes and relative searches go by.
        deliver: Called with every message that is sent or forwarded.
        on_unsubscribe: Called with the URI that a one-click unsubscribe (RFC 8058) would post to.
        capabilities: What it admits to; without one the methods refuse with `BadArgument`.
        history: Events it remembers for `changes`.
    """

    @override
    async def create_label(self, name: str, visibility: dict[str, str]) -> Label:
        self._require(Capability.LABELS)
        return self._labels.create(name, visibility)

    @override
    async def update_label(self, label_id: str, name: str | None, visibility: dict[str, str]) -> Label:
        """The id stays."""
        self._require(Capability.LABELS)
        return self._labels.update(label_id, name, visibility)

    @override
    async def delete_label(self, label_id: str) -> Label:
        self._require(Capability.LABELS)
        deleted = self._labels.delete(label_id)
        for message in list(self._store.messages.values()):
            self._store.set_state(message, message.state.relabel(remove=[label_id]))
        return deleted

    @override
    async def modify(self, ids: Sequence[str], *, add: Sequence[str], remove: Sequence[str]) -> WriteOutcome:
        """A label both added and removed is added; `SENT` and `DRAFT` are not for changing."""
        self._require(Capability.MODIFY)
        self._labels.check_known("labels", added=add, removed=remove)
        self._labels.check_movable((*add, *remove), "labels")

        def change(message: MemoryMessage) -> None:
            self._store.set_state(message, message.state.relabel(add=add, remove=remove))
            if "INBOX" in add or "INBOX" in remove:
                self._end_snooze(message)

        return self._each(ids, change)

    @override
    async def trash(self, ids: Sequence[str]) -> WriteOutcome:
        self._require(Capability.MODIFY)
        return self._each(
            ids, lambda message: self._store.set_state(message, message.state.relabel(add=["TRASH"]))
        )

    @override
    async def untrash(self, ids: Sequence[str]) -> WriteOutcome:
        """What was put into Trash without having been elsewhere goes to the inbox."""
        self._require(Capability.MODIFY)

        def change(message: MemoryMessage) -> None:
            if "TRASH" not in message.labels:
                return
            add = () if "TRASH" in message.state.came_from else ("INBOX",)
            self._store.set_state(message, message.state.relabel(add=add, remove=["TRASH"]))

        return self._each(ids, change)

    @override
    async def delete(self, ids: Sequence[str]) -> WriteOutcome:
        self._require(Capability.DELETE)
        return self._each(ids, self._remove)

    @override
    async def snooze(self, ids: Sequence[str], until: str) -> WriteOutcome:
        """`BadArgument` unless `until` is an RFC 3339 time to come."""
        self._require(Capability.SNOOZE)
        instant = time_to_come(until, self._now())

        def change(message: MemoryMessage) -> None:
            message.snoozed_until = self._snoozed[message.id] = instant
            self._store.set_state(message, message.state.relabel(remove=["INBOX"]))

        applied = self._each(ids, change)
        self._notifier.notify()
        return applied

    @override
    async def create_draft(self, raw: bytes, thread_id: str | None) -> Draft:
        """`NotFound` when the thread does not exist."""
        self._require(Capability.DRAFTS)
        self._check_thread(thread_id)
        message = self._add(raw, LabelState(labels=frozenset({"DRAFT"})), thread_id)
        return self._draft(self._new_draft(message), message)

    @override
    async def update_draft(self, draft_id: str, raw: bytes) -> Draft:
        """The message is another one, in the same thread."""
        self._require(Capability.DRAFTS)
        old = self._draft_message(draft_id)
        message = self._add(raw, old.state, old.thread_id)
        self._drafts[draft_id] = message.id
        self._store.remove(old)
        return self._draft(draft_id, message)

    @override
    async def drafts(self, *, limit: int) -> list[Draft]:
        """What is in Trash is no draft."""
        self._require(Capability.DRAFTS)
        found = [(self._store.messages[id_], draft_id) for draft_id, id_ in self._drafts.items()]
        found = [(message, draft_id) for message, draft_id in found if "TRASH" not in message.labels]
        found.sort(key=lambda pair: pair[0].key)
        return [self._draft(draft_id, message) for message, draft_id in found[:limit]]

    @override
    async def delete_draft(self, draft_id: str) -> bytes:
        self._require(Capability.DRAFTS)
        message = self._draft_message(draft_id)
        self._remove(message)
        return message.raw

    @override
    async def send_draft(self, draft_id: str, raw: bytes | None = None) -> str:
        """The draft stays when it cannot be sent."""
        self._require(Capability.SEND)
        draft = self._draft_message(draft_id)
        require_as_shown(draft.raw, raw)
        sent = self._send(draft.raw, draft.thread_id)
        self._remove(draft)
        return sent

    @override
    async def send(self, raw: bytes, thread_id: str | None) -> str:
        """What goes to this account itself is in the inbox too, as one message, as in Gmail."""
        self._require(Capability.SEND)
        self._check_thread(thread_id)
        return self._send(raw, thread_id)

    @override
    async def filters(self) -> list[Filter]:
        self._require(Capability.FILTERS)
        return self._filters.all()

    @override
    async def create_filter(self, criteria: FilterCriteria, action: FilterAction) -> Filter:
        self._require(Capability.FILTERS)
        for argument, label_ids in (
            ("action.addLabelIds", action.get("addLabelIds", [])),
            ("action.removeLabelIds", action.get("removeLabelIds", [])),
        ):
            self._labels.check_known(argument, added=label_ids)
            self._labels.check_movable(label_ids, argument)
        return self._filters.create(criteria, action)

    @override
    async def delete_filter(self, filter_id: str) -> Filter:
        self._require(Capability.FILTERS)
        return self._filters.delete(filter_id)

    @override
    async def send_as(self) -> list[SendAs]:
        """`senders` holds them."""
        self._require(Capability.SEND_AS)
        return sorted(self.senders, key=lambda sender: not sender["default"])

    @override
    async def vacation(self) -> Vacation:
        self._require(Capability.VACATION)
        return self._vacation.copy()

    @override
    async def set_vacation(self, vacation: Vacation) -> Vacation:
        self._require(Capability.VACATION)
        if vacation["enabled"] and not any((vacation["subject"], vacation["body"], vacation["html_body"])):
            raise BadArgument("An automatic answer needs a subject or a text.", argument="body")
        self._vacation = vacation.copy()
        return vacation

    @override
    async def report_phishing(self, ids: Sequence[str]) -> None:
        """`reported` holds the ids."""
        self._require(Capability.REPORT_PHISHING)
        self.reported += [self._message(id_).id for id_ in ids]

    @override
    async def unsubscribe(self, message_id: str) -> Unsubscribed:
        self._require(Capability.UNSUBSCRIBE)
        headers = self._message(message_id).parsed().headers
        uri = _HTTPS_URI.search(headers.get("list-unsubscribe", ""))
        post = headers.get("list-unsubscribe-post", "").replace(" ", "").lower()
        if uri is None or post != "list-unsubscribe=one-click":
            raise BadArgument(
                "This message offers no one-click unsubscribe (RFC 8058).", argument="message_id"
            )
        self._on_unsubscribe(uri[1])
        host = urlsplit(uri[1]).hostname or ""
        return Unsubscribed(host=host, status=200, at=self._now().isoformat(timespec="seconds"))

    def _each(self, ids: Sequence[str], change: Callable[[MemoryMessage], None]) -> WriteOutcome:
        self._wake()
        done: list[str] = []
        failed: list[Failure] = []
        for id_ in dict.fromkeys(ids):
            message = self._store.messages.get(id_)
            if message is None:
                failed.append(Failure(id=id_, error=NO_MESSAGE))
                continue
            change(message)
            done.append(id_)
        return WriteOutcome(ids=tuple(done), failed=tuple(failed))

    def _remove(self, message: MemoryMessage) -> None:
        self._end_snooze(message)
        for draft_id, id_ in self._drafts.items():
            if id_ == message.id:
                del self._drafts[draft_id]
                break
        self._store.remove(message)

    def _send(self, raw: bytes, thread_id: str | None) -> str:
        new_id = f"<sent.{len(self._store.messages)}.{self._now().timestamp():.6f}@memory.invalid>"
        ready = make_ready(raw, self.account, new_id)
        self._deliver(ready.delivery)
        if self.account.casefold() in (address.casefold() for address in ready.delivery.recipients):
            return self._arrive(ready.kept, ("SENT", "INBOX", "UNREAD"), thread_id).id
        return self._add(ready.kept, LabelState(labels=frozenset({"SENT"})), thread_id).id

    def _draft(self, draft_id: str, message: MemoryMessage) -> Draft:
        return Draft(id=draft_id, message_id=message.id, thread_id=message.thread_id)

    def _draft_message(self, draft_id: str) -> MemoryMessage:
        message = self._store.messages.get(self._drafts.get(draft_id, ""))
        if message is None or "TRASH" in message.labels:
            raise NotFound(f"There is no draft {draft_id[:80]!r}.", argument="draft_id")
        return message

    def _check_thread(self, thread_id: str | None) -> None:
        if thread_id is not None:
            self._store.thread(thread_id)
