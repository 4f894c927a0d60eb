"""The whole mailbox contract on a real Dovecot, in several shapes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

import pytest

from gaia_email_registry.providers import Endpoint
from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_imap_mcp.settings import ImapSettings, LoginSecret
from gaia_imap_mcp.smtp.sender import SmtpSender
from gaia_imap_mcp.smtp.settings import SmtpSettings
from gaia_mail.files.maildir import encode_folder, keyword_of
from gaia_mail_mcp.mailbox import Mailbox
from tests.contract.suite import MailboxContract, Seed
from tools.mail_servers.dovecot import PASSWORD, Dovecot
from tools.mail_servers.dovecot_config import Options
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.smtp_sink import SmtpSink

FOLDERS = {"TRASH": "Trash", "SPAM": "Junk", "INBOX": "INBOX", "DRAFT": "Drafts", "SENT": "Sent"}
FLAGS = ("UNREAD", "STARRED", "IMPORTANT")


class DovecotContract(MailboxContract):
    """Seeds are put by another mail program: the first place decides the folder, labels beside it are keywords."""

    options: ClassVar[Options] = Options()

    @pytest.fixture(autouse=True)
    def servers(
        self, dovecot_with: Callable[[Options], Dovecot], user: str, smtp: SmtpSink
    ) -> Iterator[None]:
        self.dovecot, self.user, self.sink = dovecot_with(self.options), user, smtp
        with OtherClient(self.dovecot.port, user) as self.other:
            yield

    def put(self, seed: Seed) -> None:
        own = [label for label in seed.labels if label not in (*FOLDERS, *FLAGS)]
        place = next((FOLDERS[label] for label in FOLDERS if label in seed.labels), "")
        for label in own:
            self.make(label)
        folder = self.name(place) if place else self.name(own[0]) if own else self.name("Archive")
        if folder != "INBOX":
            self.make(place or (own[0] if own else "Archive"))
        flags = [] if "UNREAD" in seed.labels else ["\\Seen"]
        flags += ["\\Flagged"] if "STARRED" in seed.labels else []
        flags += [keyword_of(label) for label in seed.labels if label in (*own, "IMPORTANT") and place]
        self.other.append(seed.raw, folder, flags)

    def name(self, label: str) -> str:
        if label == "INBOX":
            return label
        return self.options.prefix + encode_folder(label).replace("/", self.options.separator)

    def make(self, label: str) -> None:
        if self.name(label) not in self.other.folders():
            self.other.create(self.name(label))

    async def open_mailbox(self, seeds: Sequence[Seed]) -> Mailbox:
        for seed in seeds:
            self.put(seed)
        settings = ImapSettings(
            host="127.0.0.1",
            port=self.dovecot.port,
            security="none",
            user=self.user,
            account=self.account,
            secret=lambda _: LoginSecret(value=PASSWORD),
        )
        sender = SmtpSender(
            SmtpSettings(
                endpoint=Endpoint("127.0.0.1", self.sink.port, "none"),
                user=self.account,
                secret=lambda: PASSWORD,
            )
        )
        self.sink.deliver = self.bring
        return ImapMailbox(settings, sender)

    def bring(self, recipients: Sequence[str], raw: bytes) -> None:
        if self.account in recipients:
            self.other.append(b"Received: by the test\r\n" + raw)

    async def deliver(self, mailbox: Mailbox, seed: Seed) -> None:
        self.put(seed)

    async def outbox(self, mailbox: Mailbox) -> list[bytes]:
        return [message.raw for message in self.sink.received]


class TestDovecot(DovecotContract):
    """As it is installed."""


class TestWithoutExtensions(DovecotContract):
    """RFC 3501 and nothing more."""

    options = Options(capability="IMAP4rev1")


class TestDottedNames(DovecotContract):
    """Every folder below INBOX, levels separated by dots."""

    options = Options(separator=".", prefix="INBOX.")


class TestWithoutRoles(DovecotContract):
    """Only INBOX at the start, no special use."""

    options = Options(roles=False)
