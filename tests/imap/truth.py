"""What a mailbox has to say, worked out from what its server holds. Entries: `expected`, `told`, `Follower`."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TypeVar

from gaia_email_registry.errors import ProviderError
from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_imap_mcp.settings import ImapSettings, LoginSecret, SecretSource
from gaia_mail.files.maildir import keyword_label
from gaia_mail_mcp.mailbox import Changes, Mailbox
from tests.contract.suite.look import Mirror, find
from tools.mail_servers.dovecot import PASSWORD
from tools.mail_servers.other_client import Held

T = TypeVar("T")

ROLES = {"INBOX": "INBOX", "Sent": "SENT", "Drafts": "DRAFT", "Junk": "SPAM", "Trash": "TRASH", "Archive": ""}

FIRST_PAUSE_S = 0.03
"""Before a lost connection is made again, in these tests."""

SOON_S = 25.0
"""Longer than anything takes that a test waits for, on a machine that is busy with other things."""

Truth = dict[str, frozenset[str]]
"""Labels of every message, by Message-ID."""


def always(password: str) -> SecretSource:
    """A source of that password."""

    def secret(fresh: bool) -> LoginSecret:
        return LoginSecret(value=password)

    return secret


def settings(port: int, user: str) -> ImapSettings:
    """An account that gives up soon, so that a fault costs a test little time."""
    return ImapSettings(
        host="127.0.0.1",
        port=port,
        security="none",
        user=user,
        account="me@example.org",
        secret=always(PASSWORD),
        connect_timeout_s=3.0,
        command_timeout_s=5.0,
        poll_s=5.0,
    )


@asynccontextmanager
async def opened(of: ImapSettings, **changed: object) -> AsyncGenerator[ImapMailbox, None]:
    """The mailbox, closed at the end; settings can be `changed` by name."""
    mailbox = ImapMailbox(replace(of, **changed))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    try:
        yield mailbox
    finally:
        await mailbox.aclose()


async def persistently(do: Callable[[], Awaitable[T]]) -> T:
    """Do it, and again after an error as any client would."""
    async with asyncio.timeout(SOON_S):
        while True:
            try:
                return await do()
            except ProviderError:
                await asyncio.sleep(FIRST_PAUSE_S)


def message_id(raw: bytes) -> str:
    """The Message-ID of a message, with its brackets."""
    match = re.search(rb"^message-id:\s*(<[^>]*>)", raw, re.I | re.M)
    assert match, "every message of these tests has a Message-ID"
    return match[1].decode()


def expected(folders: Mapping[str, Mapping[int, Held]]) -> Truth:
    """Labels as `Mailbox` defines them: of every copy together; read or starred where one copy is."""
    labels: dict[str, set[str]] = {}
    flags: dict[str, set[str]] = {}
    for folder, messages in folders.items():
        for held in messages.values():
            if "\\Deleted" in held.flags:
                continue
            name = message_id(held.raw)
            labels.setdefault(name, set()).add(ROLES.get(folder, folder))
            if "\\Draft" in held.flags and folder in ("INBOX", "Archive"):
                labels[name].add("DRAFT")
            labels[name].update(
                keyword_label(flag) for flag in held.flags if not flag.startswith(("\\", "$"))
            )
            flags.setdefault(name, set()).update(held.flags)
    for name, found in labels.items():
        found.discard("")
        if "\\Seen" not in flags[name]:
            found.add("UNREAD")
        if "\\Flagged" in flags[name]:
            found.add("STARRED")
    return {name: frozenset(found) for name, found in labels.items()}


async def told(mailbox: Mailbox) -> Truth:
    """What searching and reading say. Fails where a message is there twice."""
    stored = await mailbox.read(await find(mailbox, "in:anywhere", page=2000), raw=False)
    names = Counter(item.summary["message_id"] for item in stored)
    assert not [name for name, count in names.items() if count > 1]
    return {item.summary["message_id"]: frozenset(item.summary["labels"]) for item in stored}


class Follower(Mirror):
    """A copy kept by `changes` alone, which counts how often each message was told as new."""

    def __init__(self, *, limit: int = 100) -> None:
        super().__init__(limit=limit)
        self.added: Counter[str] = Counter()
        self._names: dict[str, str] = {}

    def apply(self, page: Changes) -> None:
        super().apply(page)
        for summary in page.added:
            self._names[summary["id"]] = summary["message_id"]
            self.added[summary["message_id"]] += 1

    @property
    def truth(self) -> Truth:
        """What following has led to."""
        return {self._names[id_]: labels for id_, (labels, _) in self.state.items()}
