"""A server as clients meet it: stdio, HTTP with its guards, settings, resources, prompts, subscriptions."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from starlette.testclient import TestClient

from gaia_email_registry.errors import BadArgument
from gaia_email_registry.private_file import write_private
from gaia_email_registry.token_file import token_in_file
from gaia_mail_mcp.surface.approval.settings import CALLER, ApprovalSettings
from gaia_mail_mcp.surface.options import HttpAddress, SurfaceSettings, add_arguments, settings_from
from gaia_mail_mcp.surface.run import http_app, run_server
from gaia_mail_mcp.surface.server import create_server

PING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
HEADERS = {"Accept": "application/json, text/event-stream", "Host": "127.0.0.1:8765"}


def _post(mailbox: Any, address: HttpAddress, headers: dict[str, str]) -> int:
    app = http_app(create_server(mailbox), address)
    with TestClient(app) as client:
        return client.post("/mcp", json=PING, headers={**HEADERS, **headers}).status_code


def test_http_answers_only_who_may_ask(mailbox: Any) -> None:
    local = HttpAddress(host="127.0.0.1", port=8765, token="a-long-secret")
    known = {"Authorization": "Bearer a-long-secret"}
    assert _post(mailbox, local, known) == 200
    assert _post(mailbox, local, {**known, "Host": "evil.example.net"}) == 421
    assert _post(mailbox, local, {**known, "Origin": "https://evil.example.net"}) == 403


def test_without_a_token_of_the_users_one_is_made_and_kept(mailbox: Any, tmp_path: Path) -> None:
    file = tmp_path / "home" / "http-token"
    local = HttpAddress(host="127.0.0.1", port=8765, token_file=file)
    assert _post(mailbox, local, {}) == 401
    token = file.read_text().strip()
    assert len(token) >= 40 and file.stat().st_mode & 0o777 == 0o600
    assert _post(mailbox, local, {"Authorization": f"Bearer {token}"}) == 200
    assert file.read_text().strip() == token


def test_a_token_that_others_may_read_is_refused(mailbox: Any, tmp_path: Path) -> None:
    file = tmp_path / "http-token"
    token_in_file(file)
    file.chmod(0o644)
    with pytest.raises(BadArgument, match="Other users"):
        http_app(create_server(mailbox), HttpAddress(host="127.0.0.1", port=1, token_file=file))


@pytest.mark.parametrize("content", [b"", b"short\n", b"\xff" * 40])
def test_a_file_without_a_token_lets_nobody_in(mailbox: Any, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "http-token"
    write_private(file, content)
    with pytest.raises(BadArgument, match="token"):
        http_app(create_server(mailbox), HttpAddress(host="127.0.0.1", port=1, token_file=file))


def test_a_server_without_any_token_does_not_start(mailbox: Any) -> None:
    with pytest.raises(BadArgument, match="bearer token"):
        http_app(create_server(mailbox), HttpAddress(host="127.0.0.1", port=8765))


def test_a_port_in_use_is_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "gaia_local_mcp.server",
                "--eml",
                str(tmp_path),
                "--http",
                f"127.0.0.1:{port}",
            ],
            capture_output=True,
            text=True,
            timeout=30,
            env={**os.environ, "GAIA_HOME": str(tmp_path / "home")},
        )
    assert done.returncode == 2
    assert f"Port {port} on 127.0.0.1 is in use by another program." in done.stderr
    assert f"--http 127.0.0.1:{port + 1}" in done.stderr
    assert "Traceback" not in done.stderr and not done.stdout


def test_where_the_token_is_stands_on_standard_error_and_the_token_does_not(
    mailbox: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def served(*_: object) -> None:
        pass

    monkeypatch.setattr("gaia_mail_mcp.surface.run.serve_http", served)
    file = tmp_path / "http-token"
    token = token_in_file(file)
    run_server(
        create_server(mailbox),
        SurfaceSettings(http=HttpAddress(host="127.0.0.1", port=8765, token_file=file)),
    )
    told = capsys.readouterr()
    assert str(file) in told.err and token not in told.err and not told.out


def test_http_with_a_token_refuses_everybody_else(mailbox: Any) -> None:
    guarded = HttpAddress(host="127.0.0.1", port=8765, token="a-long-secret")
    assert _post(mailbox, guarded, {}) == 401
    assert _post(mailbox, guarded, {"Authorization": "Bearer wrong"}) == 401
    assert _post(mailbox, guarded, {"Authorization": "Bearer a-long-secret"}) == 200


def _settings(*flags: str, **environ: str) -> SurfaceSettings:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return settings_from(parser.parse_args(flags), environ)


def test_flags_and_environment_say_the_same() -> None:
    flags = _settings(
        "--read-only", "--no-send", "--enabled-tools", "core, read_emails", "--download-dir", "/d"
    )
    environ = _settings(
        GAIA_READ_ONLY="1", GAIA_NO_SEND="yes", GAIA_ENABLED_TOOLS="core,read_emails", GAIA_DOWNLOAD_DIR="/d"
    )
    assert flags == environ
    assert flags.attachment_dir is None, "files are attached from no folder that nobody named for it"
    assert flags.enabled_tools == ("core", "read_emails")


def test_a_flag_beats_the_environment() -> None:
    assert _settings("--enabled-tools", "read", GAIA_ENABLED_TOOLS="core").enabled_tools == ("read",)


def test_nothing_is_configured_to_be_dangerous_by_default() -> None:
    settings = _settings(GAIA_HOME="/h")
    approval = ApprovalSettings(store=Path("/h/approvals.db"), runtime_dir=Path("/h/run"))
    assert settings == SurfaceSettings(
        download_dir=Path("/h/downloads"), attachment_dir=None, approval=approval
    )
    assert not settings.allow_permanent_delete and settings.http is None


def test_a_screen_is_used_to_ask_by_whoever_sits_in_front_of_it() -> None:
    assert _settings(DISPLAY=":0").approval.opener is not None
    assert _settings(DISPLAY=":0", SSH_CONNECTION="1 2 3 4").approval.opener is None
    assert _settings("--http", "0.0.0.0:1", DISPLAY=":0", GAIA_HTTP_TOKEN="long").approval.opener is None
    assert _settings("--approve", "host").approval.way == "host"


@pytest.mark.parametrize(
    ("flags", "host", "port"),
    [((), "127.0.0.1", 8765), (("localhost:99",), "localhost", 99), (("[::1]:7",), "::1", 7)],
)
def test_http_is_loopback_unless_told(flags: tuple[str, ...], host: str, port: int) -> None:
    expected = HttpAddress(host=host, port=port, token_file=Path("/h/http-token"))
    assert _settings("--http", *flags, GAIA_HOME="/h").http == expected


def test_http_beyond_loopback_needs_a_token() -> None:
    with pytest.raises(BadArgument, match="GAIA_HTTP_TOKEN"):
        _settings("--http", "0.0.0.0:80")
    served = _settings("--http", "0.0.0.0:80", GAIA_HTTP_TOKEN="x").http
    assert served is not None and served.token == "x"


@pytest.mark.parametrize("flags", [("--http", "nowhere"), ("--http", "h:99999")])
def test_a_wrong_address_is_explained(flags: tuple[str, ...]) -> None:
    with pytest.raises(BadArgument, match="host:port"):
        _settings(*flags)


def test_a_switch_that_is_neither_yes_nor_no_is_refused() -> None:
    with pytest.raises(BadArgument, match="GAIA_READ_ONLY"):
        _settings(GAIA_READ_ONLY="perhaps")


def _names(mailbox: Any, settings: SurfaceSettings) -> list[str]:
    async def main() -> list[str]:
        async with Client(create_server(mailbox, settings)) as client:
            return [tool.name for tool in await client.list_tools()]

    return asyncio.run(asyncio.wait_for(main(), 20))


def test_a_read_only_server_lists_what_reads_and_refuses_the_rest(mailbox: Any) -> None:
    names = _names(mailbox, SurfaceSettings(read_only=True))
    assert {"read_email", "list_drafts", "list_filters", "sync_emails"} <= set(names)
    assert not {"modify_email", "send_email", "archive_email", "download_attachment"} & set(names)


def test_a_server_that_does_not_send_still_drafts(ask_once: Any) -> None:
    ask_once.settings = SurfaceSettings(no_send=True, approval=CALLER)
    sending = {"send_email", "send_draft", "reply_to_email", "forward_email"}
    assert not sending & set(_names(ask_once.mailbox, ask_once.settings))
    assert not ask_once("draft_email", to=["cy@example.com"], subject="x", body="x").is_error
    assert not ask_once.sent


def test_resources_and_prompts_are_there(mailbox: Any, mode: Any) -> None:
    async def main() -> None:
        async with Client(create_server(mailbox), mode=mode) as client:
            thread_id = (await mailbox.read(["m1"], raw=False))[0].summary["thread_id"]
            inbox = (await client.list_resources())[0]
            assert str(inbox.uri) == "mailbox://me%40example.org/inbox"
            read = await client.read_resource(inbox.uri)
            assert "Lunch on Friday" in getattr(read[0], "text", "")
            for uri in ("email://me%40example.org/m1", f"thread://me%40example.org/{thread_id}"):
                assert "Shall we meet" in getattr((await client.read_resource(uri))[0], "text", "")
            templates = await client.list_resource_templates()
            assert [template.uri_template for template in templates] == [
                "email://{account}/{id}",
                "thread://{account}/{id}",
            ]
            prompts = {prompt.name for prompt in await client.list_prompts()}
            assert prompts == {"triage-inbox", "draft-reply", "daily-brief"}
            told = [argument for prompt in await client.list_prompts() for argument in prompt.arguments or ()]
            assert {argument.name for argument in told} == {"limit", "message_id", "intent"}
            assert all(argument.description and "JSON" not in argument.description for argument in told)
            drafted = await client.get_prompt("draft-reply", {"message_id": "m1"})
            assert "m1" in getattr(drafted.messages[0].content, "text", "")

    asyncio.run(asyncio.wait_for(main(), 20))


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
def test_subscribers_hear_of_new_mail_on_the_older_protocol(mailbox: Any) -> None:
    async def main() -> str:
        told: asyncio.Queue[str] = asyncio.Queue()

        async def heard(message: Any) -> None:
            inner = getattr(message, "root", message)
            if type(inner).__name__ == "ResourceUpdatedNotification":
                told.put_nowait(str(inner.params.uri))

        async with Client(create_server(mailbox), mode="legacy", message_handler=heard) as client:
            session: Any = client.session
            await session.subscribe_resource("mailbox://me%40example.org/inbox")
            mailbox.receive(b"Subject: new\n\nx\n")
            return await told.get()

    assert asyncio.run(asyncio.wait_for(main(), 20)) == "mailbox://me%40example.org/inbox"


def test_listeners_hear_of_new_mail_on_the_newer_protocol(mailbox: Any) -> None:
    from mcp.client import subscriptions

    async def main() -> str:
        uri = "mailbox://me%40example.org/inbox"
        async with (
            Client(create_server(mailbox), mode="auto") as client,
            subscriptions.listen(client.session, resource_subscriptions=[uri]) as events,
        ):
            mailbox.receive(b"Subject: new\n\nx\n")
            async for event in events:
                return str(getattr(event, "uri", event))
        return "nothing"

    assert asyncio.run(asyncio.wait_for(main(), 20)) == "mailbox://me%40example.org/inbox"


def test_a_middleware_that_an_embedder_adds_sees_listings_and_calls(mailbox: Any) -> None:
    seen: list[str | None] = []

    class Seeing(Middleware):
        async def on_request(self, context: MiddlewareContext[Any], call_next: CallNext[Any, Any]) -> Any:
            seen.append(context.method)
            return await call_next(context)

    async def main() -> None:
        server = create_server(mailbox)
        server.add_middleware(Seeing())
        async with Client(server) as client:
            await client.list_tools()
            assert (await client.call_tool("list_email_labels", {})).structured_content

    asyncio.run(asyncio.wait_for(main(), 20))
    assert {"tools/list", "tools/call"} <= set(seen)


_STDIO = """
import sys
from tests.contract.memory import MemoryMailbox
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.run import run_server
from gaia_mail_mcp.surface.server import create_server
run_server(create_server(MemoryMailbox()), SurfaceSettings())
for_calls = {"gaia_mail_mcp.surface.call", "gaia_mail.mime.compose", "gaia_email_registry.contract.inputs"}
for_prompts, for_state_of_sessions = {"griffe"}, {"key_value", "beartype"}
sys.stderr.write(" ".join(sys.modules.keys() & (for_calls | for_prompts | for_state_of_sessions)))
"""


def test_starting_and_listing_prints_only_the_protocol_and_imports_nothing_for_calls() -> None:
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    initialized = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    lines = "".join(json.dumps(message) + "\n" for message in (PING, initialized, listing))
    process = subprocess.Popen(
        [sys.executable, "-c", _STDIO], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write(lines.encode())
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        rest, imported = process.communicate(timeout=20)
    finally:
        process.kill()
    assert [answer["id"] for answer in answers] == [1, 2]
    assert len(answers[1]["result"]["tools"]) > 30
    assert rest == b""
    assert imported == b""
