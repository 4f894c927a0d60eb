"""A mailbox that passes everything on to another: the base of all wrappers. Entry point: `MailboxWrapper`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gaia_email_registry.errors import BadArgument
from gaia_mail_mcp.calendar import (
    Answering,
    Busy,
    CalendarStore,
    CounterProposal,
    EventPage,
    NewCalendarEvent,
    Response,
    TimeWindow,
    Watchable,
)
from gaia_mail_mcp.mailbox import (
    Capability,
    Changes,
    Draft,
    FilterStore,
    IdPage,
    Mailbox,
    MailboxStatus,
    PhishingReporter,
    SendAsMailbox,
    StoredMessage,
    Unsubscribed,
    Unsubscriber,
    VacationStore,
    WriteOutcome,
    connects,
)

if TYPE_CHECKING:
    import datetime as dt

    from gaia_email_registry.contract.wire import (
        CalendarEvent,
        Filter,
        FilterAction,
        FilterCriteria,
        Label,
        SendAs,
        Vacation,
    )
    from gaia_mail.query.grammar import Query


class MailboxWrapper:
    """Delegates to `inner`; a subclass overrides what it guards."""

    def __init__(self, inner: Mailbox) -> None:
        self.inner = inner

    @property
    def account(self) -> str:
        """See `Mailbox`, as for every other member here."""
        return self.inner.account

    @property
    def provider(self) -> str:
        """The provider of the mailbox inside."""
        return self.inner.provider

    @property
    def capabilities(self) -> frozenset[Capability]:
        """The capabilities of the mailbox inside."""
        return self.inner.capabilities

    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> IdPage:
        """Passed on."""
        return await self.inner.search(query, limit=limit, cursor=cursor)

    async def read(self, ids: Sequence[str], *, raw: bool, most: int | None = None) -> list[StoredMessage]:
        """Passed on."""
        return await self.inner.read(ids, raw=raw, most=most)

    async def thread(self, thread_id: str) -> list[str]:
        """Passed on."""
        return await self.inner.thread(thread_id)

    async def attachment(self, message_id: str, attachment_id: str) -> tuple[str, str, bytes]:
        """Passed on."""
        return await self.inner.attachment(message_id, attachment_id)

    async def labels(self) -> list[Label]:
        """Passed on."""
        return await self.inner.labels()

    async def create_label(self, name: str, visibility: dict[str, str]) -> Label:
        """Passed on."""
        return await self.inner.create_label(name, visibility)

    async def update_label(self, label_id: str, name: str | None, visibility: dict[str, str]) -> Label:
        """Passed on."""
        return await self.inner.update_label(label_id, name, visibility)

    async def delete_label(self, label_id: str) -> Label:
        """Passed on."""
        return await self.inner.delete_label(label_id)

    async def modify(self, ids: Sequence[str], *, add: Sequence[str], remove: Sequence[str]) -> WriteOutcome:
        """Passed on."""
        return await self.inner.modify(ids, add=add, remove=remove)

    async def trash(self, ids: Sequence[str]) -> WriteOutcome:
        """Passed on."""
        return await self.inner.trash(ids)

    async def untrash(self, ids: Sequence[str]) -> WriteOutcome:
        """Passed on."""
        return await self.inner.untrash(ids)

    async def delete(self, ids: Sequence[str]) -> WriteOutcome:
        """Passed on."""
        return await self.inner.delete(ids)

    async def snooze(self, ids: Sequence[str], until: str) -> WriteOutcome:
        """Passed on."""
        return await self.inner.snooze(ids, until)

    async def create_draft(self, raw: bytes, thread_id: str | None) -> Draft:
        """Passed on."""
        return await self.inner.create_draft(raw, thread_id)

    async def update_draft(self, draft_id: str, raw: bytes) -> Draft:
        """Passed on."""
        return await self.inner.update_draft(draft_id, raw)

    async def drafts(self, *, limit: int) -> list[Draft]:
        """Passed on."""
        return await self.inner.drafts(limit=limit)

    async def delete_draft(self, draft_id: str) -> bytes:
        """Passed on."""
        return await self.inner.delete_draft(draft_id)

    async def send_draft(self, draft_id: str, raw: bytes | None = None) -> str:
        """Passed on."""
        return await self.inner.send_draft(draft_id, raw)

    async def send(self, raw: bytes, thread_id: str | None) -> str:
        """Passed on."""
        return await self.inner.send(raw, thread_id)

    async def changes(self, cursor: str | None, *, limit: int) -> Changes:
        """Passed on."""
        return await self.inner.changes(cursor, limit=limit)

    async def cursor(self) -> str:
        """Passed on."""
        return await self.inner.cursor()

    async def wait(self, cursor: str, *, timeout_s: float) -> bool:
        """Passed on."""
        return await self.inner.wait(cursor, timeout_s=timeout_s)

    async def status(self) -> MailboxStatus:
        """Passed on."""
        return await self.inner.status()

    async def aclose(self) -> None:
        """Passed on."""
        await self.inner.aclose()

    async def connect(self) -> object:
        """Passed on, where the mailbox inside has to connect."""
        return await self.inner.connect() if connects(self.inner) else None

    async def filters(self) -> list[Filter]:
        """Passed on, where the mailbox inside has filters."""
        return await self._filter_store().filters()

    async def create_filter(self, criteria: FilterCriteria, action: FilterAction) -> Filter:
        """Passed on, where the mailbox inside has filters."""
        return await self._filter_store().create_filter(criteria, action)

    async def delete_filter(self, filter_id: str) -> Filter:
        """Passed on, where the mailbox inside has filters."""
        return await self._filter_store().delete_filter(filter_id)

    async def unsubscribe(self, message_id: str) -> Unsubscribed:
        """Passed on, where the mailbox inside can unsubscribe."""
        if not isinstance(self.inner, Unsubscriber):
            raise BadArgument("This mailbox cannot unsubscribe from lists.")
        return await self.inner.unsubscribe(message_id)

    async def report_phishing(self, ids: Sequence[str]) -> None:
        """Passed on, where the mailbox inside can report phishing."""
        if not isinstance(self.inner, PhishingReporter):
            raise BadArgument("The provider of this mailbox takes no phishing reports.")
        await self.inner.report_phishing(ids)

    async def send_as(self) -> list[SendAs]:
        """Passed on, where the mailbox inside has several senders."""
        if not isinstance(self.inner, SendAsMailbox):
            raise BadArgument("This mailbox sends as one address only.")
        return await self.inner.send_as()

    async def vacation(self) -> Vacation:
        """Passed on, where the mailbox inside answers by itself."""
        return await self._vacation_store().vacation()

    async def set_vacation(self, vacation: Vacation) -> Vacation:
        """Passed on, where the mailbox inside answers by itself."""
        return await self._vacation_store().set_vacation(vacation)

    def _vacation_store(self) -> VacationStore:
        if not isinstance(self.inner, VacationStore):
            raise BadArgument("This mailbox has no automatic answer.")
        return self.inner

    async def calendar_zone(self) -> str:
        """Passed on, where the mailbox inside has a calendar."""
        return await self._calendar().calendar_zone()

    async def events(
        self, window: TimeWindow, *, query: str, limit: int, cursor: str | None = None
    ) -> EventPage:
        """Passed on, where the mailbox inside has a calendar."""
        return await self._calendar().events(window, query=query, limit=limit, cursor=cursor)

    async def event(self, event_id: str) -> CalendarEvent:
        """Passed on, where the mailbox inside has a calendar."""
        return await self._calendar().event(event_id)

    async def invitation(self, uid: str) -> CalendarEvent:
        """Passed on, where the mailbox inside has a calendar."""
        return await self._calendar().invitation(uid)

    async def busy(self, window: TimeWindow, calendars: Sequence[str]) -> list[Busy]:
        """Passed on, where the mailbox inside has a calendar."""
        return await self._calendar().busy(window, calendars)

    async def create_event(self, new: NewCalendarEvent) -> CalendarEvent:
        """Passed on, where the mailbox inside has a calendar."""
        return await self._calendar().create_event(new)

    def answering(self) -> Answering:
        """Passed on, where the mailbox inside has a calendar."""
        return self._calendar().answering()

    async def respond(
        self,
        event_id: str,
        response: Response,
        *,
        comment: str | None,
        notify: bool,
        propose: CounterProposal | None = None,
    ) -> CalendarEvent:
        """Passed on, where the mailbox inside has a calendar."""
        return await self._calendar().respond(
            event_id, response, comment=comment, notify=notify, propose=propose
        )

    async def delete_event(self, event_id: str, *, notify: bool) -> CalendarEvent:
        """Passed on, where the mailbox inside has a calendar."""
        return await self._calendar().delete_event(event_id, notify=notify)

    async def watch(self) -> dt.datetime:
        """Passed on, where the provider pushes news."""
        return await self._watchable().watch()

    async def unwatch(self) -> bool:
        """Passed on, where the provider pushes news."""
        return await self._watchable().unwatch()

    def _calendar(self) -> CalendarStore:
        if not isinstance(self.inner, CalendarStore):
            raise BadArgument("This mailbox has no calendar.")
        return self.inner

    def _watchable(self) -> Watchable:
        if not isinstance(self.inner, Watchable):
            raise BadArgument("This mailbox's provider pushes no news.")
        return self.inner

    def _filter_store(self) -> FilterStore:
        if not isinstance(self.inner, FilterStore):
            raise BadArgument("This mailbox has no filters.")
        return self.inner
