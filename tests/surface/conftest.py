"""A mailbox in memory with two messages, and clients of a server over it in both protocol eras."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable
from typing import Literal

import pytest
from fastmcp import Client
from mcp_types import CallToolResult

from gaia_email_registry.contract.wire import CalendarEvent
from gaia_mail.query.grammar import parse_query
from gaia_mail_mcp.calendar import TimeWindow
from gaia_mail_mcp.mailbox import Mailbox
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.memory import Delivery, MemoryMailbox

Mode = Literal["auto", "legacy"]

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
List-Unsubscribe: <https://example.com/off?u=1>
List-Unsubscribe-Post: List-Unsubscribe=One-Click
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
def sent() -> list[Delivery]:
    """What has left the mailbox."""
    return []


@pytest.fixture
def unsubscribed() -> list[str]:
    """Where the mailbox has unsubscribed."""
    return []


@pytest.fixture
def mailbox(sent: list[Delivery], unsubscribed: list[str]) -> MemoryMailbox:
    """`m1` is `PLAIN`, `m2` is `WITH_FILE`."""
    made = MemoryMailbox(deliver=sent.append, on_unsubscribe=unsubscribed.append)
    made.put(PLAIN.replace(b"\n", b"\r\n"), ("INBOX", "UNREAD"))
    made.put(WITH_FILE.replace(b"\n", b"\r\n"), ("INBOX", "STARRED"))
    return made


@pytest.fixture(params=["auto", "legacy"])
def mode(request: pytest.FixtureRequest) -> Mode:
    return "legacy" if request.param == "legacy" else "auto"


Dump = dict[str, object]


async def _dump(mailbox: Mailbox) -> Dump:
    """All of a mailbox that a user can tell from another, but for the ids that drafts and filters happen to have."""
    found: list[str] = []
    for query in ("", "in:trash", "in:spam", "in:draft"):
        found += (await mailbox.search(parse_query(query), limit=1000)).ids
    stored = await mailbox.read(list(dict.fromkeys(found)), raw=True)
    drafts = {draft.message_id: draft for draft in await mailbox.drafts(limit=1000)}
    labels = await mailbox.labels()
    assert isinstance(mailbox, MemoryMailbox)
    return {
        "vacation": await mailbox.vacation(),
        "messages": {
            item.summary["id"]: (item.summary["labels"], item.summary["flags"], item.snoozed_until, item.raw)
            for item in stored
            if item.summary["id"] not in drafts
        },
        "drafts": sorted(
            (item.raw or b"", item.summary["thread_id"], tuple(item.summary["labels"]))
            for item in stored
            if item.summary["id"] in drafts
        ),
        "labels": [
            {"messageListVisibility": "show", "labelListVisibility": "labelShow", **label} for label in labels
        ],
        "events": sorted(str(item) for item in await _events(mailbox)),
        "watched": mailbox.watched_until,
        "filters": sorted(str((rule["criteria"], rule["action"])) for rule in await mailbox.filters()),
    }


async def _events(mailbox: MemoryMailbox) -> tuple[CalendarEvent, ...]:
    always = TimeWindow(
        start=dt.datetime(1990, 1, 1, tzinfo=dt.UTC),
        end=dt.datetime(2090, 1, 1, tzinfo=dt.UTC),
        time_zone="UTC",
    )
    return (await mailbox.events(always, query="", limit=1000)).events


@pytest.fixture
def look(mailbox: MemoryMailbox) -> Callable[[], Awaitable[Dump]]:
    """Takes a full picture of the mailbox."""
    return lambda: _dump(mailbox)


@pytest.fixture
def dump(mailbox: MemoryMailbox) -> Callable[[], Dump]:
    """The same, where no event loop runs."""
    return lambda: asyncio.run(_dump(mailbox))


Answer = Callable[[str, dict[str, object]], Awaitable[CallToolResult]]


class Asker:
    """Serves a mailbox and calls its tools, each call in a connection of its own."""

    def __init__(self, mailbox: MemoryMailbox, mode: Mode, sent: list[Delivery]) -> None:
        self.mailbox = mailbox
        self.sent = sent
        self.mode = mode
        self.settings = SurfaceSettings(approval=CALLER, allow_permanent_delete=True)

    def __call__(self, tool: str, **arguments: object) -> CallToolResult:
        async def scenario(answer: Answer) -> CallToolResult:
            return await answer(tool, arguments)

        return self.run(scenario)

    def labels(self, message_id: str) -> set[str] | None:
        """The labels of a message; None when it is gone."""
        stored = asyncio.run(self.mailbox.read([message_id], raw=False))
        return set(stored[0].summary["labels"]) if stored else None

    def drafts(self) -> list[bytes]:
        """Every draft as it is stored, newest first."""

        async def main() -> list[bytes]:
            drafts = await self.mailbox.drafts(limit=100)
            stored = await self.mailbox.read([draft.message_id for draft in drafts], raw=True)
            return [item.raw or b"" for item in stored]

        return asyncio.run(main())

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
def ask(mailbox: MemoryMailbox, mode: Mode, sent: list[Delivery]) -> Asker:
    return Asker(mailbox, mode, sent)


@pytest.fixture
def ask_once(mailbox: MemoryMailbox, sent: list[Delivery]) -> Asker:
    """For what does not depend on the protocol era."""
    return Asker(mailbox, "auto", sent)
