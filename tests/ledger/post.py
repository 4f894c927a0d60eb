"""A mailbox in memory, for syncs and searches. Entry points: `follow`, `follow_over_mcp`, `letter`."""

from __future__ import annotations

import asyncio
import base64
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import cast

from mcp.client import Client

from gaia_email.ledger import Ledger
from gaia_email.mailbox.client import MailClient
from gaia_email.mailbox.reader import FollowedMailbox
from gaia_email.mailbox.sync import SyncOutcome, sync_mail
from gaia_email_registry.contract.wire import (
    Email,
    Label,
    ListEmailsResult,
    ReadEmailsResult,
    StatusResult,
    SyncResult,
    WaitResult,
)
from gaia_email_registry.errors import MailError
from gaia_mail.query.grammar import parse_query
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.memory import MemoryMailbox

ME = "me@example.org"


@dataclass(slots=True)
class Direct:
    """The mailbox as a mail client gives it, without MCP between them."""

    mailbox: MemoryMailbox

    async def sync_emails(self, cursor: str | None = None, *, limit: int = 500) -> SyncResult:
        changes = await self.mailbox.changes(cursor, limit=limit)
        return {
            "cursor": changes.cursor,
            "added": list(changes.added),
            "changed": list(changes.changed),
            "removed": list(changes.removed),
            "reset": changes.reset,
            "more": changes.more,
        }

    async def read_emails(self, ids: Sequence[str]) -> ReadEmailsResult:
        emails: list[Email] = []
        for stored in await self.mailbox.read(ids, raw=True):
            raw = base64.urlsafe_b64encode(stored.raw or b"").decode()
            emails.append(cast(Email, {**stored.summary, "raw": raw}))
        return {"emails": emails, "missing": []}

    async def list_emails(
        self, *, query: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> ListEmailsResult:
        found = await self.mailbox.search(parse_query(query or ""), limit=limit, cursor=cursor)
        emails = [stored.summary for stored in await self.mailbox.read(found.ids, raw=False)]
        return {"emails": emails, "next_cursor": found.next_cursor}

    async def wait_for_changes(self, cursor: str, *, timeout_s: float) -> WaitResult:
        changed = await self.mailbox.wait(cursor, timeout_s=timeout_s)
        return {"changed": changed, "cursor_hint": cursor}

    async def labels(self) -> list[Label]:
        return await self.mailbox.labels()

    async def status(self) -> StatusResult:
        return {
            "account": self.mailbox.account,
            "provider": "memory",
            "connected": True,
            "scopes": [],
            "read_only": False,
            "last_sync": None,
            "errors": [],
        }


@dataclass(slots=True)
class Shaky:
    """A mail client whose next calls fail with these errors, in order; None lets a call through.

    `unreadable` are ids of messages that cannot be read; `page` the summaries of an answer.
    """

    mail: FollowedMailbox
    failures: list[MailError | None] = field(default_factory=list[MailError | None])
    unreadable: dict[str, MailError] = field(default_factory=dict[str, MailError])
    page: int = 500
    reads: list[list[str]] = field(default_factory=list[list[str]])

    async def sync_emails(self, cursor: str | None = None, *, limit: int = 500) -> SyncResult:
        self._fail()
        return await self.mail.sync_emails(cursor, limit=self.page)

    async def read_emails(self, ids: Sequence[str]) -> ReadEmailsResult:
        self._fail()
        self.reads.append(list(ids))
        for message_id in ids:
            if message_id in self.unreadable:
                raise self.unreadable[message_id]
        return await self.mail.read_emails(ids)

    async def list_emails(
        self, *, query: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> ListEmailsResult:
        self._fail()
        return await self.mail.list_emails(query=query, limit=limit, cursor=cursor)

    async def wait_for_changes(self, cursor: str, *, timeout_s: float) -> WaitResult:
        return await self.mail.wait_for_changes(cursor, timeout_s=timeout_s)

    async def labels(self) -> list[Label]:
        return await self.mail.labels()

    async def status(self) -> StatusResult:
        return await self.mail.status()

    def _fail(self) -> None:
        error = self.failures.pop(0) if self.failures else None
        if error is not None:
            raise error


def follow(
    mailbox: MemoryMailbox,
    ledger: Ledger,
    *,
    page: int = 500,
    failures: Sequence[MailError | None] = (),
    unreadable: dict[str, MailError] | None = None,
    reads: list[list[str]] | None = None,
) -> SyncOutcome:
    """One sync of the mailbox into the ledger's cache, as a new program would do it."""
    mail = Shaky(Direct(mailbox), list(failures), unreadable or {}, page)
    try:
        return asyncio.run(sync_mail(mail, ledger))
    finally:
        if reads is not None:
            reads.extend(mail.reads)


def follow_over_mcp(mailbox: MemoryMailbox, ledger: Ledger) -> SyncOutcome:
    """As `follow`, through the tools of a server."""

    async def run() -> SyncOutcome:
        server = create_server(mailbox, SurfaceSettings())
        async with Client(server._mcp_server, cache=None) as client:  # pyright: ignore[reportPrivateUsage]
            return await sync_mail(MailClient(client.session), ledger)

    return asyncio.run(run())


def letter(
    subject: str,
    body: str,
    *,
    sender: str = "Ann Lee <ann@example.com>",
    to: str = ME,
    date: str = "Tue, 03 Mar 2026 10:00:00 +0000",
    more: Sequence[tuple[str, str]] = (),
    attachment: str = "",
) -> bytes:
    """The bytes of a message."""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = to
    message["Subject"] = subject
    message["Date"] = date
    message["Message-ID"] = f"<{zlib.crc32((subject + body + date).encode())}@example.com>"
    for name, value in more:
        message[name] = value
    message.set_content(body)
    if attachment:
        message.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename=attachment)
    return message.as_bytes()
