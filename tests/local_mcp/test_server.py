"""`gaia-local-mcp`: its options, its start, and its tools over stdio."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from gaia_email_registry.errors import BadArgument
from gaia_local_mcp.server import main, open_server
from tests.contract.suite.seed import Seed, write_message

Fill = Callable[[Path, Sequence[Seed]], None]

Json: TypeAlias = dict[str, Any]

INITIALIZE: Json = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}


def test_a_program_opens_the_server_in_its_own_process(tmp_path: Path, fill_maildir: Fill) -> None:
    from fastmcp import Client

    fill_maildir(tmp_path / "m", [Seed(raw=write_message(1))])

    async def scenario() -> None:
        async with Client(open_server({"maildir": str(tmp_path / "m"), "read_only": "true"})) as client:
            names = {tool.name for tool in await client.list_tools()}
            assert "read_emails" in names
            assert "trash_email" not in names
            answer = await client.call_tool("list_emails", {})
            assert answer.structured_content is not None
            assert [email["subject"] for email in answer.structured_content["emails"]] == ["Message number 1"]

    asyncio.run(asyncio.wait_for(scenario(), 20))


@pytest.mark.parametrize("options", [{}, {"maildir": "a", "mbox": "b"}, {"maildir": ""}])
def test_exactly_one_path_is_needed(options: dict[str, str]) -> None:
    with pytest.raises(BadArgument, match="one path"):
        open_server(options)


def test_a_wrong_command_line_is_one_sentence_and_exit_code_two(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([])
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith("gaia-local-mcp: Give one path")


def test_the_server_lists_its_tools_over_stdio_though_the_path_is_missing(tmp_path: Path) -> None:
    requests: list[Json] = [
        INITIALIZE,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {
            "jsonrpc": "2.0",
            "id": 3,
            "method": "tools/call",
            "params": {"name": "list_emails", "arguments": {}},
        },
    ]
    command = [sys.executable, "-m", "gaia_local_mcp.server", "--maildir", str(tmp_path / "none")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        answers: dict[int, Json] = {}
        for request in requests:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            while "id" in request and request["id"] not in answers:
                answer: Json = json.loads(process.stdout.readline())
                answers[answer.get("id", -1)] = answer
        process.stdin.close()
        process.wait(timeout=20)
    assert "read_emails" in json.dumps(answers[2])
    assert "does not exist" in json.dumps(answers[3])
    assert '"isError": true' in json.dumps(answers[3])


def test_opening_a_server_reads_nothing_and_imports_no_mail_code(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from gaia_local_mcp.server import mailbox_source\n"
        f"mailbox_source('maildir', {str(tmp_path / 'none')!r})\n"
        "heavy = {'watchfiles', 'fast_mail_parser', 'email', 'gaia_mail.mime.read', 'pydantic'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=30
    )
    assert found.stdout.strip() == "[]"
