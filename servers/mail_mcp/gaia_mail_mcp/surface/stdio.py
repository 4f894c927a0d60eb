"""MCP over pipes on the event loop, without worker threads. Entries: `are_pipes`, `connect_stdio`.

The SDK's transport passes every line to a thread and back, which takes longer than most tools. It is still used for
terminals, files and Windows.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import stat
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from types import TracebackType
from typing import Self

from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from gaia_mail.printable import safe_json_line

MOST_LINE = 256_000_000
"""Most bytes of a message; the largest argument is a raw message in base64."""


class _Stream:
    """A stream that is closed with its pipe, not by its user."""

    async def aclose(self) -> None:
        """Do nothing: the rest of the output must still be sent."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        return None


class StdioInput(_Stream):
    """Messages from the client until it closes its end; invalid messages are passed on as errors."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            line = await self._reader.readline()
            if not line:
                raise StopAsyncIteration
            text = line.decode("utf-8", "replace")
            return SessionMessage(jsonrpc_message_adapter.validate_json(text, by_name=False))
        except ValueError as error:
            return error

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message.

        Raises:
            EndOfStream: There is none.
        """
        async for message in self:
            return message
        from anyio import EndOfStream

        raise EndOfStream


class StdioOutput(_Stream):
    """Messages to the client. Once it is gone they are dropped, and the end of its input ends the server."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    async def send(self, item: SessionMessage, /) -> None:
        """Write a message, and wait until the client or the pipe has accepted it.

        Characters that would control a terminal are escaped.
        """
        if self._writer.is_closing():
            return
        text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
        self._writer.write(safe_json_line(text.encode()) + b"\n")
        with contextlib.suppress(ConnectionError):
            await self._writer.drain()


def are_pipes() -> bool:
    """Return True if standard input and output are pipes or sockets, and not the same socket."""
    if sys.platform == "win32":
        return False
    try:
        ends = [os.fstat(fd) for fd in (0, 1)]
    except OSError:
        return False
    piped = all(stat.S_ISFIFO(end.st_mode) or stat.S_ISSOCK(end.st_mode) for end in ends)
    return piped and not os.path.samestat(*ends)


@asynccontextmanager
async def connect_stdio() -> AsyncGenerator[tuple[StdioInput, StdioOutput], None]:
    """Yield both streams; meanwhile nothing else in this process reads or writes the pipes."""
    with _taken() as (source, target):
        async with open_streams(source, target) as streams:
            yield streams


@asynccontextmanager
async def open_streams(source: int, target: int) -> AsyncGenerator[tuple[StdioInput, StdioOutput], None]:
    """Yield streams over two file descriptors (see `connect_stdio`), which are closed at the end."""
    loop = asyncio.get_running_loop()
    pipe, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), os.fdopen(target, "wb", 0)
    )
    pipe.set_write_buffer_limits(high=0)
    reader = asyncio.StreamReader(limit=MOST_LINE)
    arriving, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(source, "rb", 0)
    )
    try:
        yield StdioInput(reader), StdioOutput(asyncio.StreamWriter(pipe, protocol, None, loop))
    finally:
        arriving.close()
        if not pipe.is_closing():  # asyncio cannot abort a pipe that has released its loop
            pipe.abort()


@contextmanager
def _taken() -> Generator[tuple[int, int], None, None]:
    """Yield copies of both descriptors, which the caller closes; all other output goes to standard error."""
    kept = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    try:
        yield os.dup(kept[0]), os.dup(kept[1])
    finally:
        for fd, copy in enumerate(kept):
            os.set_blocking(copy, True)
            os.dup2(copy, fd)
            os.close(copy)
