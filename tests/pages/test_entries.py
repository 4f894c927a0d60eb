"""The entries that pages give for other programs' files, as they stand there: each starts a server that answers."""

from __future__ import annotations

import asyncio
import re
import shlex
import signal
import socket
import subprocess
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport

from tests.pages.bare_home import BareHome, Typed
from tests.pages.page import Page

pytestmark = pytest.mark.timeout(300)

Transport = StdioTransport | StreamableHttpTransport


def served(home: BareHome, command: str, arguments: Sequence[str]) -> StdioTransport:
    """The server that a client would start; `/home/you` of the page is the reader's home."""
    words = [word.replace("/home/you", str(home.home)) for word in arguments]
    found = home.programs / command
    return StdioTransport(str(found), words, env=dict(home.environment), cwd=str(home.home), keep_alive=False)


def tools_of(transport: Transport) -> frozenset[str]:
    async def ask() -> frozenset[str]:
        async with Client(transport) as client:
            return frozenset(tool.name for tool in await client.list_tools())

    return asyncio.run(asyncio.wait_for(ask(), 60))


def answer_of(transport: Transport, tool: str, arguments: Mapping[str, Any]) -> str:
    async def ask() -> str:
        async with Client(transport) as client:
            result = await client.call_tool(tool, dict(arguments))
            return str(getattr(result.content[0], "text", ""))

    return asyncio.run(asyncio.wait_for(ask(), 60))


def invoices(transport: Transport) -> str:
    return answer_of(transport, "search_emails", {"query": "invoice", "maxResults": 3})


@pytest.mark.parametrize("path", ["README.md", "docs/clients.md"])
def test_the_entry_for_claude_desktop_serves_the_mail_and_changes_nothing(
    home_with_mail: BareHome, path: str
) -> None:
    entry = Page(path).servers()[0]
    server = served(home_with_mail, entry["command"], entry["args"])
    assert "Papierhaus Vogel" in invoices(server)
    assert "read_email" in tools_of(server)
    assert "modify_email" not in tools_of(server)


def test_the_entry_for_vs_code_serves_an_mbox(home_with_mail: BareHome) -> None:
    entry = Page("docs/clients.md").servers()[1]
    assert "ID: " in answer_of(
        served(home_with_mail, entry["command"], entry["args"]), "search_emails", {"query": "in:anywhere"}
    )


@pytest.mark.parametrize("number", [2, 3])
def test_the_entries_for_gmail_and_outlook_start_and_say_how_to_connect(
    home_with_mail: BareHome, number: int, installed: Path
) -> None:
    if not (installed / "pytest").exists():
        pytest.skip("Gmail and Outlook are extras")
    entry = Page("docs/clients.md").servers()[number]
    server = served(home_with_mail, entry["command"], entry.get("args", []))
    assert "search_emails" in tools_of(server)


def test_the_sample_of_the_agent_server_sorts_an_inbox(bare_home: BareHome) -> None:
    entry = Page("docs/agent-server.md").servers()[0]
    server = served(bare_home, entry["command"], entry["args"])
    assert "Client portal is down" in answer_of(server, "triage_inbox", {})


def told_to_claude(home: BareHome, line: str) -> list[str]:
    """What Claude Code's command is given by a line of a page; a stand-in writes it down."""
    stand_in, words = home.programs / "claude", home.home / "words"
    stand_in.write_text('#!/bin/sh\nprintf "%s\\n" "$@" > ~/words\n', encoding="utf-8")
    stand_in.chmod(0o755)
    home.types(line, Typed(""))
    return words.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("path", ["README.md", "docs/clients.md"])
def test_claude_code_is_told_a_command_that_serves_the_mail(home_with_mail: BareHome, path: str) -> None:
    page = Page(path)
    (line,) = (line for line in [*page.lines, *page.named] if line.startswith("claude mcp add mail -- "))
    words = told_to_claude(home_with_mail, line)
    command, *arguments = words[words.index("--") + 1 :]
    assert "Papierhaus Vogel" in invoices(served(home_with_mail, command, arguments))


@contextmanager
def started(home: BareHome, words: Sequence[str]) -> Generator[str]:
    """What a server says once it listens, while it runs."""
    with subprocess.Popen(
        [str(home.programs / words[0]), *words[1:]],
        env=dict(home.environment),
        cwd=home.home,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        try:
            yield next(line for line in process.stderr if "http://" in line)
        finally:
            process.send_signal(signal.SIGINT)
            process.stderr.close()


def test_over_http_a_client_with_the_token_is_served(home_with_mail: BareHome) -> None:
    page = Page("docs/clients.md")
    (serving,) = (line for line in page.named if "--http" in line and line.startswith("gaia-local-mcp"))
    (telling,) = (line for line in page.lines if "--transport http" in line)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]  # another program of this machine may have the page's port
    words = shlex.split(serving.replace("8765", str(port)).replace("~", str(home_with_mail.home)))
    with started(home_with_mail, words) as said:
        assert f"127.0.0.1:{port}/mcp" in said
        until_listening(port)  # the token is made before
        told = told_to_claude(home_with_mail, telling.replace("8765", str(port)))
        (url,) = (word for word in told if word.startswith("http://"))
        header = re.fullmatch(r"Authorization: Bearer (\S+)", told[-1])
        assert header is not None
        assert "Papierhaus Vogel" in invoices(StreamableHttpTransport(url, auth=header[1]))


def until_listening(port: int) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            continue
        return
    raise AssertionError("nothing listens")
