"""A Gmail account as a `Mailbox`, assembled from its parts. Entry: `GmailMailbox`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import override

from gaia_email_registry.errors import MailError
from gaia_gmail_mcp.account import GmailAccount
from gaia_gmail_mcp.account_settings import AccountSettings, Filters
from gaia_gmail_mcp.calendar import GoogleCalendar
from gaia_gmail_mcp.changing import Changer
from gaia_gmail_mcp.client import GmailClient
from gaia_gmail_mcp.drafts import Drafts
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
    Watchable,
)
from gaia_mail_mcp.mailbox import (
    Capability,
    Changes,
    Connecting,
    IdPage,
    Mailbox,
    MailboxStatus,
    StoredMessage,
    WriteOutcome,
)
from gaia_mail_mcp.pacing import TokenBucket
from gaia_mail_mcp.web.http import HttpClient

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import (
        Label,
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
"""Read timeout of a pull in seconds: Pub/Sub responds when there are messages, or after about 90 seconds."""


class GmailMailbox(Changer, Drafts, Filters, AccountSettings, GoogleCalendar, Mailbox, Connecting, Watchable):
    """All operations of an account; the protocols of `gaia_mail_mcp` document the methods.

    The parts share one `GmailAccount`; methods defined here need more than one part.

    Args:
        client: Client for Gmail's API.
        home: Directory under which the account keeps its quota and notes.
        calendar_root: URL of Google's calendar API.
        push: Push notification settings.
        account: Address of the account, if known; otherwise the first connection asks Gmail.
        capabilities: Capabilities that the login allows.
        bucket_of: Returns the quota bucket for the account's folder.
    """

    def __init__(
        self,
        client: GmailClient,
        home: Path,
        *,
        calendar_root: str,
        push: PushTopic,
        account: str = "",
        capabilities: frozenset[Capability] = CAPABILITIES,
        bucket_of: Callable[[Path], TokenBucket] = bucket_for,
    ) -> None:
        self.shared = shared = GmailAccount(client, home, address=account, bucket_of=bucket_of)
        self._capabilities = capabilities
        self.reader = GmailReader(shared)
        self.label_store = GmailLabelStore(shared)
        relabeler = GmailRelabeler(shared)
        self.snoozes = Snoozes(shared, self.reader, self.label_store, relabeler)
        Changer.__init__(self, shared, self.reader, self.label_store, relabeler, self.snoozes)
        self.push_watch = PushWatch(shared, push)
        self.follower = HistoryFollower(shared, self.reader, self.push_watch)
        Drafts.__init__(self, shared)
        Filters.__init__(self, shared)
        AccountSettings.__init__(self, shared, self.reader)
        # Calendar and Pub/Sub have separate quotas.
        calendar = replace(client, root=calendar_root, bucket=_new_bucket(), service="Google Calendar")
        GoogleCalendar.__init__(self, calendar, lambda: shared.address)
        if push.subscription:
            slow = HttpClient("Google", read_s=PULL_S, account=account)
            pubsub = replace(client, root=push.root, http=slow, bucket=_new_bucket(), service="Pub/Sub")
            tell = self.follower.news.tell
            self.push_watch.puller = Puller(pubsub, push.subscription, lambda: shared.address, tell)

    @property
    @override
    def account(self) -> str:
        return self.shared.address

    @property
    @override
    def provider(self) -> str:
        return "gmail"

    @property
    @override
    def capabilities(self) -> frozenset[Capability]:
        return self._capabilities

    @override
    async def connect(self) -> object:
        return await self.shared.connect()

    @override
    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> IdPage:
        await self.snoozes.wake()
        snoozed = self.snoozes.label_name(await self.shared.connect())
        return await self.reader.search(query, limit=limit, cursor=cursor, snoozed_label=snoozed)

    @override
    async def read(self, ids: Sequence[str], *, raw: bool, most: int | None = None) -> list[StoredMessage]:
        await self.snoozes.wake()
        return await self.reader.read(ids, raw=raw, most=most)

    @override
    async def thread(self, thread_id: str) -> list[str]:
        return await self.reader.thread(thread_id)

    @override
    async def attachment(self, message_id: str, attachment_id: str) -> tuple[str, str, bytes]:
        return await self.reader.attachment(message_id, attachment_id)

    @override
    async def labels(self) -> list[Label]:
        return await self.label_store.all()

    @override
    async def create_label(self, name: str, visibility: dict[str, str]) -> Label:
        return await self.label_store.create(name, visibility)

    @override
    async def update_label(self, label_id: str, name: str | None, visibility: dict[str, str]) -> Label:
        return await self.label_store.update(label_id, name, visibility)

    @override
    async def delete_label(self, label_id: str) -> Label:
        return await self.label_store.delete(label_id)

    @override
    async def snooze(self, ids: Sequence[str], until: str) -> WriteOutcome:
        return await self.snoozes.snooze(ids, until)

    @override
    async def changes(self, cursor: str | None, *, limit: int) -> Changes:
        await self.snoozes.wake()
        return await self.follower.changes(cursor, limit=limit)

    @override
    async def cursor(self) -> str:
        return await self.follower.cursor()

    @override
    async def wait(self, cursor: str, *, timeout_s: float) -> bool:
        return await self.follower.wait(cursor, timeout_s=timeout_s)

    @override
    async def watch(self) -> dt.datetime:
        return await self.push_watch.watch()

    @override
    async def unwatch(self) -> bool:
        return await self.push_watch.unwatch()

    @override
    async def status(self) -> MailboxStatus:
        """Report the mailbox as not connected, with the reason, if Gmail cannot be reached."""
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
            quota={
                "used": client.bucket.units_used(WINDOW_S),
                "limit": LIMIT * WINDOW_S,
                "window_s": WINDOW_S,
            },
            holds=profile.holds,
            last_sync=client.health.last_sync,
            errors=client.health.errors(),
        )

    @override
    async def aclose(self) -> None:
        if self.push_watch.puller is not None:
            await self.push_watch.puller.aclose()
            await self.push_watch.puller.client.http.aclose()
        await self.shared.client.http.aclose()


def _new_bucket() -> TokenBucket:
    return TokenBucket(rate=CALENDAR_RATE, burst=CALENDAR_BURST)
