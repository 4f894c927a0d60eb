"""A mailbox that passes everything on to another, for tests that watch or change one call of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from typing_extensions import override

from gaia_email_registry.errors import BadArgument
from gaia_mail_mcp.calendar import (
    BusyTimes,
    CalendarStore,
    CounterProposal,
    EventPage,
    InvitationAnswers,
    NewCalendarEvent,
    Response,
    TimeWindow,
    Watchable,
)
from gaia_mail_mcp.mailbox import (
    Capability,
    Changes,
    Connecting,
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


class MailboxWrapper(
    Mailbox,
    Connecting,
    CalendarStore,
    FilterStore,
    PhishingReporter,
    SendAsMailbox,
    Unsubscriber,
    VacationStore,
    Watchable,
):
    """Delegates to `inner`; a subclass overrides what it watches."""

    def __init__(self, inner: Mailbox) -> None:
        self.inner = inner

    @property
    @override
    def account(self) -> str:
        return self.inner.account

    @property
    @override
    def provider(self) -> str:
        return self.inner.provider

    @property
    @override
    def capabilities(self) -> frozenset[Capability]:
        return self.inner.capabilities

    @override
    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> IdPage:
        return await self.inner.search(query, limit=limit, cursor=cursor)

    @override
    async def read(self, ids: Sequence[str], *, raw: bool, most: int | None = None) -> list[StoredMessage]:
        return await self.inner.read(ids, raw=raw, most=most)

    @override
    async def thread(self, thread_id: str) -> list[str]:
        return await self.inner.thread(thread_id)

    @override
    async def attachment(self, message_id: str, attachment_id: str) -> tuple[str, str, bytes]:
        return await self.inner.attachment(message_id, attachment_id)

    @override
    async def labels(self) -> list[Label]:
        return await self.inner.labels()

    @override
    async def create_label(self, name: str, visibility: dict[str, str]) -> Label:
        return await self.inner.create_label(name, visibility)

    @override
    async def update_label(self, label_id: str, name: str | None, visibility: dict[str, str]) -> Label:
        return await self.inner.update_label(label_id, name, visibility)

    @override
    async def delete_label(self, label_id: str) -> Label:
        return await self.inner.delete_label(label_id)

    @override
    async def modify(self, ids: Sequence[str], *, add: Sequence[str], remove: Sequence[str]) -> WriteOutcome:
        return await self.inner.modify(ids, add=add, remove=remove)

    @override
    async def trash(self, ids: Sequence[str]) -> WriteOutcome:
        return await self.inner.trash(ids)

    @override
    async def untrash(self, ids: Sequence[str]) -> WriteOutcome:
        return await self.inner.untrash(ids)

    @override
    async def delete(self, ids: Sequence[str]) -> WriteOutcome:
        return await self.inner.delete(ids)

    @override
    async def snooze(self, ids: Sequence[str], until: str) -> WriteOutcome:
        return await self.inner.snooze(ids, until)

    @override
    async def create_draft(self, raw: bytes, thread_id: str | None) -> Draft:
        return await self.inner.create_draft(raw, thread_id)

    @override
    async def update_draft(self, draft_id: str, raw: bytes) -> Draft:
        return await self.inner.update_draft(draft_id, raw)

    @override
    async def drafts(self, *, limit: int) -> list[Draft]:
        return await self.inner.drafts(limit=limit)

    @override
    async def delete_draft(self, draft_id: str) -> bytes:
        return await self.inner.delete_draft(draft_id)

    @override
    async def send_draft(self, draft_id: str, raw: bytes | None = None) -> str:
        return await self.inner.send_draft(draft_id, raw)

    @override
    async def send(self, raw: bytes, thread_id: str | None) -> str:
        return await self.inner.send(raw, thread_id)

    @override
    async def changes(self, cursor: str | None, *, limit: int) -> Changes:
        return await self.inner.changes(cursor, limit=limit)

    @override
    async def cursor(self) -> str:
        return await self.inner.cursor()

    @override
    async def wait(self, cursor: str, *, timeout_s: float) -> bool:
        return await self.inner.wait(cursor, timeout_s=timeout_s)

    @override
    async def status(self) -> MailboxStatus:
        return await self.inner.status()

    @override
    async def aclose(self) -> None:
        await self.inner.aclose()

    @override
    async def connect(self) -> object:
        return await self.inner.connect() if isinstance(self.inner, Connecting) else None

    @override
    async def filters(self) -> list[Filter]:
        return await self._filter_store().filters()

    @override
    async def create_filter(self, criteria: FilterCriteria, action: FilterAction) -> Filter:
        return await self._filter_store().create_filter(criteria, action)

    @override
    async def delete_filter(self, filter_id: str) -> Filter:
        return await self._filter_store().delete_filter(filter_id)

    @override
    async def unsubscribe(self, message_id: str) -> Unsubscribed:
        if not isinstance(self.inner, Unsubscriber):
            raise BadArgument("This mailbox cannot unsubscribe from lists.")
        return await self.inner.unsubscribe(message_id)

    @override
    async def report_phishing(self, ids: Sequence[str]) -> None:
        if not isinstance(self.inner, PhishingReporter):
            raise BadArgument("The provider of this mailbox takes no phishing reports.")
        await self.inner.report_phishing(ids)

    @override
    async def send_as(self) -> list[SendAs]:
        if not isinstance(self.inner, SendAsMailbox):
            raise BadArgument("This mailbox sends as one address only.")
        return await self.inner.send_as()

    @override
    async def vacation(self) -> Vacation:
        return await self._vacation_store().vacation()

    @override
    async def set_vacation(self, vacation: Vacation) -> Vacation:
        return await self._vacation_store().set_vacation(vacation)

    def _vacation_store(self) -> VacationStore:
        if not isinstance(self.inner, VacationStore):
            raise BadArgument("This mailbox has no automatic answer.")
        return self.inner

    @override
    async def calendar_zone(self) -> str:
        return await self._calendar().calendar_zone()

    @override
    async def events(
        self, window: TimeWindow, *, query: str, limit: int, cursor: str | None = None
    ) -> EventPage:
        return await self._calendar().events(window, query=query, limit=limit, cursor=cursor)

    @override
    async def event(self, event_id: str) -> CalendarEvent:
        return await self._calendar().event(event_id)

    @override
    async def invitation(self, uid: str) -> CalendarEvent:
        return await self._calendar().invitation(uid)

    @override
    async def busy(self, window: TimeWindow, calendars: Sequence[str]) -> list[BusyTimes]:
        return await self._calendar().busy(window, calendars)

    @override
    async def create_event(self, new: NewCalendarEvent) -> CalendarEvent:
        return await self._calendar().create_event(new)

    @override
    def answering(self) -> InvitationAnswers:
        return self._calendar().answering()

    @override
    async def respond(
        self,
        event_id: str,
        response: Response,
        *,
        comment: str | None,
        notify: bool,
        propose: CounterProposal | None = None,
    ) -> CalendarEvent:
        return await self._calendar().respond(
            event_id, response, comment=comment, notify=notify, propose=propose
        )

    @override
    async def delete_event(self, event_id: str, *, notify: bool) -> CalendarEvent:
        return await self._calendar().delete_event(event_id, notify=notify)

    @override
    async def watch(self) -> dt.datetime:
        return await self._watchable().watch()

    @override
    async def unwatch(self) -> bool:
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
