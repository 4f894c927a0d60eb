"""A server that another program started gives its connections up when its account is switched off, however often.

Two servers of others are started beside the accounts each time, and leave as little behind.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from gaia_email.mailbox.tool_calls import call_tool, open_session
from gaia_email_registry.accounts import set_enabled
from gaia_email_registry.errors import NeedsApproval
from gaia_email_registry.servers import StdioServer
from gaia_imap_mcp.server import mailbox_source
from gaia_mail.query.grammar import parse_query
from gaia_mail_mcp import source
from gaia_mail_mcp.source import MailboxSource
from tests.contract.suite import write_message
from tests.imap.program import connect_account
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.other_client import OtherClient

ACCOUNTS, CYCLES = 4, 25
"""So many accounts are switched off and on that often: a hundred times in all."""

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts files as Linux lists them")


SERVERS = Path(__file__).resolve().parents[1] / "servers"


def held() -> tuple[int, int, int]:
    """How many files, sockets among them, how many threads and how many children this process has."""
    return len(os.listdir("/proc/self/fd")), threading.active_count(), children()


def children() -> int:
    lists = Path("/proc/self/task").glob("*/children")
    return sum(len(one.read_text().split()) for one in lists if one.exists())


def foreign() -> tuple[StdioServer, StdioServer]:
    """A mailbox that a program of others serves, and a server that says on its standard error what it was told."""
    mailbox = (str(SERVERS / "absurd_mailbox.py"), "date-last")
    whispering = (str(SERVERS / "hostile.py"), "whispers")
    return (
        StdioServer(name="post", command=sys.executable, args=mailbox),
        StdioServer(name="whispering", command=sys.executable, args=whispering),
    )


async def look(mailbox: MailboxSource) -> int:
    return len((await mailbox.open().search(parse_query(""), limit=10)).ids)


def test_a_hundred_times_off_and_on_leave_no_connection_thread_or_file_behind(
    dovecot: Dovecot, user: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAIA_HOME", str(tmp_path / "gaia"))
    monkeypatch.setattr(source, "LOOK_EVERY_S", 0.01)
    users = [f"{user}-{number}" for number in range(ACCOUNTS)]
    for name in users:
        connect_account(dovecot.port, name)
        with OtherClient(dovecot.port, name) as other:
            other.append(write_message(1))

    servers = foreign()

    async def scenario() -> None:
        mailboxes = [mailbox_source({"account": name}, os.environ) for name in users]
        await cycle(mailboxes, held())
        before = held()
        for _ in range(CYCLES - 1):
            await cycle(mailboxes, before)
        for mailbox in mailboxes:
            await mailbox.aclose()

    async def use_foreign(before: int) -> None:
        async with AsyncExitStack() as stack:
            post, _ = [await stack.enter_async_context(open_session(server)) for server in servers]
            answer = await call_tool(post, "list_emails", {"limit": 10})
            assert not answer.is_error and "Roof" in str(answer.data)
            assert children() == before + len(servers)

    async def cycle(mailboxes: list[MailboxSource], before: tuple[int, int, int]) -> None:
        """Used, switched off until no more is held than before, refused, and switched on."""
        for mailbox in mailboxes:
            assert await look(mailbox) == 1
        await use_foreign(before[2])
        assert held()[0] >= before[0] + ACCOUNTS
        set_enabled(None, False, os.environ)
        async with asyncio.timeout(5):
            while any(now > then for now, then in zip(held(), before, strict=True)):
                await asyncio.sleep(0.005)
        for mailbox in mailboxes:
            with pytest.raises(NeedsApproval, match="switched off"):
                await look(mailbox)
        set_enabled(None, True, os.environ)

    asyncio.run(scenario())
