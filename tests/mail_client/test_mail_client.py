"""The agent's typed client over every kind of server."""

from __future__ import annotations

import asyncio
import base64
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TypeVar

import pytest
from fastmcp import FastMCP
from fastmcp.tools.base import ToolResult

from gaia_email.mailbox import tool_calls
from gaia_email.mailbox.client import MailClient, open_mail
from gaia_email_registry import errors
from gaia_email_registry.errors import BadArgument, MailError, ProviderError
from gaia_email_registry.servers import HttpServer, InProcessServer, ServerSpec, StdioServer

Result = TypeVar("Result")

SUMMARY: dict[str, object] = {
    "id": "m1",
    "account": "me@example.org",
    "thread_id": "t1",
    "message_id": "<one@example.com>",
    "subject": "Lunch",
    "from": {"name": "Ann", "address": "ann@example.com"},
    "to": [],
    "cc": [],
    "date": "2026-03-02T09:00:00+00:00",
    "snippet": "",
    "labels": ["INBOX"],
    "flags": [],
    "size": 5,
    "has_attachments": False,
}
RAW = base64.urlsafe_b64encode(b"Subject: Lunch\r\n\r\nx").decode()


def _server(answers: Mapping[str, ToolResult]) -> FastMCP[None]:
    """A server whose tools answer what they are told, whatever they are given."""
    server: FastMCP[None] = FastMCP("fake")

    def add(name: str, answer: ToolResult) -> None:
        async def tool(
            ids: list[str] | None = None,
            query: str = "",
            limit: int = 0,
            format: str = "",
            max_bytes: int = 0,
            cursor: str = "",
            timeout_s: float = 0,
            thread_id: str = "",
            maxResults: int = 0,
        ) -> ToolResult:
            return answer

        server.tool(tool, name=name)

    for name, answer in answers.items():
        add(name, answer)
    return server


def _told(**structure: object) -> ToolResult:
    return ToolResult(content="text", structured_content=structure)


def _run(spec: ServerSpec, scenario: Callable[[MailClient], Awaitable[Result]]) -> Result:
    async def main() -> Result:
        async with open_mail(spec) as client:
            return await scenario(client)

    return asyncio.run(asyncio.wait_for(main(), 30))


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Callable[[Mapping[str, ToolResult]], ServerSpec]:
    def install(answers: Mapping[str, ToolResult]) -> ServerSpec:
        def opener(provider: str) -> Callable[[Mapping[str, str]], FastMCP[None]]:
            return lambda options: _server(answers)

        monkeypatch.setattr(tool_calls, "_opener", opener)
        return InProcessServer(provider="fake")

    return install


Serve = Callable[[Mapping[str, ToolResult]], ServerSpec]


def test_every_method_answers_what_the_contract_says(serve: Serve) -> None:
    page = _told(emails=[SUMMARY], next_cursor=None)
    spec = serve(
        {
            "list_emails": page,
            "search_emails": _told(emails=[SUMMARY], next_cursor="2", total_estimate=9),
            "read_emails": _told(emails=[{**SUMMARY, "raw": RAW}], missing=["gone"]),
            "get_thread": _told(thread_id="t1", emails=[SUMMARY]),
            "sync_emails": _told(cursor="7", added=[], changed=[], removed=["m9"], reset=False, more=False),
            "wait_for_changes": _told(changed=True, cursor_hint="7"),
            "list_email_labels": _told(labels=[{"id": "INBOX", "name": "INBOX", "type": "system"}]),
            "server_status": _told(
                account="me",
                provider="fake",
                connected=True,
                scopes=[],
                read_only=True,
                last_sync=None,
                errors=[],
            ),
        }
    )

    async def scenario(client: MailClient) -> None:
        assert (await client.list_emails(limit=5))["emails"][0]["from"]["name"] == "Ann"
        assert (await client.search("lunch"))["total_estimate"] == 9
        read = await client.read_emails(["m1", "gone"])
        assert (read["emails"][0].get("raw"), read["missing"]) == (RAW, ["gone"])
        assert (await client.get_thread("t1"))["thread_id"] == "t1"
        assert (await client.sync_emails("6"))["removed"] == ["m9"]
        assert (await client.wait_for_changes("7", timeout_s=1))["changed"]
        assert (await client.labels())[0]["id"] == "INBOX"
        assert (await client.status())["read_only"]

    _run(spec, scenario)


