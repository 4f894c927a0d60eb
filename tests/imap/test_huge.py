"""Messages of any size: memory does not grow with them, what is missing is said, and attachments come whole."""

from __future__ import annotations

import asyncio
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from gaia_imap_mcp.imap_mailbox import ImapMailbox
from gaia_imap_mcp.index import limits as bounds
from gaia_imap_mcp.index.limits import LEAST_BYTES, MAX_TOGETHER_BYTES, limits
from gaia_mail.files.model import MAX_MESSAGE_BYTES
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from gaia_understanding.cascade.understand import read_raw
from tests.contract.suite.look import find
from tests.imap.truth import opened, settings
from tools.mail_servers.dovecot import Dovecot
from tools.mail_servers.other_client import OtherClient

LINE = b"QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAx\r\n"


def letter(attached: int, subject: str = "big") -> bytes:
    """A short text with about so many bytes attached."""
    return (
        b"From: a@example.org\r\nTo: me@example.org\r\nSubject: " + subject.encode() + b"\r\n"
        b"Message-ID: <" + subject.encode() + b"@example.org>\r\nMIME-Version: 1.0\r\n"
        b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\n"
        b"Can you pay this by Friday?\r\n--x\r\nContent-Type: application/octet-stream\r\n"
        b"Content-Disposition: attachment; filename=a.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        + LINE * (attached // len(LINE))
        + b"--x--\r\n"
    )


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is huge from 100 kB on, so that a test moves little."""
    monkeypatch.setattr(bounds, "MAX_MESSAGE_BYTES", 100_000)
    monkeypatch.setattr(bounds, "MAX_TOGETHER_BYTES", 200_000)
    monkeypatch.setattr(bounds, "LEAST_BYTES", 10_000)


def test_what_is_read_together_is_bounded_however_many_and_large_the_messages_are() -> None:
    assert limits({"a": MAX_MESSAGE_BYTES, "b": 10}) == {}
    assert limits({"a": MAX_MESSAGE_BYTES + 1, "b": 10}) == {"a": MAX_MESSAGE_BYTES}
    several = {str(number): 20_000_000 for number in range(8)}
    assert sum(limits(several).values()) <= MAX_TOGETHER_BYTES
    assert set(limits({str(number): 10**8 for number in range(1000)}).values()) == {LEAST_BYTES}
    assert limits({str(number): 1000 for number in range(500)}) == {}
    assert limits({"a": 5_000, "b": 10}, 1_000) == {"a": 1_000}


@pytest.mark.usefixtures("small")
def test_a_huge_message_is_read_as_far_as_there_is_room_and_says_so(
    dovecot: Dovecot, user: str, other: OtherClient, tmp_path: Path
) -> None:
    raw = letter(400_000)
    other.append(raw)
    other.append(letter(1000, "small"))

    async def scenario(call: Any, mailbox: ImapMailbox) -> None:
        (big,), (little,) = await find(mailbox, "subject:big"), await find(mailbox, "subject:small")
        (email,) = (await call("read_emails", ids=[big], format="full"))["emails"]
        said = f"the message has {len(raw):,} bytes; only the first 100,000 were read"
        assert email["defects"][-1] == said
        assert "by Friday" in email["text"]
        (cut,) = (await call("read_emails", ids=[big], format="raw"))["emails"]
        assert cut["defects"] == [said]
        message = read_raw(cut)
        assert (message.size, message.defects[-1]) == (len(raw), said)
        (whole,) = (await call("read_emails", ids=[little], format="raw"))["emails"]
        assert "defects" not in whole
        assert [stored.left_out for stored in await mailbox.read([big, little], raw=True)] == [
            len(raw) - 100_000,
            0,
        ]
        name, _, content = await mailbox.attachment(big, email["attachments"][0]["id"])
        assert (name, len(content)) == ("a.bin", len(LINE * (400_000 // len(LINE))) // 74 * 54)
        refused = await call("forward_email", message_id=big, to=["b@example.org"], draft=True)
        assert "link" in refused["error"]["message"]
        assert await find(mailbox, "Friday subject:big") == [big]

    async def begin() -> None:
        mailbox = ImapMailbox(replace(settings(dovecot.port, user), cache=tmp_path / "index.sqlite"))
        async with Client(create_server(mailbox, SurfaceSettings(approval=CALLER))) as client:

            async def call(tool: str, **arguments: object) -> Any:
                return (await client.call_tool(tool, arguments, raise_on_error=False)).structured_content

            await scenario(call, mailbox)

    asyncio.run(begin())


def test_a_message_of_a_hundred_megabytes_costs_a_part_of_that(dovecot: Dovecot, user: str) -> None:
    dovecot.fill(user, [(letter(100_000_000), "")])

    async def scenario() -> None:
        async with opened(settings(dovecot.port, user), command_timeout_s=25.0) as mailbox:
            (big,) = await find(mailbox, "in:inbox")
            tracemalloc.start()
            try:
                (stored,) = await mailbox.read([big], raw=True)
                peak = tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()
            assert len(stored.raw or b"") == MAX_MESSAGE_BYTES
            assert peak < 100_000_000

    asyncio.run(scenario())
