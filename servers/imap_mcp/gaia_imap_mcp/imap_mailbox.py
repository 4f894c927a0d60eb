"""An IMAP account as a `Mailbox` that can be changed and sent from. Entry: `ImapMailbox`."""

from __future__ import annotations

import asyncio
import datetime as dt
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from secrets import token_hex
from typing import TYPE_CHECKING, TypeVar

from typing_extensions import override

from gaia_email_registry.contract.wire import Label
from gaia_email_registry.errors import BadArgument, MailError, NotFound, ProviderError
from gaia_imap_mcp.abilities import IMAP_CAPABILITIES, WITHOUT_SENDING
from gaia_imap_mcp.account import ImapAccount
from gaia_imap_mcp.change.drafts import DraftStore, check_thread, join_thread
from gaia_imap_mcp.change.filing import UNFILED, Filer
from gaia_imap_mcp.change.label_store import ImapLabelStore
from gaia_imap_mcp.change.relabel import ImapRelabeler
from gaia_imap_mcp.change.snoozer import Snoozer
from gaia_imap_mcp.change.writer import Writer
from gaia_imap_mcp.mailbox import ImapReader
from gaia_imap_mcp.settings import ImapSettings
from gaia_imap_mcp.smtp.sender import SmtpSender
from gaia_mail.snoozing import snoozed_until, time_to_come
from gaia_mail_mcp.delivery import ReadyDelivery, make_ready, require_as_shown
from gaia_mail_mcp.label_names import require_known
from gaia_mail_mcp.mailbox import Capability, Draft, MailboxStatus, Unsubscribed, Unsubscriber, WriteOutcome

if TYPE_CHECKING:
    from gaia_mail_mcp.one_click import OneClick

T = TypeVar("T")

GOOGLE = frozenset({"mx.google.com"})
"""The server id in Authentication-Results headers that Gmail writes; other accounts use their configured ids."""

LEAST_WAIT_S = 0.05
"""The shortest pause between two checks for due snoozed messages, however the clock is set."""

SEND_S = 5.0
"""Seconds that closing waits for a message that is being sent."""


class AccountChangers:
    """The objects that change one account, created once and used in its worker thread."""

    def __init__(self, account: ImapAccount) -> None:
        self.account = account
        self.writer = Writer(account)
        self.relabeler = ImapRelabeler(account, self.writer)
        self.snoozer = Snoozer(account, self.writer)
        self.labels = ImapLabelStore(account, self.writer, self.relabeler)
        self.filer = Filer(account, self.writer)
        self.drafts = DraftStore(account, self.writer, self.filer)


