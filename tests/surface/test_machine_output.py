"""What an answer carries of hostile mail: exact to programs, harmless to the terminal it is printed on."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from gaia_mail.printable import UNSEEN
from gaia_mail_mcp.surface.options import HttpAddress
from gaia_mail_mcp.surface.run import http_app
from gaia_mail_mcp.surface.server import create_server
from tests.contract.memory import MemoryMailbox
from tests.surface.conftest import Asker
from tests.surface.pipes import call, line, made, talking

TOKEN = "a-long-secret-of-this-test"
HIDDEN = "\x9b31m\u202e\u2066\u200b\U000e0041\u2028"
SUBJECT = f"Invoice{HIDDEN}fdp"
BODY = f"Pay\x1b[2J{HIDDEN}now\x7f, ünïcödé ❤️\u200d🔥 stays\tput"
SHOWN = "<U+009B>31m<U+202E><U+2066><U+200B><U+E0041><U+2028>"
ACTING = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f{UNSEEN}]")
RAW = re.compile(f"[{UNSEEN}]")


@pytest.fixture
def mailbox() -> MemoryMailbox:
    made = MemoryMailbox()
    text = (
        f"From: =?utf-8?q?Eve=E2=80=AE?= <eve@evil.example>\r\nTo: me@example.org\r\nSubject: {SUBJECT}\r\n"
        "Date: Mon, 02 Mar 2026 09:00:00 +0000\r\nMessage-ID: <h@evil.example>\r\nMIME-Version: 1.0\r\n"
        f"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{BODY}\r\n"
    )
    made.put(text.encode(), ("INBOX",))
    return made


def test_the_text_of_an_answer_shows_what_would_act_and_the_structure_has_it_as_it_is(
    ask_once: Asker,
) -> None:
    read = ask_once("read_email", messageId="m1")
    (content,) = read.content
    text = getattr(content, "text")  # noqa: B009
    assert f"Pay␛[2J{SHOWN}now␡, ünïcödé ❤️\u200d🔥 stays\tput" in text
    assert f"Subject: Invoice{SHOWN.replace('<U+2028>', ' ')}fdp" in text
    assert not ACTING.search(text.replace("\u200d", ""))
    full = ask_once("read_emails", ids=["m1"], format="full").structured_content
    assert full is not None
    (email,) = full["emails"]
    assert HIDDEN in email["text"] and "\x1b[2J" in email["text"]


@pytest.mark.parametrize("tool", ["search_emails", "list_emails", "get_thread", "read_emails"])
def test_a_line_on_the_pipe_holds_no_such_character_and_loses_none(tool: str, mailbox: MemoryMailbox) -> None:
    arguments: dict[str, dict[str, object]] = {
        "search_emails": {"query": "from:eve"},
        "list_emails": {"limit": 5},
        "read_emails": {"ids": ["m1"], "format": "full"},
        "get_thread": {"thread_id": asyncio.run(mailbox.read(["m1"], raw=False))[0].summary["thread_id"]},
    }

    async def main() -> bytes:
        server = made(mailbox)
        async with talking(server) as talk:
            await talk.greet()
            return await talk.ask(call(2, tool, arguments[tool]))

    answer = asyncio.run(asyncio.wait_for(main(), 20))
    assert not RAW.search(answer.decode())
    result = json.loads(answer)["result"]
    subjects = [email["subject"] for email in result["structuredContent"]["emails"]]
    assert len(subjects) == 1 and "\u202e" in subjects[0] and "\U000e0041" in subjects[0]
    assert not ACTING.search(result["content"][0]["text"].replace("\u200d", ""))


@pytest.mark.parametrize("version", ["2025-06-18", "2026-07-28"])
def test_http_carries_the_same_escapes(version: str, mailbox: MemoryMailbox) -> None:
    """In both forms that an answer has: an event, and one JSON document."""
    app = http_app(create_server(mailbox), HttpAddress(host="127.0.0.1", port=8765, token=TOKEN))
    headers = {
        "Accept": "application/json, text/event-stream",
        "Authorization": f"Bearer {TOKEN}",
        "Content-Type": "application/json",
        "Host": "127.0.0.1:8765",
    }
    who = {"name": "test", "version": "1"}
    meta = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": who,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    modern = version == "2026-07-28"
    with TestClient(app) as client:
        if modern:
            headers |= {
                "MCP-Protocol-Version": version,
                "Mcp-Method": "tools/call",
                "Mcp-Name": "search_emails",
            }
        else:
            hello = line(
                1,
                "initialize",
                protocolVersion=version,
                capabilities={},
                clientInfo=who,
            )
            greeted = client.post("/mcp", content=hello, headers=headers)
            headers |= {"Mcp-Session-Id": greeted.headers["mcp-session-id"]}
        extra: dict[str, Any] = {"_meta": meta} if modern else {}
        asked = call(2, "search_emails", {"query": "from:eve"}, **extra)
        answer = client.post("/mcp", content=asked, headers=headers)
    assert answer.status_code == 200, answer.text
    assert len(answer.content) == int(answer.headers.get("content-length", len(answer.content)))
    assert not RAW.search(answer.text)
    data = answer.text.partition("data: ")[2] or answer.text
    (email,) = json.loads(data)["result"]["structuredContent"]["emails"]
    assert "\u202e" in email["subject"]


def test_output_that_is_no_pipe_is_escaped_too(tmp_path: Path) -> None:
    program = """
from tests.contract.memory import MemoryMailbox
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.run import run_server
from gaia_mail_mcp.surface.server import create_server
mailboxes = {"me\\u202e": MemoryMailbox("me@example.org"), "you": MemoryMailbox("you@example.org")}
run_server(create_server(mailboxes), SurfaceSettings())
"""
    who = {"name": "test", "version": "1"}
    (tmp_path / "in").write_bytes(
        line(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=who)
    )
    with (tmp_path / "in").open("rb") as source, (tmp_path / "out").open("wb") as target:
        done = subprocess.run([sys.executable, "-c", program], stdin=source, stdout=target, timeout=30)
    assert done.returncode == 0
    written = (tmp_path / "out").read_text()
    assert not RAW.search(written)
    assert "me\u202e, you" in json.loads(written)["result"]["instructions"]
