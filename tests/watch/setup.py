"""Watches of a mailbox in memory, whose server fails when told to. Entry point: `WatchSetup`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from mcp.client import Client

from gaia_email.ledger import Ledger
from gaia_email.mailbox.client import MailClient
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email.triage.tiers import default_tier
from gaia_email.triage.watch import Arrival, Watch, WatchHooks
from gaia_email_registry.contract.wire import (
    Label,
    ListEmailsResult,
    ReadEmailsResult,
    StatusResult,
    SyncResult,
    WaitResult,
)
from gaia_email_registry.errors import MailError
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.memory import MemoryMailbox


@dataclass(slots=True)
class Flaky:
    """A mail client whose next calls fail with these errors, in order; None lets a call through.

    `restless` has it say at once, always, that something changed.
    """

    mail: MailClient
    failures: list[MailError | None]
    restless: bool = False

    async def list_emails(
        self, *, query: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> ListEmailsResult:
        self._fail()
        return await self.mail.list_emails(query=query, limit=limit, cursor=cursor)

    async def sync_emails(self, cursor: str | None = None, *, limit: int = 500) -> SyncResult:
        self._fail()
        return await self.mail.sync_emails(cursor, limit=limit)

    async def wait_for_changes(self, cursor: str, *, timeout_s: float) -> WaitResult:
        self._fail()
        if self.restless:
            return {"changed": True, "cursor_hint": cursor}
        return await self.mail.wait_for_changes(cursor, timeout_s=timeout_s)

    async def read_emails(self, ids: Sequence[str]) -> ReadEmailsResult:
        self._fail()
        return await self.mail.read_emails(ids)

    async def labels(self) -> list[Label]:
        return await self.mail.labels()

    async def status(self) -> StatusResult:
        return await self.mail.status()

    def _fail(self) -> None:
        error = self.failures.pop(0) if self.failures else None
        if error is not None:
            raise error


@dataclass(slots=True)
class WatchSetup:
    """Runs watches of one mailbox, each as a new program would, and keeps what they told."""

    ledger: Ledger
    mailbox: MemoryMailbox
    told: list[Arrival] = field(default_factory=list[Arrival])
    said: list[str] = field(default_factory=list[str])
    pauses: list[float] = field(default_factory=list[float])
    failures: list[MailError | None] = field(default_factory=list[MailError | None])
    left_out: list[str] = field(default_factory=list[str])
    opened: int = 0
    restless: bool = False

    @property
    def subjects(self) -> list[str]:
        return [arrival.email["subject"] for arrival in self.told]

    @asynccontextmanager
    async def open_server(self) -> AsyncGenerator[MailCopy, None]:
        self.opened += 1
        failure: MailError | None = None
        server = create_server(self.mailbox, SurfaceSettings())
        async with Client(server._mcp_server, cache=None) as client:  # pyright: ignore[reportPrivateUsage]
            try:
                mail = Flaky(MailClient(client.session), self.failures, self.restless)
                yield MailCopy(mail, self.ledger, account="")
            except MailError as error:  # as `open_mail` does, so that it does not come out in a group
                failure = error
        if failure is not None:
            raise failure

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def watch(
        self,
        *,
        folders: Sequence[str] = (),
        everything: bool = False,
        hooks: WatchHooks | None = None,
    ) -> Watch:
        return Watch(
            default_tier(environ=os.environ),
            hooks
            or WatchHooks(
                arrived=self.told.append,
                ready=lambda account, known, poll_s: self.said.append(f"ready {known}"),
                failed=lambda error, pause_s: self.said.append(error.message),
                recovered=lambda error: self.said.append("recovered"),
            ),
            owner=("me@example.org",),
            folders=folders,
            everything=everything,
            pause=self.pause,
        )

    def once(self, *, folders: Sequence[str] = (), everything: bool = False) -> list[str]:
        """One run that ends when everything is told; the subjects it told."""
        before = len(self.told)
        watch = self.watch(folders=folders, everything=everything)
        asyncio.run(watch.run(self.open_server, once=True))
        return self.subjects[before:]

    def follow(self, happening: Callable[[int], bool], *, folders: Sequence[str] = ()) -> None:
        """A run until `happening`, called when all is ready (0) and after each message told (1, 2, …), is True."""

        async def run() -> None:
            over = asyncio.Event()

            def step(number: int) -> None:
                if happening(number):
                    over.set()

            def arrived(arrival: Arrival) -> None:
                self.told.append(arrival)
                loop.call_soon(step, len(self.told))

            def ready(account: str, known: int, poll_s: float) -> None:
                self.said.append(f"ready {known}")
                loop.call_soon(step, 0)

            hooks = WatchHooks(
                arrived=arrived,
                ready=ready,
                failed=lambda error, pause_s: self.said.append(error.message),
                recovered=lambda error: self.said.append("recovered"),
                left_out=lambda message_id, error: self.left_out.append(message_id),
            )
            loop = asyncio.get_running_loop()
            work = asyncio.ensure_future(self.watch(folders=folders, hooks=hooks).run(self.open_server))
            waiting = asyncio.ensure_future(over.wait())
            async with asyncio.timeout(20):
                await asyncio.wait((work, waiting), return_when=asyncio.FIRST_COMPLETED)
            for task in (work, waiting):
                task.cancel()
            results = await asyncio.gather(work, waiting, return_exceptions=True)
            for result in results:
                if isinstance(result, Exception):
                    raise result

        asyncio.run(run())
