"""The mailbox contract, with calendar, filters and pushes, over the emulated Graph with its immutable ids.

Once with a service whose delta tells only what changed, once with one that tells whole messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from gaia_mail_mcp.mailbox import Mailbox
from tests.contract.suite import MailboxContract, Seed
from tests.graph.emulator.account import Account
from tests.graph.emulator.emulator import Emulator
from tests.graph.support import EmulatedMailbox, let_in, open_emulated


class TestGraph(MailboxContract):
    filtered_mark = "IMPORTANT"  # Outlook's rules set no flag
    sparse = True

    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self.path = tmp_path

    async def open_mailbox(self, seeds: Sequence[Seed]) -> Mailbox:
        self.emulator = Emulator(Account(sparse=self.sparse))
        mailbox = await open_emulated(self.emulator, self.path, seeds)
        let_in(self.emulator, mailbox.graph, self.path)
        return mailbox

    async def deliver(self, mailbox: Mailbox, seed: Seed) -> None:
        assert isinstance(mailbox, EmulatedMailbox)
        mailbox.emulator.account.put(seed.raw, seed.labels)

    async def outbox(self, mailbox: Mailbox) -> list[bytes]:
        return self.emulator.account.sent


class TestGraphTellingWholeMessages(TestGraph):
    sparse = False
