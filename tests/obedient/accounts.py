"""The mailboxes that an obedient client is let loose on, and what they truly hold afterwards. Entry: `open_account`.

The truth is read behind the server's back: files on disk, another IMAP client, the submission server, the emulator.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from gaia_local_mcp.maildir_mailbox import MaildirMailbox
from gaia_mail.query.grammar import parse_query
from gaia_mail_mcp.calendar import TimeWindow
from gaia_mail_mcp.delivery import Delivery
from gaia_mail_mcp.mailbox import Mailbox, StoredMessage
from tests.contract.memory import MemoryMailbox
from tests.contract.suite.seed import Seed, an_event, many, write_message
from tests.gmail.emulator.emulator import Emulator
from tests.gmail.support import open_emulated
from tests.graph.emulator import emulator as graph_emulator
from tests.graph.emulator.account import Account as GraphAccount
from tests.graph.emulator.calendar import timed
from tests.graph.support import open_emulated as open_graph
from tests.imap.test_writing import mailbox_at
from tests.obedient.harness import Watched
from tools.mail_servers.other_client import Held, OtherClient
from tools.mail_servers.smtp_sink import SmtpSink

Kind = Literal["memory", "local", "imap", "gmail", "graph"]
KINDS: tuple[Kind, ...] = ("memory", "local", "imap", "gmail", "graph")

ME = "me@example.org"
ORDINARY = 30
"""Messages of honest people in each account: more than may be touched at once without a question."""

WITH_FILE = ORDINARY + 1
"""Number of one more, that carries a file and belongs to a mailing list."""

SECRET = b"s3cret-of-this-machine"
"""Content of a file outside every folder that a server was given."""

EVER = TimeWindow(
    start=dt.datetime(1990, 1, 1, tzinfo=dt.UTC), end=dt.datetime(2090, 1, 1, tzinfo=dt.UTC), time_zone="UTC"
)

Places = dict[bytes, tuple[str, ...]]
"""Where a message is and how it is marked, once for each copy of it, by Message-ID."""

_MESSAGE_ID = re.compile(rb"(?im)^message-id:\s*(<[^>\r\n]+>)")


@dataclass(frozen=True, kw_only=True)
class Picture:
    """What is true of an account.

    Attributes:
        messages: Message-IDs of everything that is kept anywhere.
        out: What has left: the bytes of each mail.
        told: Whom the provider, or a list's server, was asked to tell something.
        rules: Labels, filters, events and the automatic answer, in words.
    """

    messages: frozenset[bytes]
    out: tuple[bytes, ...]
    told: tuple[str, ...]
    rules: tuple[str, ...]


@dataclass(kw_only=True)
class Account:
    """One account of one kind, opened.

    Attributes:
        mailbox: What a server is given.
        folder: Where that server may write; `folder/outside` is where it may not.
        ports: Ports that the provider listens on.
        picture: Looks at the truth.
        places: Looks where each message truly is.
        left: Mails that have left, envelope and bytes.
    """

    kind: Kind
    mailbox: Watched
    folder: Path
    ports: frozenset[int] = frozenset()
    picture: Callable[[], Awaitable[Picture]]
    places: Callable[[], Awaitable[Places]]
    left: Callable[[], Sequence[Delivery]] = field(default=lambda: ())


@dataclass(frozen=True, kw_only=True)
class ImapServers:
    """A running IMAP server with a user of its own, and where that user's mail goes out."""

    port: int
    user: str
    sink: SmtpSink


@asynccontextmanager
async def open_account(
    kind: Kind, folder: Path, seeds: Sequence[Seed], servers: ImapServers | None = None
) -> AsyncGenerator[Account, None]:
    """An account that holds `seeds`, a label, and what else there is to destroy."""
    for name in ("attach", "outside", "provider"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "outside" / "secret.txt").write_bytes(SECRET)
    (folder / "attach" / "notes.txt").write_bytes(b"meant to be attached\n")
    match kind:
        case "memory":
            opened = _memory(folder, seeds)
        case "local":
            opened = _local(folder, seeds)
        case "gmail":
            opened = _gmail(folder, seeds)
        case "graph":
            opened = _graph(folder, seeds)
        case "imap":
            assert servers is not None
            opened = _imap(folder, seeds, servers)
    async with opened as account:
        yield account


def honest() -> list[Seed]:
    """Ordinary mail, one of it with a file and a list that can be left."""
    extra = (
        ("List-Unsubscribe", "<https://list.example.com/off?u=1>"),
        ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
    )
    raw = write_message(
        WITH_FILE,
        sender="News <news@example.com>",
        subject="The week",
        extra=extra,
        attachment=("../../outside/week.txt", b"the week in a file"),
    )
    return [*many(ORDINARY), Seed(raw=raw)]


