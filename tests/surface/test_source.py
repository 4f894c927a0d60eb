"""A mailbox is opened when it is first needed, once, and says before that what its tools are made from."""

from __future__ import annotations

import asyncio

from fastmcp import Client

from gaia_mail_mcp.mailbox import Capability, Mailbox
from gaia_mail_mcp.source import MailboxSource
from gaia_mail_mcp.surface.server import create_server
from tests.contract.memory import MemoryMailbox

ALL = frozenset(Capability)


def test_a_mailbox_is_opened_once_and_only_when_a_tool_needs_it() -> None:
    opened: list[MemoryMailbox] = []

    def opener() -> Mailbox:
        opened.append(MemoryMailbox())
        return opened[0]

    async def scenario() -> None:
        source = MailboxSource(opener, account="a name of mine", provider="memory", capabilities=ALL)
        async with Client(create_server(source)) as client:
            assert len(await client.list_tools()) > 40
            assert (source.account, opened) == ("a name of mine", [])
            await client.call_tool("list_emails", {})
            await client.call_tool("server_status", {})
            assert source.account == opened[0].account
        assert len(opened) == 1
        assert not (await opened[0].status()).connected

    asyncio.run(scenario())


def test_what_was_never_opened_has_nothing_to_close() -> None:
    def opener() -> Mailbox:
        raise AssertionError("opened")

    source = MailboxSource(opener, account="me", provider="memory", capabilities=ALL)
    asyncio.run(source.aclose())


def test_a_mailbox_that_is_there_is_its_own_source() -> None:
    mailbox = MemoryMailbox("me@example.org")
    source = MailboxSource.of(mailbox)
    assert source.open() is mailbox and MailboxSource.of(source) is source
    assert (source.account, source.provider, source.capabilities) == ("me@example.org", "memory", ALL)
