"""The mailbox in memory: the whole contract."""

from __future__ import annotations

from collections.abc import Sequence

from gaia_mail_mcp.mailbox import Capability, FilterStore, Mailbox, Unsubscriber
from gaia_mail_mcp.memory import Delivery, MemoryMailbox
from gaia_mail_mcp.testing import MailboxContract, Seed


class TestMemory(MailboxContract):
    capabilities = frozenset(Capability)

    async def open_mailbox(self, seeds: Sequence[Seed]) -> Mailbox:
        self.left: list[Delivery] = []
        made = MemoryMailbox(
            self.account, deliver=self.left.append, capabilities=self.capabilities - {Capability.CALENDAR}
        )
        for seed in seeds:
            made.put(seed.raw, seed.labels)
        return made

    async def deliver(self, mailbox: Mailbox, seed: Seed) -> None:
        assert isinstance(mailbox, MemoryMailbox)
        mailbox.receive(seed.raw)

    async def outbox(self, mailbox: Mailbox) -> list[bytes]:
        return [delivery.raw for delivery in self.left]


class TestMemoryThatCanOnlyBeRead(TestMemory):
    capabilities = frozenset[Capability]()


def test_it_has_filters_and_can_unsubscribe() -> None:
    assert isinstance(MemoryMailbox(), FilterStore)
    assert isinstance(MemoryMailbox(), Unsubscriber)
