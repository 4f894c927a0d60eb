"""The same two hundred messages in files, on IMAP, at Gmail and at Microsoft: the agent judges and plans the same."""

from __future__ import annotations

import asyncio
import datetime as dt
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from fastmcp import FastMCP

from gaia_email.app.sample.mailbox import SAMPLE_OWNER, sample_messages
from gaia_email.mailbox.client import open_mail
from gaia_email.triage.inbox import Inbox, triage
from gaia_email.triage.tiers import default_tier
from gaia_email_registry.servers import InProcessServer
from gaia_local_mcp.maildir_mailbox import MaildirMailbox
from gaia_mail.mime.scan import normalize, scan_headers
from gaia_mail_mcp.mailbox import Mailbox
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.suite import Seed, write_message
from tests.gmail.emulator.emulator import Emulator as Google
from tests.gmail.support import Waits as GmailWaits
from tests.gmail.support import open_emulated as open_gmail
from tests.graph.emulator.account import Account
from tests.graph.emulator.emulator import Emulator as Microsoft
from tests.graph.support import open_emulated as open_graph
from tests.imap.conftest import dovecot as dovecot
from tests.imap.conftest import dovecot_with as dovecot_with
from tests.imap.conftest import servers_of_shapes as servers_of_shapes
from tests.imap.conftest import user as user
from tests.imap.test_writing import mailbox_at
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.other_client import OtherClient

NOW = dt.datetime(2026, 11, 1, 12, tzinfo=dt.UTC)
TRUSTED = {"GAIA_AUTHSERV_IDS": "mx.lindenwerk.example"}
"""Who writes Authentication-Results; of files that has to be said, of a server it is found out."""

ORDINARY = 25


def letters() -> list[Seed]:
    """The sample mailbox, and ordinary mail that makes it two hundred."""
    sample = [
        Seed(
            raw=normalize(message.raw)[0],
            labels=(message.folder, *(() if "S" in message.flags else ("UNREAD",))),
        )
        for message in sample_messages(NOW)
        if message.folder != "ARCHIVE"  # where that is, each provider says in its own way
    ]
    ordinary = [Seed(raw=normalize(write_message(number))[0]) for number in range(ORDINARY)]
    return sorted([*sample, *ordinary], key=_date)  # as they came: providers thread by what is there already


def _date(seed: Seed) -> dt.datetime:
    return scan_headers(seed.raw).date or NOW


@asynccontextmanager
async def _files(folder: Path, seeds: Sequence[Seed]) -> AsyncGenerator[Mailbox, None]:
    for place in ("", ".Sent"):
        for part in ("cur", "new", "tmp"):
            (folder / place / part).mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds):
        flags = "" if "UNREAD" in seed.labels else "S"
        place = ".Sent" if "SENT" in seed.labels else ""
        (folder / place / "cur" / f"{1_700_000_000 + number}.M{number}P1.host:2,{flags}").write_bytes(
            seed.raw
        )
    box = MaildirMailbox(str(folder), SAMPLE_OWNER)
    yield box
    await box.aclose()


@asynccontextmanager
async def _imap(server: Dovecot, user: str, seeds: Sequence[Seed]) -> AsyncGenerator[Mailbox, None]:
    def fill() -> None:
        with OtherClient(server.port, user) as other:
            for seed in seeds:
                flags = () if "UNREAD" in seed.labels else ("\\Seen",)
                other.append(seed.raw, "Sent" if "SENT" in seed.labels else "INBOX", flags)

    await asyncio.to_thread(fill)
    box = mailbox_at(server.port, user)
    yield box
    await box.aclose()


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What the agent makes of a mailbox, by the bytes of its messages."""

    verdicts: Mapping[str, object]
    plans: Mapping[str, object]
    counts: tuple[int, int, int]


def outcome(inbox: Inbox) -> Outcome:
    hashes = {judged.summary["id"]: judged.content_hash for judged in inbox.judged}
    items = [(bucket, item) for bucket, found in inbox.buckets.items() for item in found]
    return Outcome(
        verdicts={judged.content_hash: judged.verdict for judged in inbox.judged},
        plans={
            hashes[item.summary["id"]]: (
                bucket,
                item.messages,
                item.decision,
                sorted((hashes[member.summary["id"]], member.decision.action) for member in item.members),
            )
            for bucket, item in items
        },
        counts=(inbox.total, inbox.threads, inbox.unreadable),
    )


def test_two_hundred_messages_are_judged_alike_wherever_they_are(
    tmp_path: Path, dovecot: Dovecot, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = letters()
    assert len(seeds) >= 200

    async def judged(mailbox: Mailbox, provider: str) -> Outcome:
        def opener(provider: str) -> Callable[[Mapping[str, str]], FastMCP[None]]:
            return lambda options: create_server(mailbox, SurfaceSettings(read_only=True))

        monkeypatch.setattr("gaia_email.mailbox.tool_calls._opener", opener)
        async with open_mail(InProcessServer(provider=provider)) as mail:
            inbox = await triage(
                mail, default_tier(environ=TRUSTED), now=NOW.timestamp(), owner=(SAMPLE_OWNER,)
            )
        return outcome(inbox)

    async def from_files() -> Outcome:
        async with _files(tmp_path / "Mail", seeds) as mailbox:
            return await judged(mailbox, "local")

    async def from_imap() -> Outcome:
        async with _imap(dovecot, user, seeds) as mailbox:
            return await judged(mailbox, "imap")

    async def from_gmail() -> Outcome:
        mailbox = await open_gmail(Google(SAMPLE_OWNER), tmp_path / "gmail", seeds, GmailWaits())
        try:
            return await judged(mailbox, "gmail")
        finally:
            await mailbox.aclose()

    async def from_graph() -> Outcome:
        mailbox = await open_graph(Microsoft(Account(SAMPLE_OWNER)), tmp_path / "graph", seeds)
        try:
            return await judged(mailbox, "graph")
        finally:
            await mailbox.aclose()

    def run(of: Callable[[], Awaitable[Outcome]]) -> Outcome:
        async def main() -> Outcome:
            return await asyncio.wait_for(of(), 60)

        return asyncio.run(main())

    for name in ("gmail", "graph"):
        os.mkdir(tmp_path / name)
    graph = run(from_graph)
    assert len(graph.verdicts) > 150 and len({str(plan) for plan in graph.plans.values()}) > 20
    for of in (from_files, from_imap, from_gmail):
        other = run(of)
        assert graph.counts == other.counts, of.__name__
        assert graph.verdicts == other.verdicts, of.__name__
        assert graph.plans == other.plans, of.__name__
