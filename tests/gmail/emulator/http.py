"""A small HTTP/1.1 server on loopback that can also misbehave. Entry: `HttpServer`."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

REASONS = {200: "OK", 204: "No Content", 302: "Found"}
COMPRESS_FROM = 200


@dataclass(kw_only=True)
class Request:
    """One request, on its own or out of a batch."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def path(self) -> str:
        """The path, decoded."""
        return unquote(urlsplit(self.target).path)

    @property
    def segments(self) -> list[str]:
        """The path's segments, each decoded by itself: what is escaped cannot add one."""
        return [unquote(segment) for segment in urlsplit(self.target).path.strip("/").split("/")]

    @property
    def query(self) -> list[tuple[str, str]]:
        """Query parameters in their order."""
        return parse_qsl(urlsplit(self.target).query, keep_blank_values=True)


@dataclass(kw_only=True)
class Response:
    """What to answer; `cut` and `drip_s` are how a network fails."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""
    cut: bool = False
    """Close the connection in the middle of the body."""
    hang_up: bool = False
    """Close it without a word."""
    drip_s: float = 0.0
    """Seconds before each of eight pieces of the body."""


Handle = Callable[[Request], Awaitable[Response]]


class HttpServer:
    """Serves `handle` on an ephemeral loopback port; counts connections."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()
        self.connections = 0

    async def start(self, port: int = 0) -> str:
        """Listen; answers the root URL, without a slash at its end."""
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", port)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def aclose(self) -> None:
        """Stop listening and drop all connections."""
        if self._server is None:
            return
        self._server.close()
        for task in list(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        await self._server.wait_closed()
        self._server = None

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            while (request := await _read(reader)) is not None:
                if not await _write(writer, request, await self._handle(request)):
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._open.discard(task)
            writer.close()


async def _read(reader: asyncio.StreamReader) -> Request | None:
    line = await reader.readline()
    if not line:
        return None
    method, target, _ = line.decode("ascii").split(" ", 2)
    headers: dict[str, str] = {}
    while (line := await reader.readline()) not in (b"\r\n", b""):
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.strip().lower()] = value.strip()
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(method=method, target=target, headers=headers, body=body)


async def _write(writer: asyncio.StreamWriter, request: Request, response: Response) -> bool:
    body = response.body
    headers = {"Content-Type": "application/json; charset=UTF-8", **response.headers}
    if response.hang_up:
        return False
    packs = "gzip" in request.headers.get("accept-encoding", "") and "Content-Encoding" not in headers
    if packs and len(body) > COMPRESS_FROM:
        body = gzip.compress(body, 1)
        headers["Content-Encoding"] = "gzip"
    if response.status != 204:
        headers["Content-Length"] = str(len(body))
    lines = [f"HTTP/1.1 {response.status} {REASONS.get(response.status, 'Error')}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    if response.cut:
        writer.write(body[: len(body) // 2])
        await writer.drain()
        return False
    if response.drip_s:
        size = max(len(body) // 8, 1)
        for start in range(0, len(body), size):
            await asyncio.sleep(response.drip_s)
            writer.write(body[start : start + size])
            await writer.drain()
    else:
        writer.write(body)
    await writer.drain()
    return True
