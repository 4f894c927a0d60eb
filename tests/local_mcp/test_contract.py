"""The mailbox contract over files: all of it for a Maildir, its reading half for mbox and `.eml`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from gaia_local_mcp.server import mailbox_source
from gaia_mail_mcp.mailbox import Mailbox
from tests.contract.suite import MailboxContract, Seed

Fill = Callable[[Path, Sequence[Seed]], None]
LINE = b"From pat@example.com Mon Mar  2 09:00:00 2026\n"
GMAIL_NAMES = {
    "INBOX": "Inbox",
    "UNREAD": "Unread",
    "SENT": "Sent",
    "DRAFT": "Drafts",
    "SPAM": "Spam",
    "TRASH": "Trash",
}


class TestMaildir(MailboxContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path, fill_maildir: Fill) -> None:
        self.path = tmp_path / "mail"
        self.fill = fill_maildir

    async def open_mailbox(self, seeds: Sequence[Seed]) -> Mailbox:
        self.fill(self.path, seeds)
        return mailbox_source("maildir", str(self.path), account=self.account).open()

    async def deliver(self, mailbox: Mailbox, seed: Seed) -> None:
        self.fill(self.path, [seed])


class TestMbox(MailboxContract):
    @pytest.fixture(autouse=True)
    def file(self, tmp_path: Path) -> None:
        self.path = tmp_path / "mail.mbox"

    async def open_mailbox(self, seeds: Sequence[Seed]) -> Mailbox:
        self.path.touch()
        for seed in seeds:
            await self.deliver_seed(seed)
        return mailbox_source("mbox", str(self.path), account=self.account).open()

    async def deliver(self, mailbox: Mailbox, seed: Seed) -> None:
        await self.deliver_seed(seed)

    async def deliver_seed(self, seed: Seed) -> None:
        """Append it as Takeout writes messages."""
        names = ",".join(GMAIL_NAMES.get(label, label.capitalize()) for label in seed.labels)
        head = f"X-Gmail-Labels: {names or 'Archived'}\r\n".encode()
        body = seed.raw.replace(b"\nFrom ", b"\n>From ")
        with self.path.open("ab") as file:
            file.write(LINE + head + body + b"\r\n")


class TestMessageFiles(MailboxContract):
    receives = True

    @pytest.fixture(autouse=True)
    def directory(self, tmp_path: Path) -> None:
        self.path = tmp_path / "mail"
        self.path.mkdir()
        self.count = 0

    async def open_mailbox(self, seeds: Sequence[Seed]) -> Mailbox:
        for seed in seeds:
            await self.store(seed)
        return mailbox_source("eml", str(self.path), account=self.account).open()

    async def deliver(self, mailbox: Mailbox, seed: Seed) -> None:
        await self.store(seed)

    async def store(self, seed: Seed) -> None:
        """Write it into the folder that says its label."""
        self.count += 1
        special = [label for label in ("SENT", "DRAFT", "SPAM", "TRASH") if label in seed.labels]
        folder = self.path / special[0] if special else self.path
        folder.mkdir(exist_ok=True)
        (folder / f"{self.count}.eml").write_bytes(seed.raw)
