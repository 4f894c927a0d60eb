"""A small mailbox that can do everything, and clients of a server over it in both protocol eras."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import pytest
from fastmcp import Client
from mcp_types import CallToolResult

from gaia_email_registry.contract.wire import (
    Address,
    Changed,
    Failure,
    Filter,
    FilterAction,
    FilterCriteria,
    Label,
    Summary,
)
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail_mcp.mailbox import (
    SYSTEM_LABELS,
    Applied,
    Capability,
    Changes,
    Draft,
    Page,
    Status,
    StoredMessage,
)
from gaia_mail_mcp.mime.model import Mailbox as Person
from gaia_mail_mcp.mime.read import parse_message
from gaia_mail_mcp.query.grammar import Query
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server

Mode = Literal["auto", "legacy"]


def _person(mailbox: Person | None) -> Address:
    return {"name": mailbox.name, "address": mailbox.address} if mailbox else {"name": "", "address": ""}


@dataclass
class FakeMailbox:
    """Everything in dictionaries; threads are what the seeds say."""

    account: str = "me@example.org"
    provider: str = "fake"
    capabilities: frozenset[Capability] = frozenset(Capability)
    raws: dict[str, bytes] = field(default_factory=dict[str, bytes])
    labels_of: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    user_labels: dict[str, Label] = field(default_factory=dict[str, Label])
    stored_filters: dict[str, Filter] = field(default_factory=dict[str, Filter])
    draft_ids: dict[str, str] = field(default_factory=dict[str, str])
    sent: list[bytes] = field(default_factory=list[bytes])
    unsubscribed: list[str] = field(default_factory=list[str])
    events: list[str] = field(default_factory=list[str])
    closed: bool = False
    broken: Exception | None = None

    def seed(self, message_id: str, raw: bytes, *labels: str) -> None:
        self.raws[message_id] = raw.replace(b"\n", b"\r\n")
        self.labels_of[message_id] = set(labels)
        self.events.append(message_id)

    def summary(self, message_id: str) -> Summary:
        message = parse_message(self.raws[message_id])
        return {
            "id": message_id,
            "account": self.account,
            "thread_id": f"t-{message_id}",
            "message_id": message.message_id,
            "subject": message.subject,
            "from": _person(message.sender),
            "to": [_person(person) for person in message.to],
            "cc": [_person(person) for person in message.cc],
            "date": message.date.isoformat() if message.date else "",
            "snippet": message.text[:100],
            "labels": sorted(self.labels_of[message_id]),
            "flags": [],
            "size": len(self.raws[message_id]),
            "has_attachments": bool(message.attachments),
        }

    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> Page:
        ids = [key for key in reversed(self.raws) if "TRASH" not in self.labels_of[key]]
        start = int(cursor or 0)
        after = start + limit
        following = str(after) if after < len(ids) else None
        return Page(ids=tuple(ids[start:after]), next_cursor=following, total=len(ids))

    async def read(self, ids: Sequence[str], *, raw: bool) -> list[StoredMessage]:
        if self.broken is not None:
            raise self.broken
        return [
            StoredMessage(summary=self.summary(key), raw=self.raws[key] if raw else None)
            for key in ids
            if key in self.raws
        ]

    async def thread(self, thread_id: str) -> list[str]:
        if thread_id.removeprefix("t-") not in self.raws:
            raise NotFound("There is no such thread.", argument="thread_id")
        return [thread_id.removeprefix("t-")]

    async def attachment(self, message_id: str, attachment_id: str) -> tuple[str, str, bytes]:
        for part in parse_message(self.raws.get(message_id, b"")).attachments:
            if part.id == attachment_id:
                return part.filename, part.content_type, part.content
        raise NotFound("There is no such attachment.", argument="attachmentId")

    async def labels(self) -> list[Label]:
        system: list[Label] = [{"id": name, "name": name, "type": "system"} for name in SYSTEM_LABELS]
        return [*system, *self.user_labels.values()]

    async def create_label(self, name: str, visibility: dict[str, str]) -> Label:
        label: Label = {"id": f"L{len(self.user_labels) + 1}", "name": name, "type": "user"}
        self.user_labels[label["id"]] = label
        return label

    async def update_label(self, label_id: str, name: str | None, visibility: dict[str, str]) -> Label:
        if label_id not in self.user_labels:
            raise BadArgument("A system label stays as it is.", argument="id")
        label: Label = {"id": label_id, "name": name or self.user_labels[label_id]["name"], "type": "user"}
        self.user_labels[label_id] = label
        return label

    async def delete_label(self, label_id: str) -> Label:
        return self.user_labels.pop(label_id)

    async def modify(self, ids: Sequence[str], *, add: Sequence[str], remove: Sequence[str]) -> Applied:
        def change(key: str) -> None:
            self.labels_of[key] = (self.labels_of[key] | set(add)) - (set(remove) - set(add))

        return self._each(ids, change)

    async def trash(self, ids: Sequence[str]) -> Applied:
        return self._each(ids, lambda key: self.labels_of[key].add("TRASH"))

    async def untrash(self, ids: Sequence[str]) -> Applied:
        return self._each(ids, lambda key: self.labels_of[key].discard("TRASH"))

    async def delete(self, ids: Sequence[str]) -> Applied:
        return self._each(ids, lambda key: self.raws.__delitem__(key))

    async def snooze(self, ids: Sequence[str], until: str) -> Applied:
        return self._each(ids, lambda key: self.labels_of[key].discard("INBOX"))

    def _each(self, ids: Sequence[str], change: Callable[[str], object]) -> Applied:
        known = [key for key in ids if key in self.raws]
        for key in known:
            change(key)
        failed: list[Failure] = [{"id": key, "error": "not found"} for key in ids if key not in known]
        return Applied(ids=tuple(known), failed=tuple(failed))

    async def create_draft(self, raw: bytes, thread_id: str | None) -> Draft:
        number = len(self.draft_ids) + 1
        self.draft_ids[f"r{number}"] = f"d{number}"
        self.raws[f"d{number}"] = raw
        self.labels_of[f"d{number}"] = {"DRAFT"}
        return Draft(id=f"r{number}", message_id=f"d{number}", thread_id=thread_id or f"t-d{number}")

    async def update_draft(self, draft_id: str, raw: bytes) -> Draft:
        self.raws[self.draft_ids[draft_id]] = raw
        return Draft(id=draft_id, message_id=self.draft_ids[draft_id], thread_id="t")

    async def drafts(self, *, limit: int) -> list[Draft]:
        return [Draft(id=key, message_id=value, thread_id="t") for key, value in self.draft_ids.items()]

    async def delete_draft(self, draft_id: str) -> bytes:
        if draft_id not in self.draft_ids:
            raise NotFound("There is no such draft.", argument="draft_id")
        return self.raws.pop(self.draft_ids.pop(draft_id))

    async def send_draft(self, draft_id: str) -> str:
        self.sent.append(await self.delete_draft(draft_id))
        return f"s{len(self.sent)}"

    async def send(self, raw: bytes, thread_id: str | None) -> str:
        self.sent.append(raw)
        return f"s{len(self.sent)}"

    async def changes(self, cursor: str | None, *, limit: int) -> Changes:
        start = int(cursor or 0)
        fresh = self.events[start : start + limit]
        changed: tuple[Changed, ...] = ()
        return Changes(
            cursor=str(start + len(fresh)),
            added=tuple(self.summary(key) for key in fresh),
            changed=changed,
            removed=(),
            reset=False,
            reason="",
            more=start + limit < len(self.events),
        )

    async def wait(self, cursor: str, *, timeout_s: float) -> bool:
        return int(cursor) < len(self.events)

    async def status(self) -> Status:
        return Status(connected=True)

    async def aclose(self) -> None:
        self.closed = True

    async def filters(self) -> list[Filter]:
        return list(self.stored_filters.values())

    async def create_filter(self, criteria: FilterCriteria, action: FilterAction) -> Filter:
        made: Filter = {"id": f"f{len(self.stored_filters) + 1}", "criteria": criteria, "action": action}
        self.stored_filters[made["id"]] = made
        return made

    async def delete_filter(self, filter_id: str) -> Filter:
        return self.stored_filters.pop(filter_id)

    async def unsubscribe(self, message_id: str) -> None:
        self.unsubscribed.append(message_id)


PLAIN = b"""From: Ann Lee <ann@example.com>
To: me@example.org
Cc: Bo <bo@example.net>
Subject: Lunch on Friday
Date: Mon, 02 Mar 2026 09:00:00 +0000
Message-ID: <one@example.com>