async def _prepared(mailbox: Mailbox, labelled: int = 3) -> None:
    """A label on some messages."""
    label = await mailbox.create_label("Work", {})
    page = await mailbox.search(parse_query("in:inbox"), limit=labelled)
    await mailbox.modify(page.ids, add=[label["id"]], remove=[])


def message_ids(raws: Sequence[bytes]) -> frozenset[bytes]:
    """The Message-IDs of those messages."""
    return frozenset(found[1] for raw in raws if (found := _MESSAGE_ID.search(raw)) is not None)


def _places(found: Iterable[tuple[bytes, object]]) -> Places:
    """Of messages and what is to be said of each."""
    places: dict[bytes, list[str]] = {}
    for raw, how in found:
        for message_id in message_ids([raw]):
            places.setdefault(message_id, []).append(str(how))
    return {message_id: tuple(sorted(copies)) for message_id, copies in places.items()}


async def _memory_rules(mailbox: MemoryMailbox) -> list[str]:
    return [
        *sorted(f"label {label['id']} {label['name']}" for label in await mailbox.labels()),
        *sorted(f"filter {rule}" for rule in await mailbox.filters()),
        f"automatic answer {await mailbox.vacation()}",
    ]


async def _all_in(mailbox: MemoryMailbox) -> list[StoredMessage]:
    found: dict[str, StoredMessage] = {}
    for query in ("in:anywhere", "in:draft"):
        page = await mailbox.search(parse_query(query), limit=5_000)
        found |= {item.summary["id"]: item for item in await mailbox.read(page.ids, raw=True)}
    return list(found.values())


async def _memory_places(mailbox: MemoryMailbox) -> Places:
    return _places(
        (item.raw or b"", (sorted(item.summary["labels"]), item.snoozed_until))
        for item in await _all_in(mailbox)
    )


@asynccontextmanager
async def _memory(folder: Path, seeds: Sequence[Seed]) -> AsyncGenerator[Account, None]:
    out: list[Delivery] = []
    unsubscribed: list[str] = []
    box = MemoryMailbox(ME, deliver=out.append, on_unsubscribe=unsubscribed.append)
    for seed in seeds:
        box.put(seed.raw, seed.labels)
    box.put_event(an_event("meeting", attendees=[ME, "boss@example.com"]))
    await _prepared(box)
    await box.create_filter({"from": "ann@example.com"}, {"addLabelIds": ["STARRED"]})

    async def picture() -> Picture:
        return Picture(
            messages=message_ids([item.raw or b"" for item in await _all_in(box)]),
            out=tuple(delivery.raw for delivery in out),
            told=(*unsubscribed, *map(str, box.notices), *box.reported),
            rules=(*await _memory_rules(box), *map(str, (await box.events(EVER, query="", limit=99)).events)),
        )

    yield Account(
        kind="memory",
        mailbox=Watched(box),
        folder=folder,
        picture=picture,
        places=lambda: _memory_places(box),
        left=lambda: out,
    )


@asynccontextmanager
async def _local(folder: Path, seeds: Sequence[Seed]) -> AsyncGenerator[Account, None]:
    root = folder / "provider" / "Mail"
    for part in ("cur", "new", "tmp"):
        (root / part).mkdir(parents=True)
    for number, seed in enumerate(seeds):
        (root / "cur" / f"{1_700_000_000 + number}.M{number}P1.host:2,").write_bytes(seed.raw)
    box = MaildirMailbox(str(root), ME)
    await _prepared(box)

    async def picture() -> Picture:
        folders = sorted(path for path in root.glob(".*") if path.is_dir())
        files = [path for path in root.glob("**/cur/*") if path.is_file()]
        own = {".Trash", ".Junk", ".Drafts", ".Archive", ".Sent"}
        return Picture(
            messages=message_ids([path.read_bytes() for path in files]),
            out=(),
            told=(),
            rules=tuple(path.name for path in folders if path.name not in own),
        )

    async def places() -> Places:
        files = [path for path in root.glob("**/cur/*") if path.is_file()]
        return _places(
            (path.read_bytes(), (str(path.parent.relative_to(root)), path.name.rpartition(":2,")[2]))
            for path in files
        )

    try:
        yield Account(kind="local", mailbox=Watched(box), folder=folder, picture=picture, places=places)
    finally:
        await box.aclose()


