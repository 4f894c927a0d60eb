"""`gaia-email-mcp` as a program: over standard input and output, and over HTTP on this machine."""

from __future__ import annotations

import asyncio
import socket
import sys
from pathlib import Path

import httpx2
import pytest
import uvicorn
from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport

from gaia_email.app import App
from gaia_email.interfaces.mcp.http import http_app, parse_address, token_in_file
from gaia_email.interfaces.mcp.server import create_agent_server
from gaia_email.services.source import SourceSpec
from gaia_email_registry.errors import BadArgument

TOKEN = "t" * 40


def test_the_demo_is_served_over_standard_input_and_output(tmp_path: Path) -> None:
    transport = StdioTransport(
        command=sys.executable,
        args=["-m", "gaia_email.interfaces.mcp.server", "--demo"],
        env={"GAIA_HOME": str(tmp_path)},
        keep_alive=False,
    )

    async def main() -> None:
        async with Client(transport) as client:
            assert "approve" in {tool.name for tool in await client.list_tools()}
            found = await client.call_tool("search_mail", {"query": "invoice"})
            assert found.structured_content is not None
            assert found.structured_content["total"] > 0

    asyncio.run(asyncio.wait_for(main(), 50))
    assert not list(tmp_path.iterdir()), "the user's own record is left alone"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"authorization": "Bearer " + "x" * 40}, 401),
        ({"authorization": f"Bearer {TOKEN}", "host": "evil.example"}, 421),
    ],
)
def test_http_refuses_who_has_no_token_or_names_another_host(
    sample: SourceSpec, headers: dict[str, str], status: int
) -> None:
    app = http_app(create_agent_server(App(), lambda: sample), TOKEN)

    async def main() -> int:
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8766") as client:
            return (await client.post("/mcp", json={}, headers=headers)).status_code

    assert asyncio.run(main()) == status


@pytest.mark.parametrize("address", ["0.0.0.0:80", "example.org:80", "127.0.0.1:", "127.0.0.1:0", "x"])
def test_only_this_machine_is_served(address: str) -> None:
    with pytest.raises(BadArgument, match="this machine"):
        parse_address(address)


def test_the_token_is_made_once_and_kept_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "email" / "token"
    token = token_in_file(path)
    assert token_in_file(path) == token
    assert path.stat().st_mode & 0o077 == 0
    path.chmod(0o644)
    with pytest.raises(BadArgument, match="no secret"):
        token_in_file(path)


def test_http_serves_who_brings_the_token(sample: SourceSpec) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"

    async def main() -> None:
        app = http_app(create_agent_server(App(), lambda: sample), TOKEN)
        serving = uvicorn.Server(
            uvicorn.Config(app, log_level="error", lifespan="on", timeout_graceful_shutdown=1)
        )
        task = asyncio.ensure_future(serving.serve(sockets=[listener]))
        try:
            async with Client(StreamableHttpTransport(url, auth=TOKEN)) as client:
                found = await client.call_tool("search_mail", {"query": "invoice"})
                assert found.structured_content is not None
                assert found.structured_content["total"] > 0
        finally:
            serving.should_exit = True
            await task

    asyncio.run(asyncio.wait_for(main(), 50))
