"""A Graph account as a `Mailbox`: drafts and sending, in addition to reading and changing. Entry: `GraphMailbox`.

To send a message, a draft is created and sent. Its immutable id stays the same, so after a lost connection the message
is looked up by id: nothing is sent twice, and no sent message is taken for lost.
"""

from __future__ import annotations

import datetime as dt
from contextlib import suppress
from secrets import token_hex

from typing_extensions import override

from gaia_email_registry.errors import BadArgument, MailError, NotFound, ProviderError
from gaia_graph_mcp.calendar import GraphCalendar
from gaia_graph_mcp.calls import Resource, get, post, post_mime
from gaia_graph_mcp.client import OutcomeUnknown
from gaia_graph_mcp.own_settings import GraphSettings
from gaia_graph_mcp.push import GraphSubscription
from gaia_graph_mcp.rows import SELECTED, ReplicaRow, row_of
from gaia_graph_mcp.uploading import attach, detach_large
from gaia_mail.exchanged import counts_as_exchanged
from gaia_mail.mime.scan import normalize, scan_headers
from gaia_mail_mcp.calendar import Watchable
from gaia_mail_mcp.delivery import make_ready, require_as_shown
from gaia_mail_mcp.mailbox import Draft
from gaia_mail_mcp.pacing import Backoff

MOST_MIME = 3_000_000
"""Largest message in bytes that Graph accepts in one request (4 MB in base64); larger ones are sent in parts."""

LOOKS = 5
"""Lookups of a sent message before its outcome is reported as unknown."""