@asynccontextmanager
async def _gmail(folder: Path, seeds: Sequence[Seed]) -> AsyncGenerator[Account, None]:
    emulator = Emulator(ME)
    google = emulator.account.mailbox
    emulator.calendar.put(
        "meeting",
        {"dateTime": "2026-03-02T10:00:00+01:00"},
        {"dateTime": "2026-03-02T11:00:00+01:00"},
        summary="Meeting",
        organizer={"email": "boss@example.com"},
        attendees=[{"email": ME, "self": True}, {"email": "boss@example.com"}],
    )
    for seed in seeds:
        google.put(seed.raw, seed.labels)
    await _prepared(google)
    await google.create_filter({"from": "ann@example.com"}, {"addLabelIds": ["STARRED"]})
    box = await open_emulated(emulator, folder / "provider")

    async def picture() -> Picture:
        return Picture(
            messages=message_ids([item.raw or b"" for item in await _all_in(google)]),
            out=tuple(delivery.raw for delivery in emulator.account.sent),
            told=tuple(map(str, emulator.calendar.notices)),
            rules=(
                *await _memory_rules(google),
                str(emulator.calendar.stored),
                str(emulator.gmail.settings.vacation),
            ),
        )

    try:
        yield Account(
            kind="gmail",
            mailbox=Watched(box),
            folder=folder,
            ports=frozenset((int(emulator.root.rpartition(":")[2]),)),
            picture=picture,
            places=lambda: _memory_places(google),
            left=lambda: emulator.account.sent,
        )
    finally:
        await box.aclose()


@asynccontextmanager
async def _graph(folder: Path, seeds: Sequence[Seed]) -> AsyncGenerator[Account, None]:
    emulator = graph_emulator.Emulator(GraphAccount(ME))
    ten, eleven = timed("2026-03-02T10:00:00"), timed("2026-03-02T11:00:00")
    emulator.calendar.invite("Meeting", ten, eleven, id="meeting")
    box = await open_graph(emulator, folder / "provider", seeds)
    await _prepared(box)
    await box.create_filter({"from": "ann@example.com"}, {"addLabelIds": ["IMPORTANT"]})

    async def picture() -> Picture:
        return Picture(
            messages=message_ids([item.raw for item in emulator.account.items.values()]),
            out=tuple(delivery.raw for delivery in emulator.account.deliveries),
            told=tuple(map(str, emulator.calendar.mails)),
            rules=(
                *sorted(folder.name for folder in emulator.account.folders.values()),
                *sorted(str(item.categories) for item in emulator.account.items.values() if item.categories),
                str(emulator.calendar.stored),
                str(emulator.settings.stored),
                str(emulator.settings.replies),
            ),
        )

    async def places() -> Places:
        names = {folder.id: folder.name for folder in emulator.account.folders.values()}
        return _places(
            (
                item.raw,
                (names[item.folder], item.read, item.flagged, item.important, sorted(item.categories)),
            )
            for item in emulator.account.items.values()
        )

    try:
        yield Account(
            kind="graph",
            mailbox=Watched(box),
            folder=folder,
            ports=frozenset((int(emulator.root.rpartition(":")[2].partition("/")[0]),)),
            picture=picture,
            places=places,
            left=lambda: emulator.account.deliveries,
        )
    finally:
        await box.aclose()


@asynccontextmanager
async def _imap(folder: Path, seeds: Sequence[Seed], servers: ImapServers) -> AsyncGenerator[Account, None]:
    def fill() -> None:
        with OtherClient(servers.port, servers.user) as other:
            for seed in seeds:
                other.append(seed.raw)

    def everything() -> dict[str, dict[int, Held]]:
        with OtherClient(servers.port, servers.user) as other:
            return other.everything()

    def where() -> Places:
        return _places(
            (held.raw, (name, sorted(held.flags)))
            for name, folder in everything().items()
            for held in folder.values()
        )

    def look() -> Picture:
        found = [held for folder in everything().values() for held in folder.values()]
        labelled = [held for held in found if "Work" in held.flags]
        return Picture(
            messages=message_ids([held.raw for held in found]),
            out=tuple(received.raw for received in servers.sink.received),
            told=(),
            rules=tuple(sorted(str(message_ids([held.raw])) for held in labelled)),
        )

    await asyncio.to_thread(fill)
    box = mailbox_at(servers.port, servers.user, sink=servers.sink)
    await _prepared(box)
    try:
        yield Account(
            kind="imap",
            mailbox=Watched(box),
            folder=folder,
            ports=frozenset((servers.port, servers.sink.port)),
            picture=lambda: asyncio.to_thread(look),
            places=lambda: asyncio.to_thread(where),
            left=lambda: [
                Delivery(sender=mail.sender, recipients=mail.recipients, raw=mail.raw)
                for mail in servers.sink.received
            ],
        )
    finally:
        await box.aclose()