@pytest.mark.parametrize(
    "kind",
    [
        errors.BadArgument,
        errors.NotFound,
        errors.NeedsAuth,
        errors.NeedsApproval,
        errors.RateLimited,
        errors.ProviderError,
        errors.InternalError,
    ],
)
def test_errors_come_back_as_what_they_were(kind: type[MailError], serve: Serve) -> None:
    told: dict[str, object] = {
        "kind": kind.kind,
        "message": "No.",
        "argument": "thread_id",
        "retry_after_s": 3.0,
        "hint": "wait",
    }
    refused = ToolResult(content="Error: No.", structured_content={"error": told}, is_error=True)
    with pytest.raises(kind) as caught:
        _run(serve({"get_thread": refused}), lambda client: client.get_thread("t1"))
    error = caught.value
    assert (error.message, error.argument, error.retry_after_s, error.hint) == (
        "No.",
        "thread_id",
        3.0,
        "wait",
    )


def test_an_error_of_a_foreign_server_keeps_its_text(serve: Serve) -> None:
    refused = ToolResult(content="Error: quota used up", is_error=True)
    with pytest.raises(ProviderError, match=r"\Aquota used up"):
        _run(serve({"list_email_labels": refused}), lambda client: client.labels())


def test_an_answer_outside_the_contract_is_the_providers_fault(serve: Serve) -> None:
    with pytest.raises(ProviderError, match="contract"):
        _run(serve({"list_email_labels": _told(labels="all")}), lambda client: client.labels())


def test_a_missing_tool_is_the_providers_fault(serve: Serve) -> None:
    with pytest.raises(ProviderError, match="list_email_labels"):
        _run(serve({}), lambda client: client.labels())


def test_an_unknown_provider_is_named_with_those_there_are() -> None:
    with pytest.raises(BadArgument, match=r"installed are:.*local"):
        _run(InProcessServer(provider="nowhere"), lambda client: client.labels())


def test_a_command_that_does_not_exist_is_said() -> None:
    with pytest.raises(BadArgument, match="no-such-command"):
        _run(StdioServer(command="/no-such-command"), lambda client: client.labels())


def test_a_program_that_does_not_speak_mcp_is_said() -> None:
    with pytest.raises(ProviderError):
        _run(StdioServer(command=sys.executable, args=("-c", "")), lambda client: client.labels())


def test_an_address_where_nobody_listens_is_said() -> None:
    with pytest.raises(MailError):
        _run(HttpServer(url="http://127.0.0.1:9/mcp"), lambda client: client.labels())


_STDIO = """
from fastmcp import FastMCP
from fastmcp.tools.base import ToolResult
server = FastMCP("fake")
@server.tool
def list_email_labels() -> ToolResult:
    return ToolResult(content="x", structured_content={"labels": [{"id": "L", "name": "L", "type": "user"}]})
@server.tool
def server_status() -> ToolResult:
    return ToolResult(content="x", structured_content={})
@server.tool
def list_emails() -> ToolResult:
    return ToolResult(content="x", structured_content={})
@server.tool
def read_emails() -> ToolResult:
    return ToolResult(content="x", structured_content={})
server.run(show_banner=False)
"""


def test_a_server_started_by_command_is_spoken_to_the_same_way(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(_STDIO)
    spec = StdioServer(command=sys.executable, args=(str(tmp_path / "server.py"),))
    labels = _run(spec, lambda client: client.labels())
    assert [label["id"] for label in labels] == ["L"]