class ImapMailbox(ImapReader, Unsubscriber):
    """An IMAP mailbox that can be read, changed and sent from.

    Args:
        settings: The server and the login.
        sender: The SMTP sender; None if the account cannot send.
        files_sent: True if the SMTP server itself saves sent mail in Sent.
        wakes: False for a read-only server, which must not bring snoozed messages back.
        clock: The clock for snoozes, in epoch seconds.
    """

    one_click: OneClick | None = None
    """Unsubscribes from mailing lists; created on first use."""

    def __init__(
        self,
        settings: ImapSettings,
        sender: SmtpSender | None = None,
        *,
        files_sent: bool = False,
        wakes: bool = True,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(settings)
        self._wakes, self._clock = wakes, clock
        self._sender, self._files_sent = sender, files_sent
        self._tools: AccountChangers | None = None
        self._can_send = False
        self._sending: set[asyncio.Future[str]] = set()
        self._leaving: set[str] = set()
        """Ids of drafts that are being sent."""

    @property
    @override
    def capabilities(self) -> frozenset[Capability]:
        return IMAP_CAPABILITIES if self._sender is not None else WITHOUT_SENDING

    @override
    async def modify(self, ids: Sequence[str], *, add: Sequence[str], remove: Sequence[str]) -> WriteOutcome:
        added, removed = frozenset(add), frozenset(remove)

        def change(tools: AccountChangers) -> WriteOutcome:
            known = (label["id"] for label in self._labels(tools.account))
            asked = [
                labels - {label for label in labels if snoozed_until(label)} for labels in (added, removed)
            ]
            require_known(known, added=asked[0], removed=asked[1])
            ended = tools.snoozer.ended_by(ids, added, removed)
            applied = tools.relabeler.modify(ids, added, removed | ended)
            tools.snoozer.end(applied.ids, added, removed)
            return applied

        return await self._write(change)

    @override
    async def trash(self, ids: Sequence[str]) -> WriteOutcome:
        return await self._write(lambda tools: tools.relabeler.trash(ids))

    @override
    async def untrash(self, ids: Sequence[str]) -> WriteOutcome:
        """Take messages out of Trash; those that another program put there go to the inbox."""
        return await self._write(lambda tools: tools.relabeler.untrash(ids))

    @override
    async def delete(self, ids: Sequence[str]) -> WriteOutcome:
        return await self._write(lambda tools: tools.writer.delete(ids))

    @override
    async def snooze(self, ids: Sequence[str], until: str) -> WriteOutcome:
        """Snooze messages; they return when one of our programs first syncs at or after that time."""
        instant = time_to_come(until, dt.datetime.fromtimestamp(self._clock(), dt.UTC))
        return await self._write(lambda tools: tools.snoozer.snooze(ids, instant))

    @override
    async def create_label(self, name: str, visibility: dict[str, str]) -> Label:
        """Create a label: a keyword if the server allows it, else a folder."""
        return await self._write(
            lambda tools: tools.labels.create(name, visibility, self._labels(tools.account))
        )

    @override
    async def update_label(self, label_id: str, name: str | None, visibility: dict[str, str]) -> Label:
        """Update a label. Its id is its name, so renaming it changes the id."""
        return await self._write(
            lambda tools: tools.labels.update(label_id, name, visibility, self._labels(tools.account))
        )

    @override
    async def delete_label(self, label_id: str) -> Label:
        """Delete a label; messages of a folder move to the archive first."""
        return await self._write(lambda tools: tools.labels.delete(label_id, self._labels(tools.account)))

    @override
    async def create_draft(self, raw: bytes, thread_id: str | None) -> Draft:
        return await self._write(lambda tools: tools.drafts.create(raw, thread_id))

    @override
    async def update_draft(self, draft_id: str, raw: bytes) -> Draft:
        return await self._write(lambda tools: tools.drafts.update(draft_id, raw))

    @override
    async def drafts(self, *, limit: int) -> list[Draft]:
        return await self._work(lambda account: self._opened_tools(account).drafts.list(limit))

    @override
    async def delete_draft(self, draft_id: str) -> bytes:
        return await self._write(lambda tools: tools.drafts.delete(draft_id))

    @override
    async def send_draft(self, draft_id: str, raw: bytes | None = None) -> str:
        """Send a draft once, however often this is called, and remove it when its copy is in Sent."""
        if draft_id in self._leaving:
            raise BadArgument("This draft is being sent.", argument="draft_id")
        self._leaving.add(draft_id)
        try:
            stored = await self._write(lambda tools: tools.drafts.to_send(draft_id))
            require_as_shown(stored, raw)
        except BaseException:
            self._leaving.discard(draft_id)
            raise
        return await self._to_the_end(self._send_draft(stored, draft_id))

    async def _send_draft(self, raw: bytes, draft_id: str) -> str:
        def file(tools: AccountChangers, ready: ReadyDelivery) -> str:
            id_ = tools.filer.file_sent(ready.kept, by_server=self._files_sent)
            tools.drafts.remove(draft_id)
            return id_

        try:
            return await self._send(raw, draft_id, file)
        finally:
            self._leaving.discard(draft_id)

    @override
    async def send(self, raw: bytes, thread_id: str | None) -> str:
        """Send a message; its copy in Sent keeps the Bcc recipients."""
        await self._write(lambda tools: check_thread(tools.account, thread_id))

        def file(tools: AccountChangers, ready: ReadyDelivery) -> str:
            id_ = tools.filer.file_sent(ready.kept, by_server=self._files_sent)
            join_thread(tools.account, id_, thread_id)
            return id_

        return await self._to_the_end(self._send(raw, "", file))

    @override
    async def unsubscribe(self, message_id: str) -> Unsubscribed:
        """Unsubscribe, and log the result next to the index if that is a file."""
        stored = await self.read([message_id], raw=True)
        if not stored:
            raise NotFound(f"There is no message {message_id[:80]!r}.", argument="message_id")
        if self.one_click is None:
            from gaia_mail_mcp.one_click import OneClick, TrustedAuthServers, UnsubscribeLog

            is_gmail = await self._run(lambda account: account.connection().is_gmail)
            cache = self.settings.cache
            self.one_click = OneClick(
                trust=TrustedAuthServers(servers=GOOGLE if is_gmail else self.settings.authserv_ids),
                account=self.settings.address,
                log=UnsubscribeLog(cache.with_name("unsubscribed.jsonl")) if cache is not None else None,
            )
        return await self.one_click.leave(stored[0].raw or b"")

    @override
    async def status(self) -> MailboxStatus:
        """Return the status; the SMTP login is also tested until it has succeeded once."""
        found = await super().status()
        if not found.connected:
            return found
        if self._tools is not None and (problem := self._tools.snoozer.problem):
            found = replace(found, errors=(*found.errors, problem))
        scopes = ("read", "write")
        if self._sender is None:
            return replace(found, scopes=scopes)
        if not self._can_send:
            try:
                await asyncio.to_thread(self._sender.check)
                self._can_send = True
            except MailError as error:
                return replace(found, scopes=scopes, errors=(*found.errors, error.message))
        return replace(found, scopes=(*scopes, "send"))

    @override
    async def aclose(self) -> None:
        """Close, giving a message that is being sent `SEND_S` to be filed."""
        if self._sending:
            await asyncio.wait(self._sending, timeout=SEND_S)
        await super().aclose()

    async def _to_the_end(self, work: Coroutine[object, object, str]) -> str:
        """Finish even if the caller is cancelled: every sent message must get into Sent."""
        task = asyncio.ensure_future(work)
        self._sending.add(task)
        task.add_done_callback(self._sent)
        return await asyncio.shield(task)

    def _sent(self, task: asyncio.Future[str]) -> None:
        self._sending.discard(task)
        if not task.cancelled():
            task.exception()  # marks it as retrieved when the caller is gone

    async def _send(
        self, raw: bytes, draft_id: str, file: Callable[[AccountChangers, ReadyDelivery], str]
    ) -> str:
        ready = await self._deliver(raw, draft_id)
        return await self._file(ready, lambda tools: file(tools, ready))

    async def _deliver(self, raw: bytes, draft_id: str) -> ReadyDelivery:
        """Send a message by SMTP; the mailbox stays usable meanwhile."""
        if self._sender is None:
            raise BadArgument(
                "This account has no server for sending; set GAIA_SMTP_HOST, or connect it with --smtp-host."
            )
        domain = self.account.rpartition("@")[2] or "localhost"
        ready = make_ready(raw, self.account, f"<{token_hex(16)}@{domain}>")
        await asyncio.to_thread(self._sender.send, ready.delivery)
        await self._work(
            lambda account: self._tools_of(account).filer.keep(ready.kept, draft_id), fresh=False
        )
        return ready

    async def _file(self, ready: ReadyDelivery, file: Callable[[AccountChangers], str]) -> str:
        """Save a sent message in Sent; if that fails, leave it to a later job."""
        try:
            return await self._write(file)
        except MailError as error:
            await self._work(lambda account: self._tools_of(account).filer.give_up(ready.kept), fresh=False)
            raise ProviderError(
                f"The message was sent, but its copy is not in Sent yet ({error.message.rstrip('.')}). It will be "
                "put there when the server can be reached; do not send it again."
            ) from None

    async def _write(self, job: Callable[[AccountChangers], T]) -> T:
        """Run a job that may change the account, once, on an up-to-date index."""
        try:
            return await self._work(lambda account: job(self._opened_tools(account)), again=False)
        finally:
            if self._watcher is not None:
                self._watcher.ring()

    def _do_due(self, account: ImapAccount) -> None:
        """Wake snoozed messages that are due; on failure the job goes on and `status` reports the reason."""
        if self._wakes:
            with suppress(MailError):
                self._tools_of(account).snoozer.wake_due(self._clock())

    def _until_due_s(self) -> float:
        if not self._wakes or self._tools is None:
            return super()._until_due_s()
        return max(self._tools.snoozer.wake_at() - self._clock(), LEAST_WAIT_S)

    def _tools_of(self, account: ImapAccount) -> AccountChangers:
        if self._tools is None or self._tools.account is not account:
            self._tools = AccountChangers(account)
        return self._tools

    def _opened_tools(self, account: ImapAccount) -> AccountChangers:
        """Return the changers, after filing sent messages that are not in Sent yet."""
        tools = self._tools_of(account)
        if account.index.notes(UNFILED):
            for draft_id in tools.filer.file_left():
                with suppress(MailError):
                    tools.drafts.remove(draft_id)
        return tools

    def _labels(self, account: ImapAccount) -> list[Label]:
        return self._opened_tools(account).labels.labels(super()._labels(account))
