"""`gaia-email-mcp` as a program: over standard input and output, and over HTTP on this machine."""

from __future__ import annotations

import asyncio
import socket
import sys
from pathlib import Path

import httpx2
import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport

from gaia_email.app import App
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http.credentials import ApiToken
from gaia_email.interfaces.http.listening import parse_address, server_of
from gaia_email.interfaces.mcp.http import http_app
from gaia_email.interfaces.mcp.server import create_agent_server
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.private_file import write_private

TOKEN = "t" * 40
PORT = 8766


def token_of(folder: Path) -> ApiToken:
    write_private(folder / "token", TOKEN.encode())
    return ApiToken(folder / "token")


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
    sample: SourceSpec, tmp_path: Path, headers: dict[str, str], status: int
) -> None:
    app = http_app(create_agent_server(App(), lambda: sample), token_of(tmp_path), PORT)

    async def main() -> int:
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url=f"http://127.0.0.1:{PORT}") as client:
            return (await client.post("/mcp", json={}, headers=headers)).status_code

    assert asyncio.run(main()) == status


@pytest.mark.parametrize("address", ["0.0.0.0:80", "example.org:80", "127.0.0.1:", "127.0.0.1:0", "x"])
def test_only_this_machine_is_served(address: str) -> None:
    with pytest.raises(BadArgument, match="this machine"):
        parse_address(address)


def test_http_serves_who_brings_the_token(sample: SourceSpec, tmp_path: Path) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    url = f"http://127.0.0.1:{port}/mcp"

    async def main() -> None:
        serving = server_of(http_app(create_agent_server(App(), lambda: sample), token_of(tmp_path), port))
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
