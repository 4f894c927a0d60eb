from __future__ import annotations

from collections.abc import Sequence

import pytest

from gaia_imap_mcp.mailbox import ImapReader
from gaia_imap_mcp.settings import ImapSettings, Secret
from gaia_mail_mcp.mailbox import Mailbox
from gaia_mail_mcp.testing import MailboxContract, Seed
from gaia_mail_mcp.wrappers import ReadOnly
from tools.mail_servers.dovecot import PASSWORD, Dovecot
from tools.mail_servers.other_client import OtherClient

FOLDERS = {"INBOX": "INBOX", "TRASH": "Trash", "SPAM": "Junk", "SENT": "Sent", "DRAFT": "Drafts"}


def put(other: OtherClient, seed: Seed) -> None:
    folder = next((FOLDERS[label] for label in seed.labels if label in FOLDERS), "Archive")
    flags = [] if "UNREAD" in seed.labels else ["\\Seen"]
    other.append(seed.raw, folder, [*flags, *(["\\Flagged"] if "STARRED" in seed.labels else [])])


class TestTheReadingHalf(MailboxContract):
    @pytest.fixture(autouse=True)
    def server(self, dovecot: Dovecot, user: str, other: OtherClient) -> None:
        self.dovecot, self.user, self.other = dovecot, user, other

    async def open_mailbox(self, seeds: Sequence[Seed]) -> Mailbox:
        for seed in seeds:
            put(self.other, seed)
        settings = ImapSettings(
            host="127.0.0.1",
            port=self.dovecot.port,
            security="none",
            user=self.user,
            account=self.account,
            secret=lambda _: Secret(value=PASSWORD),
        )
        return ReadOnly(ImapReader(settings))  # type: ignore[arg-type]

    async def deliver(self, mailbox: Mailbox, seed: Seed) -> None:
        put(self.other, seed)
