"""Every interface answers on the sample mailbox as it was recorded: commands, cards, HTTP, pages, MCP and the chat."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from gaia_email.app import App
from gaia_email.app.operations.operation import OperationCall
from gaia_email.app.operations.table import OPERATIONS
from gaia_email.app.sample.mailbox import SAMPLE_OWNER, write_sample
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.cli import output
from gaia_email.interfaces.mcp.server import create_agent_server
from gaia_mail_mcp.surface.server import create_server
from tests.chat.test_conversations import CONVERSATIONS, COVERING, Talk
from tests.cli.printed import Run, runner
from tests.contract.memory import MemoryMailbox
from tests.golden.recording import Recorded, frozen
from tests.http.conftest import Sample, is_hosted, sample
from tests.http.test_via_http import READING
from tests.origins import PERSON
from tests.plugins.bundled import needs_plugin

__all__ = ["is_hosted", "sample"]

OF_THE_MACHINE = ("discover", "discovery", "doctor", "status", "models", "version")
"""Commands and paths that describe the machine instead of the mail."""

COMMANDS = (
    ("inbox",),
    ("inbox", "--all"),
    ("triage",),
    *(words for words in READING if words[0] not in OF_THE_MACHINE),
)
NONCE = re.compile(r' hx-nonce="[^"]*"')
LINK = re.compile(r'(?:href="#|(?:hx-get|src)="(?:/)?ui/)([a-z][\w-]*(?:\?[^"]*)?)"')
pytestmark = [pytest.mark.timeout(300), needs_plugin("automations")]


@pytest.fixture(autouse=True)
def held_clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The sample's day in UTC, which does not go on."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    with frozen():
        yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The sample mailbox in a folder."""
    folder = tmp_path / "Mail"
    write_sample(folder, now=App().clock())
    return folder


@pytest.fixture
def demo(place: Path, home_of_its_own: Path) -> tuple[App, SourceSpec]:
    """The sample mailbox after a first look, and the program."""
    app = App()
    source = SourceSpec(kind="maildir", path=str(place), user=(SAMPLE_OWNER,), is_sample=True)
    call = OperationCall(asked=OPERATIONS["inbox"].read({}), origin=PERSON, sources=(source,))
    OPERATIONS["inbox"].run(app, call)
    return app, source


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capsys, monkeypatch)


def test_commands(run: Run, place: Path, home_of_its_own: Path) -> None:
    assert run("connect", "--maildir", str(place), "--user", SAMPLE_OWNER).code == 0
    recorded = Recorded("commands", {str(place): "MAIL", str(home_of_its_own): "HOME"})
    for words in COMMANDS:
        name = " ".join(words)
        given = [_urgent(run) if word == "MESSAGE" else word for word in words]
        for form in ((), ("--json",)):
            ran = run(*given, *form)
            assert ran.code == 0, ran.err
            recorded.add(f"{name}{'.json' if form else ''}", json.loads(ran.out) if form else ran.out)
    recorded.check()


@pytest.mark.usefixtures("plain_terminal")
def test_cards(run: Run, place: Path, home_of_its_own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("connect", "--maildir", str(place), "--user", SAMPLE_OWNER).code == 0
    message = _urgent(run)
    monkeypatch.setattr(output, "is_terminal", lambda: True)
    recorded = Recorded("cards", {str(place): "MAIL", str(home_of_its_own): "HOME"})
    for words in COMMANDS:
        if words == ("accounts",):  # as wide as the place of the mailbox
            continue
        ran = run(*(message if word == "MESSAGE" else word for word in words))
        assert ran.code == 0, ran.err
        recorded.add(" ".join(words), f"{ran.out}\nbeside it:\n{ran.err}" if ran.err else ran.out)
    recorded.check()


def test_http(sample: Sample) -> None:
    recorded = Recorded("http", _known(sample))
    paths: dict[str, Any] = sample.program.ok("GET", "/openapi.json")["paths"]
    for path, methods in paths.items():
        if "get" not in methods or "{" in path or path.endswith(("/events", "/tail", *OF_THE_MACHINE)):
            continue
        answer = sample.program.answer("GET", path)
        if answer.headers["content-type"].startswith("application/json"):
            recorded.add(path, [answer.status_code, answer.json()])
    message = {"id": sample.message()}
    for path in ("show", "why", "summarise", "explain", "extract", "classify", "thread"):
        answer = sample.program.answer("POST", f"/v1/email/{path}", message)
        recorded.add(path, [answer.status_code, answer.json()])
    recorded.check()


def test_pages(sample: Sample) -> None:
    recorded = Recorded("pages", _known(sample))
    seen: set[str] = set()
    waiting = ["inbox", "frame"]
    while waiting:
        path = waiting.pop(0)
        kind = path.partition("?")[0]
        if kind in seen:
            continue
        seen.add(kind)
        page = sample.person.answer("GET", f"/ui/{path}")
        recorded.add(kind, f"{page.status_code}\n{NONCE.sub('', page.text)}")
        waiting += [unescape(found) for found in LINK.findall(page.text)]
    assert len(seen) > 10
    recorded.check()


def test_tools(demo: tuple[App, SourceSpec]) -> None:
    app, source = demo
    recorded = Recorded("mcp", {str(source.path): "MAIL", str(app.home): "HOME"})

    async def main() -> None:
        async with Client(create_agent_server(app, lambda: source)) as client:
            for tool in await client.list_tools():
                recorded.add(f"tool {tool.name}", tool.model_dump(mode="json", exclude_none=True))
            inbox = await client.call_tool("triage_inbox", {})
            rows = (inbox.structured_content or {})["buckets"]["urgent"]
            for tool in await client.list_tools():
                required = set(tool.input_schema.get("required", ()))
                reads = tool.annotations is not None and tool.annotations.read_only_hint
                if not reads or not required <= {"id"}:
                    continue
                given = {"id": rows[0]["id"]} if required else {}
                answer = await client.call_tool(tool.name, given, raise_on_error=False)
                recorded.add(f"answer {tool.name}", answer.structured_content or {})
        async with Client(create_server(MemoryMailbox(SAMPLE_OWNER))) as client:
            for tool in await client.list_tools():
                recorded.add(f"mail tool {tool.name}", tool.model_dump(mode="json", exclude_none=True))

    asyncio.run(main())
    recorded.check()


def test_conversations(demo: tuple[App, SourceSpec]) -> None:
    app, source = demo
    recorded = Recorded("chat", {str(source.path): "MAIL", str(app.home): "HOME"})
    for name in COVERING:
        talk = Talk(source)
        for line, _, _ in CONVERSATIONS[name]:
            talk.say(line)
        recorded.add(name, [turn.events for turn in talk.turns])
    recorded.check()


def _urgent(run: Run) -> str:
    return str(json.loads(run("inbox", "--json", "--fields", "id").out)[0]["id"])


def _known(sample: Sample) -> dict[str, str]:
    return {sample.url: "SERVER", str(sample.source.path): "MAIL", str(sample.app.home): "HOME"}
