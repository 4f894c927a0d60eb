"""The mailbox contract over the emulated Gmail, with its batches and without."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pytest

from gaia_gmail_mcp.push import PushTopic
from gaia_mail_mcp.mailbox import Mailbox
from tests.contract.suite import MailboxContract, Seed
from tests.gmail.emulator.emulator import Emulator
from tests.gmail.support import EmulatedMailbox, open_emulated


class TestGmail(MailboxContract):
    batches: ClassVar[bool] = True

    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self.path = tmp_path

    async def open_mailbox(self, seeds: Sequence[Seed]) -> Mailbox:
        self.emulator = Emulator(self.account, batches=self.batches)
        push = PushTopic(topic="projects/my-project/topics/gmail", audience="https://mail.example/push")
        return await open_emulated(self.emulator, self.path, seeds, push=push)

    async def deliver(self, mailbox: Mailbox, seed: Seed) -> None:
        assert isinstance(mailbox, EmulatedMailbox)
        await mailbox.emulator.deliver(seed.raw)

    async def outbox(self, mailbox: Mailbox) -> list[bytes]:
        return [delivery.raw for delivery in self.emulator.account.sent]


class TestGmailWithoutBatches(TestGmail):
    batches = False
