"""A Gmail account as a `Mailbox`: one object that hands each call to the part that does it. Entry: `GmailMailbox`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gaia_email_registry.errors import MailError
from gaia_gmail_mcp.account import GmailAccount
from gaia_gmail_mcp.account_settings import AccountSettings
from gaia_gmail_mcp.calendar import GoogleCalendar
from gaia_gmail_mcp.changing import Changer
from gaia_gmail_mcp.client import GmailClient
from gaia_gmail_mcp.drafts import Drafts
from gaia_gmail_mcp.filters import Filters
from gaia_gmail_mcp.history import HistoryFollower
from gaia_gmail_mcp.labels import GmailLabelStore
from gaia_gmail_mcp.pull import Puller
from gaia_gmail_mcp.push import PushTopic
from gaia_gmail_mcp.reading import GmailReader
from gaia_gmail_mcp.relabeling import GmailRelabeler
from gaia_gmail_mcp.snoozing import Snoozes
from gaia_gmail_mcp.units import CALENDAR_BURST, CALENDAR_RATE, LIMIT, WINDOW_S, bucket_for
from gaia_gmail_mcp.watching import PushWatch
from gaia_mail.query.grammar import Query
from gaia_mail_mcp.calendar import (
    Answering,
    Busy,
    CounterProposal,
    EventPage,
    NewCalendarEvent,
    Response,
    TimeWindow,
)
from gaia_mail_mcp.mailbox import (
    Capability,
    Changes,
    Draft,
    IdPage,
    MailboxStatus,
    StoredMessage,
    Unsubscribed,
    WriteOutcome,
)
from gaia_mail_mcp.pacing import TokenBucket
from gaia_mail_mcp.web.http import HttpClient

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import (
        CalendarEvent,
        Filter,
        FilterAction,
        FilterCriteria,
        Label,
        SendAs,
        Vacation,
    )

CAPABILITIES = frozenset(
    {
        Capability.MODIFY,
        Capability.DELETE,
        Capability.LABELS,
        Capability.DRAFTS,
        Capability.SEND,
        Capability.FILTERS,
        Capability.SNOOZE,
        Capability.REPORT_SPAM,
        Capability.UNSUBSCRIBE,
        Capability.SEND_AS,
        Capability.VACATION,
        Capability.CALENDAR,
        Capability.CALENDAR_WRITE,
        Capability.PUSH,
    }
)

PULL_S = 120.0
"""Pub/Sub answers a pull when there is something, or after shared 90 seconds."""


class GmailMailbox:
    """Everything an account can do; methods are described by the protocols of `gaia_mail_mcp`.

    Args:
        client: How Gmail is called.
        home: Directory below which the account keeps its quota and notes.
        calendar_root: Where Google's calendar is.
        push: How news is pushed, if it is.
        account: Its address, as far as known; Gmail says it at the first use.
        bucket_of: The quota of the account with that folder.
    """

    provider = "gmail"
    capabilities: frozenset[Capability] = CAPABILITIES

    def __init__(
        self,
        client: GmailClient,
        home: Path,
        *,
        calendar_root: str,
        push: PushTopic,
        account: str = "",
        bucket_of: Callable[[Path], TokenBucket] = bucket_for,
    ) -> None:
        self.shared = shared = GmailAccount(client, home, address=account, bucket_of=bucket_of)
        self.reader = GmailReader(shared)
        self.label_store = GmailLabelStore(shared)
        relabeler = GmailRelabeler(shared)
        self.snoozes = Snoozes(shared, self.reader, self.label_store, relabeler)
        self.changer = Changer(shared, self.reader, self.label_store, relabeler, self.snoozes)
        self.push_watch = PushWatch(shared, push)
        self.follower = HistoryFollower(shared, self.reader, self.push_watch)
        self.draft_store = Drafts(shared)
        self.filter_store = Filters(shared)
        self.settings = AccountSettings(shared, self.reader)
        # Calendar and Pub/Sub have quotas of their own.
        calendar = replace(client, root=calendar_root, bucket=_paced(), service="Google Calendar")
        self.calendar = GoogleCalendar(calendar, lambda: shared.address)
        if push.subscription:
            slow = HttpClient("Google", read_s=PULL_S, account=account)
            pubsub = replace(client, root=push.root, http=slow, bucket=_paced(), service="Pub/Sub")
            tell = self.follower.news.tell
            self.push_watch.puller = Puller(pubsub, push.subscription, lambda: shared.address, tell)

    @property
    def account(self) -> str:
        """See `Mailbox`."""
        return self.shared.address

    async def connect(self) -> object:
        """See `Connecting`."""
        return await self.shared.connect()

    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> IdPage:
        """See `Mailbox`."""
        await self.snoozes.wake()
        snoozed = self.snoozes.label_name(await self.shared.connect())
        return await self.reader.search(query, limit=limit, cursor=cursor, snoozed_label=snoozed)

    async def read(self, ids: Sequence[str], *, raw: bool, most: int | None = None) -> list[StoredMessage]:
        """See `Mailbox`."""
        await self.snoozes.wake()
        return await self.reader.read(ids, raw=raw, most=most)

    async def thread(self, thread_id: str) -> list[str]:
        """See `Mailbox`."""
        return await self.reader.thread(thread_id)

    async def attachment(self, message_id: str, attachment_id: str) -> tuple[str, str, bytes]:
        """See `Mailbox`."""
        return await self.reader.attachment(message_id, attachment_id)

    async def labels(self) -> list[Label]:
        """See `Mailbox`."""
        return await self.label_store.all()

    async def create_label(self, name: str, visibility: dict[str, str]) -> Label:
        """See `Mailbox`."""
        return await self.label_store.create(name, visibility)

    async def update_label(self, label_id: str, name: str | None, visibility: dict[str, str]) -> Label:
        """See `Mailbox`."""
        return await self.label_store.update(label_id, name, visibility)

    async def delete_label(self, label_id: str) -> Label:
        """See `Mailbox`."""
        return await self.label_store.delete(label_id)

    async def modify(self, ids: Sequence[str], *, add: Sequence[str], remove: Sequence[str]) -> WriteOutcome:
        """See `Mailbox`."""
        return await self.changer.modify(ids, add=add, remove=remove)

    async def trash(self, ids: Sequence[str]) -> WriteOutcome:
        """See `Mailbox`."""
        return await self.changer.trash(ids)

    async def untrash(self, ids: Sequence[str]) -> WriteOutcome:
        """See `Mailbox`."""
        return await self.changer.untrash(ids)

    async def delete(self, ids: Sequence[str]) -> WriteOutcome:
        """See `Mailbox`."""
        return await self.changer.delete(ids)

    async def snooze(self, ids: Sequence[str], until: str) -> WriteOutcome:
        """See `Mailbox`."""
        return await self.snoozes.snooze(ids, until)

    async def create_draft(self, raw: bytes, thread_id: str | None) -> Draft:
        """See `Mailbox`."""
        return await self.draft_store.create(raw, thread_id)

    async def update_draft(self, draft_id: str, raw: bytes) -> Draft:
        """See `Mailbox`."""
        return await self.draft_store.update(draft_id, raw)

    async def drafts(self, *, limit: int) -> list[Draft]:
        """See `Mailbox`."""
        return await self.draft_store.all(limit=limit)

    async def delete_draft(self, draft_id: str) -> bytes:
        """See `Mailbox`."""
        return await self.draft_store.delete(draft_id)

    async def send_draft(self, draft_id: str, raw: bytes | None = None) -> str:
        """See `Mailbox`."""
        return await self.draft_store.send(draft_id, raw)

    async def send(self, raw: bytes, thread_id: str | None) -> str:
        """See `Mailbox`."""
        return await self.draft_store.send_message(raw, thread_id)

    async def changes(self, cursor: str | None, *, limit: int) -> Changes:
        """See `Mailbox`."""
        await self.snoozes.wake()
        return await self.follower.changes(cursor, limit=limit)

    async def cursor(self) -> str:
        """See `Mailbox`."""
        return await self.follower.cursor()

    async def wait(self, cursor: str, *, timeout_s: float) -> bool:
        """See `Mailbox`."""
        return await self.follower.wait(cursor, timeout_s=timeout_s)

    async def watch(self) -> dt.datetime:
        """See `Watchable`."""
        return await self.push_watch.watch()

    async def unwatch(self) -> bool:
        """See `Watchable`."""
        return await self.push_watch.unwatch()

    async def filters(self) -> list[Filter]:
        """See `FilterStore`."""
        return await self.filter_store.all()

    async def create_filter(self, criteria: FilterCriteria, action: FilterAction) -> Filter:
        """See `FilterStore`."""
        return await self.filter_store.create(criteria, action)

    async def delete_filter(self, filter_id: str) -> Filter:
        """See `FilterStore`."""
        return await self.filter_store.delete(filter_id)

    async def send_as(self) -> list[SendAs]:
        """See `SendAsMailbox`."""
        return await self.settings.send_as()

    async def vacation(self) -> Vacation:
        """See `VacationStore`."""
        return await self.settings.vacation()

    async def set_vacation(self, vacation: Vacation) -> Vacation:
        """See `VacationStore`."""
        return await self.settings.set_vacation(vacation)

    async def unsubscribe(self, message_id: str) -> Unsubscribed:
        """See `Unsubscriber`."""
        return await self.settings.unsubscribe(message_id)

    async def calendar_zone(self) -> str:
        """See `CalendarStore`."""
        return await self.calendar.calendar_zone()

    async def events(
        self, window: TimeWindow, *, query: str, limit: int, cursor: str | None = None
    ) -> EventPage:
        """See `CalendarStore`."""
        return await self.calendar.events(window, query=query, limit=limit, cursor=cursor)

    async def event(self, event_id: str) -> CalendarEvent:
        """See `CalendarStore`."""
        return await self.calendar.event(event_id)

    async def invitation(self, uid: str) -> CalendarEvent:
        """See `CalendarStore`."""
        return await self.calendar.invitation(uid)

    async def busy(self, window: TimeWindow, calendars: Sequence[str]) -> list[Busy]:
        """See `CalendarStore`."""
        return await self.calendar.busy(window, calendars)

    async def create_event(self, new: NewCalendarEvent) -> CalendarEvent:
        """See `CalendarStore`."""
        return await self.calendar.create_event(new)

    def answering(self) -> Answering:
        """See `CalendarStore`."""
        return self.calendar.answering()

    async def respond(
        self,
        event_id: str,
        response: Response,
        *,
        comment: str | None,
        notify: bool,
        propose: CounterProposal | None = None,
    ) -> CalendarEvent:
        """See `CalendarStore`."""
        return await self.calendar.respond(
            event_id, response, comment=comment, notify=notify, propose=propose
        )

    async def delete_event(self, event_id: str, *, notify: bool) -> CalendarEvent:
        """See `CalendarStore`."""
        return await self.calendar.delete_event(event_id, notify=notify)

    async def status(self) -> MailboxStatus:
        """See `Mailbox`: not connected when Gmail cannot be asked, with the reason."""
        client = self.shared.client
        try:
            await self.shared.connect()
            profile = await self.shared.profile()
        except MailError as error:
            hint = f" {error.hint}" if error.hint else ""
            return MailboxStatus(connected=False, errors=(f"{error.message}{hint}", *client.health.errors()))
        return MailboxStatus(
            connected=True,
            scopes=client.tokens.scopes,
            quota={"used": client.bucket.used(WINDOW_S), "limit": LIMIT * WINDOW_S, "window_s": WINDOW_S},
            holds=profile.holds,
            last_sync=client.health.last_sync,
            errors=client.health.errors(),
        )

    async def aclose(self) -> None:
        """See `Mailbox`."""
        if self.push_watch.puller is not None:
            await self.push_watch.puller.aclose()
            await self.push_watch.puller.client.http.aclose()
        await self.shared.client.http.aclose()


def _paced() -> TokenBucket:
    return TokenBucket(rate=CALENDAR_RATE, burst=CALENDAR_BURST)