Shall we meet at noon?
"""

WITH_FILE = b"""From: billing@example.com
To: me@example.org
Subject: Your invoice
Date: Tue, 03 Mar 2026 09:00:00 +0000
Message-ID: <two@example.com>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="seam"

--seam
Content-Type: text/html; charset=utf-8

<p>Attached.</p>
--seam
Content-Type: text/csv; charset=utf-8
Content-Disposition: attachment; filename="../../invoice.csv"

item,price
tea,3
--seam--
"""


@pytest.fixture
def mailbox() -> FakeMailbox:
    made = FakeMailbox()
    made.seed("m1", PLAIN, "INBOX", "UNREAD")
    made.seed("m2", WITH_FILE, "INBOX", "STARRED")
    return made


@pytest.fixture(params=["auto", "legacy"])
def mode(request: pytest.FixtureRequest) -> Mode:
    return "legacy" if request.param == "legacy" else "auto"


Answer = Callable[[str, dict[str, object]], Awaitable[CallToolResult]]


class Asker:
    """Serves a mailbox and calls its tools, each call in a connection of its own."""

    def __init__(self, mailbox: FakeMailbox, mode: Mode) -> None:
        self.mailbox = mailbox
        self.mode = mode
        self.settings = SurfaceSettings(confirm=False, allow_permanent_delete=True)

    def __call__(self, tool: str, **arguments: object) -> CallToolResult:
        async def scenario(answer: Answer) -> CallToolResult:
            return await answer(tool, arguments)

        return self.run(scenario)

    def run(
        self,
        scenario: Callable[[Answer], Awaitable[CallToolResult]],
        elicitation_handler: Callable[..., Awaitable[object]] | None = None,
    ) -> CallToolResult:
        """Run `scenario` on one connection; with a handler the client can be asked."""

        async def main() -> CallToolResult:
            server = create_server(self.mailbox, self.settings)
            client = Client(server, mode=self.mode, elicitation_handler=elicitation_handler)
            async with client:
                return await scenario(client.call_tool_mcp)

        return asyncio.run(asyncio.wait_for(main(), 20))


@pytest.fixture
def ask(mailbox: FakeMailbox, mode: Mode) -> Asker:
    return Asker(mailbox, mode)


@pytest.fixture
def ask_once(mailbox: FakeMailbox) -> Asker:
    """For what does not depend on the protocol era."""
    return Asker(mailbox, "auto")
