"""An account that is switched off is closed and refused wherever it is open, and opens again when it is switched on."""

from __future__ import annotations

import asyncio

import pytest

from gaia_email_registry.errors import NeedsApproval, ProviderError
from gaia_mail.query.grammar import parse_query
from gaia_mail_mcp import source
from gaia_mail_mcp.source import MailboxSource
from tests.contract.memory import MemoryMailbox
from tests.contract.suite import write_message

CYCLES = 100


class Account:
    """A mailbox that counts how often it is opened and closed, and the switch of its account."""

    def __init__(self) -> None:
        self.on, self.readable = True, True
        self.opened = self.closed = 0
        self.closing, self.looked = asyncio.Event(), asyncio.Event()

    def check(self) -> None:
        self.looked.set()
        if not self.readable:
            raise ProviderError("The list of accounts cannot be read.")
        if not self.on:
            raise NeedsApproval("The account me is switched off.")

    def open(self) -> MemoryMailbox:
        account = self

        class Counted(MemoryMailbox):
            async def aclose(self) -> None:
                account.closed += 1
                account.closing.set()

        self.opened += 1
        mailbox = Counted()
        mailbox.put(write_message(1))
        return mailbox

    def mailbox(self) -> MailboxSource:
        return MailboxSource(
            self.open, account="me", provider="memory", capabilities=frozenset(), may_open=self.check
        )


async def found(mailbox: MailboxSource) -> int:
    return len((await mailbox.open().search(parse_query(""), limit=10)).ids)


def test_every_use_is_refused_while_it_is_off_and_works_again_when_it_is_on() -> None:
    async def scenario() -> None:
        account = Account()
        mailbox = account.mailbox()
        for cycle in range(1, CYCLES + 1):
            assert await found(mailbox) == 1
            account.on = False
            with pytest.raises(NeedsApproval, match="switched off"):
                await mailbox.open().search(parse_query(""), limit=10)
            account.on = True
            await account.closing.wait()
            account.closing.clear()
            assert (account.opened, account.closed) == (cycle, cycle)
        await mailbox.aclose()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(scenario())


def test_what_is_open_is_closed_though_nobody_uses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "LOOK_EVERY_S", 0.01)

    async def scenario() -> None:
        account = Account()
        mailbox = account.mailbox()
        await found(mailbox)
        account.on = False
        await account.closing.wait()
        assert account.closed == 1
        await mailbox.aclose()
        assert account.closed == 1

    asyncio.run(asyncio.wait_for(scenario(), 5))


def test_a_list_of_accounts_that_cannot_be_read_closes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "LOOK_EVERY_S", 0.001)

    async def scenario() -> None:
        account = Account()
        mailbox = account.mailbox()
        await found(mailbox)
        account.readable = False
        account.looked.clear()
        await account.looked.wait()
        assert account.closed == 0
        await mailbox.aclose()
        assert account.closed == 1

    asyncio.run(asyncio.wait_for(scenario(), 5))
