"""A client at the other end of pipes, byte by byte."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from fastmcp import FastMCP
from mcp_types import JSONRPCMessage, jsonrpc_message_adapter

from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.run import serve_streams
from gaia_mail_mcp.surface.server import create_server
from gaia_mail_mcp.surface.stdio import open_streams
from gaia_mail_mcp.surface.tool import MailServer
from tests.contract.memory import MemoryMailbox


def line(call_id: int | str, method: str, **params: object) -> bytes:
    message = {"jsonrpc": "2.0", "id": call_id, "method": method, "params": params}
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


def call(call_id: int | str, tool: str, arguments: Mapping[str, object], **params: object) -> bytes:
    return line(call_id, "tools/call", name=tool, arguments=dict(arguments), **params)


def cancelled(call_id: int | str) -> bytes:
    params = {"requestId": call_id}
    message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}
    return json.dumps(message).encode() + b"\n"


def message(given: bytes) -> JSONRPCMessage:
    return jsonrpc_message_adapter.validate_json(given, by_name=False)


class Talk:
    """The client's ends of the pipes."""

    def __init__(
        self, target: asyncio.WriteTransport, reader: asyncio.StreamReader, serving: asyncio.Task[None]
    ) -> None:
        self._target = target
        self._reader = reader
        self._serving = serving

    def send(self, data: bytes) -> None:
        self._target.write(data)

    async def hear(self) -> bytes:
        return await self._reader.readline()

    async def ask(self, data: bytes) -> bytes:
        self.send(data)
        return await self.hear()

    async def greet(self, version: str = "2025-06-18") -> None:
        who = {"name": "test", "version": "1"}
        await self.ask(line(0, "initialize", protocolVersion=version, capabilities={}, clientInfo=who))
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        await self.ask(line(1, "ping"))

    async def leave(self) -> list[bytes]:
        """What the server still says."""
        self._target.close()
        await self._serving
        return (await self._reader.read()).splitlines()


@asynccontextmanager
async def talking(server: FastMCP[None]) -> AsyncGenerator[Talk, None]:
    (source, ours), (theirs, target) = os.pipe(), os.pipe()
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    hearing, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(theirs, "rb", 0)
    )
    saying, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(ours, "wb", 0))

    async def serve() -> None:
        async with open_streams(source, target) as (incoming, outgoing):
            await serve_streams(server, incoming, outgoing)

    serving = asyncio.create_task(serve())
    try:
        yield Talk(saying, reader, serving)
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        hearing.close()
        saying.close()


def run(scenario: Callable[[], Awaitable[Any]]) -> Any:
    return asyncio.run(asyncio.wait_for(scenario(), 20))


def made(mailbox: MemoryMailbox) -> MailServer:
    server = create_server(mailbox, SurfaceSettings())
    assert isinstance(server, MailServer)
    return server