class GraphMailbox(GraphSettings, GraphCalendar, Watchable):
    """One account; must not be shared between event loops."""

    push: GraphSubscription | None = None
    """Microsoft's push notifications, if configured."""
    hears = False
    """True if pushes reach this program rather than another one on this machine."""

    @override
    async def watch(self) -> dt.datetime:
        if self.push is None:
            raise BadArgument(
                "No address for Microsoft's pushes is configured for this server.",
                hint="Set GAIA_GRAPH_NOTIFICATION_URL and start it again; docs/push.md says how.",
            )
        return await self.push.watch()

    @override
    async def unwatch(self) -> bool:
        return self.push is not None and await self.push.unwatch()

    async def is_pushed(self) -> bool:
        """Return True if pushes arrive; renew the subscription if it ends soon."""
        return self.push is not None and await self.push.is_live() and self.hears

    @override
    async def create_draft(self, raw: bytes, thread_id: str | None) -> Draft:
        """Create a draft; raises `NotFound` if the thread does not exist."""
        row = await self._store_draft(await self._add_thread_headers(raw, thread_id))
        return Draft(id=row.id, message_id=row.id, thread_id=row.conversation)

    @override
    async def update_draft(self, draft_id: str, raw: bytes) -> Draft:
        """Replace a draft. Graph cannot replace a message's content, so a new draft takes its place."""
        old = await self._draft_row(draft_id)
        others = [id_ for id_ in self.replica.conversation(old.conversation) if id_ != old.id]
        new = await self._store_draft(
            await self._add_thread_headers(raw, old.conversation if others else None)
        )
        with self.replica.writing():
            self.replica.set_draft(draft_id, new.id)
        await self.delete([old.id])
        return Draft(id=draft_id, message_id=new.id, thread_id=new.conversation)

    @override
    async def drafts(self, *, limit: int) -> list[Draft]:
        """Drafts in Trash are left out."""
        await self.refresh()
        folders = self.replica.folders()
        known = {message: draft for draft, message in self.replica.drafts().items()}
        found = [row for _, row in self.replica.newest_first() if "DRAFT" in folders.labels_of(row)]
        return [
            Draft(id=known.get(row.id, row.id), message_id=row.id, thread_id=row.conversation)
            for row in found[:limit]
        ]

    @override
    async def delete_draft(self, draft_id: str) -> bytes:
        row = await self._draft_row(draft_id)
        raw = await self._raw(row, draft_id)
        await self.delete([row.id])
        self._forget(draft_id)
        return raw

    @override
    async def send_draft(self, draft_id: str, raw: bytes | None = None) -> str:
        """Send a draft; it is kept if it cannot be sent."""
        row = await self._draft_row(draft_id)
        stored = await self._raw(row, draft_id)
        require_as_shown(stored, raw)
        make_ready(stored, self.account, "<unused@invalid>")  # refuses a message without recipients
        sent = await self._sent_out(row.id)
        self._forget(draft_id)
        return sent

    @override
    async def send(self, raw: bytes, thread_id: str | None) -> str:
        domain = self.account.rpartition("@")[2] or "localhost"
        ready = make_ready(raw, self.account, f"<{token_hex(16)}@{domain}>")
        row = await self._store_draft(await self._add_thread_headers(ready.kept, thread_id))
        return await self._sent_out(row.id)

    async def _sent_out(self, message_id: str) -> str:
        """Send a draft exactly once.

        Raises:
            MailError: The message was not sent and is still a draft, or (with that message) its outcome is unknown.
        """
        try:
            await self.client.call(post("messages", message_id, "send"))
        except OutcomeUnknown:
            pass  # its outcome is checked below
        except ProviderError:
            if await self._is_draft(message_id):
                raise
        return await self._found_sent(message_id)

    async def _is_draft(self, message_id: str) -> bool:
        try:
            found = await self.client.call(get("messages", message_id, query={"$select": "isDraft"}))
        except MailError:
            return False
        return found.get("isDraft") is True

    async def _found_sent(self, message_id: str) -> str:
        """Wait until the message appears as sent, under the id it had as a draft."""
        backoff = Backoff(first_s=0.5, longest_s=4.0, tries=LOOKS, jitter=self.client.backoff.jitter)
        for attempt in range(1, LOOKS + 1):
            try:
                resource: Resource = await self.client.call(get("messages", message_id, query=SELECTED))
            except NotFound:
                resource = {}
            if resource.get("isDraft") is False:
                with self.replica.writing():
                    self.replica.put(row_of(resource))
                self._notifier.notify()
                return message_id
            wait = backoff.delay(attempt, None)
            if wait is not None:
                await self.client.sleep(wait)
        raise OutcomeUnknown(
            "Microsoft took the message and does not show yet that it was sent; look in Sent and in Drafts "
            "before sending it again."
        )

    async def _store_draft(self, raw: bytes) -> ReplicaRow:
        """Store the message as a new draft."""
        light, heavy = detach_large(raw, MOST_MIME) if len(raw) > MOST_MIME else (raw, [])
        made = str((await self.client.call(post_mime("messages", raw=light))).get("id", ""))
        try:
            for one in heavy:
                await attach(self.client, made, one)
        except MailError:
            with suppress(MailError):  # do not keep an incomplete message
                await self.client.call(post("messages", made, "permanentDelete", repeatable=True))
            raise
        resource = await self.client.call(get("messages", made, query=SELECTED))
        row = row_of(resource)
        with self.replica.writing():
            self.replica.put(row)
        self._notifier.notify()
        return row

    async def _add_thread_headers(self, raw: bytes, thread_id: str | None) -> bytes:
        """Add headers that put a message into a conversation, if it has none: Exchange threads by them."""
        if thread_id is None:
            return raw
        labels_of = self.replica.folders().labels_of
        rows = (self.replica.get(id_) for id_ in reversed(await self.thread(thread_id)))
        last = next((row for row in rows if row and counts_as_exchanged(labels_of(row), ())), None)
        scan = scan_headers(raw)
        if last is None or scan.references or scan.in_reply_to or not last.header().message_id:
            return raw
        answered = last.header().message_id
        return f"In-Reply-To: {answered}\r\nReferences: {answered}\r\n".encode() + normalize(raw)[0]

    async def _draft_row(self, draft_id: str) -> ReplicaRow:
        id_ = self.replica.drafts().get(draft_id, draft_id)
        row = (await self.rows([id_])).get(id_)
        if row is None or "DRAFT" not in self.replica.folders().labels_of(row):
            raise NotFound(f"There is no draft {draft_id[:80]!r}.", argument="draft_id")
        return row

    async def _raw(self, row: ReplicaRow, draft_id: str) -> bytes:
        found = (await self.bodies([row])).get(row.id)
        if found is None:
            raise NotFound(f"There is no draft {draft_id[:80]!r}.", argument="draft_id")
        return found

    def _forget(self, draft_id: str) -> None:
        with self.replica.writing():
            self.replica.set_draft(draft_id, None)
