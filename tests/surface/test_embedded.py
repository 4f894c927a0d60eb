"""Tools inside the program that uses them: the answers of a server, and nothing that it would refuse."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping

import pytest
from fastmcp import Client

from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.call import ToolReply
from gaia_mail_mcp.surface.embedded import EmbeddedTools
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.memory import Delivery, MemoryMailbox

QUIET = SurfaceSettings(approval=CALLER)
WAIT_S = 20.0

CALLS: list[tuple[str, dict[str, object]]] = [
    ("server_status", {}),
    ("list_emails", {"limit": 1}),
    ("search_emails", {"query": "subject:lunch"}),
    ("read_email", {"messageId": "m1"}),
    ("read_emails", {"ids": ["m1", "none"], "format": "raw"}),
    ("read_emails", {"ids": []}),
    ("read_email", {"messageId": "none"}),
    ("read_email", {"messageId": "m1", "colour": "red"}),
    ("sync_emails", {}),
    ("list_email_labels", {}),
    ("get_attachment", {"message_id": "m2", "attachment_id": "none"}),
    ("star_email", {"message_id": "m1"}),
    ("archive_email", {"message_ids": ["m1", "m2"]}),
    ("send_email", {"to": ["nobody"], "subject": "s", "body": "b"}),
]


def _tools(mailbox: MemoryMailbox, settings: SurfaceSettings = QUIET) -> EmbeddedTools:
    return EmbeddedTools(mailbox, settings)


async def _told(tools: EmbeddedTools, tool: str, arguments: Mapping[str, object]) -> ToolReply:
    return await tools.reply(tool, arguments, timeout_s=WAIT_S)


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
def test_the_answer_is_that_of_a_server(
    mailbox: MemoryMailbox, tool: str, arguments: dict[str, object]
) -> None:
    async def main() -> None:
        async with Client(create_server(mailbox, QUIET)) as client:
            first = await client.call_tool_mcp(tool, arguments)
            served = await client.call_tool_mcp(tool, arguments)  # a write has the same effect a second time
            told = await _told(_tools(mailbox), tool, arguments)
        assert first.is_error == served.is_error
        (text,) = (getattr(block, "text", None) for block in served.content)
        assert (told.text, dict(told.data), told.failed) == (text, served.structured_content, served.is_error)

    asyncio.run(asyncio.wait_for(main(), WAIT_S))


@pytest.mark.parametrize(
    "settings",
    [QUIET, SurfaceSettings(approval=CALLER, read_only=True), SurfaceSettings(approval=CALLER, no_send=True)],
)
def test_there_are_the_tools_and_arguments_of_a_server(
    mailbox: MemoryMailbox, settings: SurfaceSettings
) -> None:
    async def main() -> dict[str, frozenset[str]]:
        async with Client(create_server(mailbox, settings)) as client:
            return {
                tool.name: frozenset(tool.input_schema.get("properties", ()))
                for tool in await client.list_tools()
            }

    assert dict(_tools(mailbox, settings).arguments()) == asyncio.run(asyncio.wait_for(main(), WAIT_S))


def test_what_is_not_offered_is_not_done(mailbox: MemoryMailbox, sent: list[Delivery]) -> None:
    tools = _tools(mailbox, SurfaceSettings(approval=CALLER, read_only=True))
    letter = {"to": ["ann@example.com"], "subject": "s", "body": "b"}
    for tool, arguments in (("send_email", letter), ("no_such_tool", {})):
        told = asyncio.run(_told(tools, tool, arguments))
        assert told.failed
        assert f"There is no tool '{tool}' here" in told.text
    assert not sent


def test_who_would_have_to_ask_cannot_have_them(mailbox: MemoryMailbox) -> None:
    with pytest.raises(ValueError, match="asks the user"):
        EmbeddedTools(mailbox, SurfaceSettings())


def test_a_call_that_does_not_end_is_given_up(mailbox: MemoryMailbox) -> None:
    async def main() -> ToolReply:
        tools = _tools(mailbox)
        cursor = (await _told(tools, "sync_emails", {})).data["cursor"]
        arguments = {"cursor": cursor, "timeout_s": 60}
        return await tools.reply("wait_for_changes", arguments, timeout_s=0.05)

    told = asyncio.run(asyncio.wait_for(main(), WAIT_S))
    assert told.failed
    assert "wait_for_changes did not end" in told.text


def test_a_defect_is_an_answer(mailbox: MemoryMailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **kwargs: object) -> Callable[[], Awaitable[None]]:
        raise ZeroDivisionError

    monkeypatch.setattr(mailbox, "labels", broken)
    told = asyncio.run(_told(_tools(mailbox), "list_email_labels", {}))
    assert told.failed
    assert "gaia-email itself" in told.text and "test_embedded.py" not in told.text


def test_closing_closes_the_mailbox(mailbox: MemoryMailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[bool] = []

    async def close() -> None:
        closed.append(True)

    monkeypatch.setattr(mailbox, "aclose", close)
    asyncio.run(_tools(mailbox).aclose())
    assert closed == [True]


def test_calling_a_tool_imports_no_protocol() -> None:
    program = """
import asyncio, sys
from tests.contract.memory import MemoryMailbox
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.embedded import EmbeddedTools
from gaia_mail_mcp.surface.options import SurfaceSettings
tools = EmbeddedTools(MemoryMailbox(), SurfaceSettings(approval=CALLER))
for tool in ("sync_emails", "list_email_labels"):
    assert not asyncio.run(tools.reply(tool, {}, timeout_s=9)).failed
print(sorted({"fastmcp", "mcp", "mcp_types"} & sys.modules.keys()))
"""
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=30
    )
    assert found.stdout.strip() == "[]"
