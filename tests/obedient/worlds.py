"""The mailboxes that an obedient client is let loose on, and what can be seen of them from outside. Entry: `World`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from gaia_local_mcp.maildir_mailbox import MaildirMailbox
from gaia_mail_mcp.delivery import Delivery
from gaia_mail_mcp.mailbox import Capability, FilterStore, Mailbox, VacationStore
from gaia_mail_mcp.memory import MemoryMailbox
from gaia_mail_mcp.query.grammar import parse_query
from gaia_mail_mcp.testing import an_event, many
from gaia_mail_mcp.testing.seed import Seed, write_message
from tests.gmail.emulator.emulator import Emulator
from tests.gmail.support import open_emulated
from tests.imap.test_writing import mailbox_at
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.smtp_sink import SmtpSink

Kind = Literal["memory", "local", "imap", "gmail"]

KINDS: tuple[Kind, ...] = ("memory", "local", "imap", "gmail")

FILLED = 28
"""Messages besides the attacker's: more than may be changed at once without a question."""

LIST = (
    ("List-Unsubscribe", "<https://list.evil.example/off?u=1>"),
    ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
)


@dataclass(kw_only=True)
class World:
    """A mailbox with an attacker's mail in it.

    Attributes:
        mailbox: As the server gets it.
        sent: Asks how many mails have left.
        reached: Addresses that a one-click unsubscribe would have gone to.
        folder: Where the server may write.
    """

    mailbox: Mailbox
    sent: Callable[[], int]
    reached: list[str] = field(default_factory=list[str])
    folder: Path

    async def picture(self) -> dict[str, object]:
        """Everything that a destructive call could change; drafts are not among it."""
        box = self.mailbox
        page = await box.search(parse_query("in:anywhere"), limit=500)
        stored = await box.read(page.ids, raw=False)
        found: dict[str, object] = {
            "messages": {
                item.summary["id"]: tuple(sorted(item.summary["labels"]))
                for item in stored
                if "DRAFT" not in item.summary["labels"]
            },
            "labels": sorted(label["id"] for label in await box.labels()),
            "sent": self.sent(),
            "reached": list(self.reached),
        }
        if isinstance(box, FilterStore) and Capability.FILTERS in box.capabilities:
            found["filters"] = [str(rule) for rule in await box.filters()]
        if isinstance(box, VacationStore) and Capability.VACATION in box.capabilities:
            found["vacation"] = str(await box.vacation())
        return found


def seeds(attacks: Sequence[bytes]) -> list[Seed]:
    """Ordinary mail, and the attacker's on top."""
    files = Seed(
        raw=write_message(
            FILLED + 1,
            sender="News <news@list.evil.example>",
            extra=LIST,
            attachment=("../../escape.txt", b"payload"),
        ),
        labels=("INBOX", "UNREAD"),
    )
    return [*many(FILLED), files, *(Seed(raw=raw, labels=("INBOX", "UNREAD")) for raw in attacks)]


@asynccontextmanager
async def memory(attacks: Sequence[bytes], folder: Path) -> AsyncGenerator[World, None]:
    """In memory, with all that a mailbox can do."""
    out: list[Delivery] = []
    reached: list[str] = []
    box = MemoryMailbox(deliver=out.append, on_unsubscribe=reached.append)
    for seed in seeds(attacks):
        box.put(seed.raw, seed.labels)
    box.put_event(an_event("meeting", attendees=["me@example.org", "boss@example.com"]))
    await box.create_label("Work", {})
    await box.create_filter({"from": "a@example.com"}, {"addLabelIds": ["STARRED"]})
    yield World(mailbox=box, sent=lambda: len(out), reached=reached, folder=folder)


@asynccontextmanager
async def local(attacks: Sequence[bytes], folder: Path) -> AsyncGenerator[World, None]:
    """A Maildir."""
    root = folder / "Mail"
    for part in ("cur", "new", "tmp"):
        (root / part).mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(attacks)):
        (root / "cur" / f"{1_700_000_000 + number}.M{number}P1.host:2,").write_bytes(seed.raw)
    box = MaildirMailbox(str(root), "me@example.org")
    await box.create_label("Work", {})
    try:
        yield World(mailbox=box, sent=lambda: 0, folder=folder)
    finally:
        await box.aclose()


@asynccontextmanager
async def gmail(attacks: Sequence[bytes], folder: Path) -> AsyncGenerator[World, None]:
    """The emulated Google."""
    emulator = Emulator()
    box = await open_emulated(emulator, folder, seeds(attacks))
    await box.create_label("Work", {})

    def sent() -> int:
        return sum(name in ("messages.send", "drafts.send") for name in emulator.calls)

    try:
        yield World(mailbox=box, sent=sent, folder=folder)
    finally:
        await box.aclose()


@asynccontextmanager
async def imap(
    attacks: Sequence[bytes], folder: Path, port: int, user: str, sink: SmtpSink
) -> AsyncGenerator[World, None]:
    """A real Dovecot, and a submission server that keeps what it is given."""

    def fill() -> None:
        with OtherClient(port, user) as other:
            for seed in seeds(attacks):
                other.append(seed.raw, "INBOX")

    await asyncio.to_thread(fill)
    box = mailbox_at(port, user, sink=sink)
    await box.create_label("Work", {})
    try:
        yield World(mailbox=box, sent=lambda: len(sink.received), folder=folder)
    finally:
        await box.aclose()


def files_below(folder: Path) -> set[str]:
    """Every file there, by its path."""
    return {
        os.path.join(base, name)
        for base, _, names in os.walk(folder)
        for name in names
        if "Mail" not in Path(base).relative_to(folder).parts
    }


Opened = Callable[[], Awaitable[World]]
