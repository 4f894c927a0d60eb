"""Streamable HTTP on a port of this machine that is really bound."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastmcp import Client

from gaia_email_registry.contract.tools import TOOLS
from gaia_mail_mcp.surface.options import HttpAddress
from gaia_mail_mcp.surface.run import serve_http
from gaia_mail_mcp.surface.server import create_server

TOKEN = "a-long-secret"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _serve(mailbox: Any, address: HttpAddress, scenario: Callable[[str], Awaitable[None]]) -> None:
    """Run `scenario` with the URL of a server that listens on `address`."""

    async def main() -> None:
        serving = asyncio.create_task(serve_http(create_server(mailbox), address))
        try:
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", address.port)
                except OSError:
                    assert not serving.done()
                    await asyncio.sleep(0.01)
                else:
                    writer.close()
                    break
            await scenario(f"http://127.0.0.1:{address.port}/mcp")
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)

    asyncio.run(asyncio.wait_for(main(), 20))


async def _status(url: str, **headers: str) -> int:
    def post() -> int:
        connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
        try:
            body = json.dumps(PING)
            connection.request(
                "POST", "/mcp", body, {"Content-Type": "application/json", **ACCEPT, **headers}
            )
            return connection.getresponse().status
        finally:
            connection.close()

    return await asyncio.to_thread(post)


def test_a_client_lists_the_tools_and_a_foreign_page_is_turned_away(mailbox: Any) -> None:
    async def scenario(url: str) -> None:
        known = {"Authorization": f"Bearer {TOKEN}"}
        async with Client(url, auth=TOKEN) as client:
            assert [tool.name for tool in await client.list_tools()] == list(TOOLS)
        assert await _status(url, **known, Host="evil.example.net") == 421
        assert await _status(url, **known, Origin="https://evil.example.net") == 403

    _serve(mailbox, HttpAddress(host="127.0.0.1", port=_free_port(), token=TOKEN), scenario)


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1"])
def test_where_a_token_is_set_nobody_comes_in_without(mailbox: Any, host: str) -> None:
    async def scenario(url: str) -> None:
        assert await _status(url) == 401
        assert await _status(url, Authorization="Bearer wrong") == 401
        assert await _status(url, Authorization=f"Bearer {TOKEN}", Host="evil.example.net") == 421
        async with Client(url, auth=TOKEN) as client:
            assert len(await client.list_tools()) == len(TOOLS)

    _serve(mailbox, HttpAddress(host=host, port=_free_port(), token=TOKEN), scenario)
