"""Wrappers keep the whole mailbox contract and add nothing to it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from gaia_email_registry.errors import BadArgument
from gaia_mail_mcp.mailbox import Capability, Mailbox
from gaia_mail_mcp.memory import Delivery, MemoryMailbox
from gaia_mail_mcp.testing import MailboxContract, Seed
from gaia_mail_mcp.wrappers import Deferred, MailboxWrapper

ALL = frozenset(Capability)


class WrapperContract(MailboxContract):
    """The contract over a mailbox in memory inside a wrapper."""

    def wrap(self, inner: Mailbox) -> Mailbox:
        raise NotImplementedError

    async def open_mailbox(self, seeds: Sequence[Seed]) -> Mailbox:
        self.left: list[Delivery] = []
        self.inside = MemoryMailbox(self.account, deliver=self.left.append)
        for seed in seeds:
            self.inside.put(seed.raw, seed.labels)
        return self.wrap(self.inside)

    async def deliver(self, mailbox: Mailbox, seed: Seed) -> None:
        self.inside.receive(seed.raw)

    async def outbox(self, mailbox: Mailbox) -> list[bytes]:
        return [delivery.raw for delivery in self.left]


class TestMailboxWrapper(WrapperContract):
    def wrap(self, inner: Mailbox) -> Mailbox:
        return MailboxWrapper(inner)


class TestDeferred(WrapperContract):
    def wrap(self, inner: Mailbox) -> Mailbox:
        return Deferred(
            lambda: inner, account=self.account, provider="memory", capabilities=inner.capabilities
        )


def test_what_is_deferred_is_opened_once_and_only_when_needed() -> None:
    opened: list[MemoryMailbox] = []

    def opener() -> Mailbox:
        opened.append(MemoryMailbox())
        return opened[0]

    async def scenario() -> None:
        mailbox = Deferred(opener, account="me@example.org", provider="memory", capabilities=ALL)
        assert (mailbox.account, mailbox.provider, mailbox.capabilities) == ("me@example.org", "memory", ALL)
        await mailbox.aclose()
        assert not opened
        await mailbox.labels()
        await mailbox.status()
        await mailbox.aclose()
        assert len(opened) == 1
        assert not (await opened[0].status()).connected

    asyncio.run(scenario())


def test_a_wrapper_adds_nothing_to_what_a_mailbox_can_do() -> None:
    async def scenario() -> None:
        bare = MailboxWrapper(MemoryMailbox(capabilities=frozenset()))
        for call in (
            bare.filters,
            bare.send_as,
            bare.vacation,
            lambda: bare.unsubscribe("m1"),
            lambda: bare.report_phishing(["m1"]),
        ):
            with pytest.raises(BadArgument):
                await call()

    asyncio.run(scenario())
