"""MCP over pipes without worker threads: the event loop reads and writes them. Entries: `are_pipes`, `connected`.

The SDK's transport hands every line to a thread and back, which costs a call more than most tools do; it remains
for what is no pipe: terminals, files, Windows.
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
"""Bytes of a message; the largest argument is a raw message in base64."""


class _Stream:
    """A stream that is closed with its pipe, not by who uses it."""

    async def aclose(self) -> None:
        """Nothing: the rest of what was written still has to go out."""

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
    """Messages of the client, until it closes its end; what is no message is handed on as the error it is."""

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
        """The next one.

        Raises:
            EndOfStream: There is none.
        """
        async for message in self:
            return message
        from anyio import EndOfStream

        raise EndOfStream


class StdioOutput(_Stream):
    """Messages for the client; when it is gone they are dropped, and the end of its input ends the server."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    async def send(self, item: SessionMessage, /) -> None:
        """Write a message, and wait until the client, or the pipe to it, has taken it.

        What would act on a terminal goes out as escapes.
        """
        if self._writer.is_closing():
            return
        text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
        self._writer.write(safe_json_line(text.encode()) + b"\n")
        with contextlib.suppress(ConnectionError):
            await self._writer.drain()


def are_pipes() -> bool:
    """Whether standard input and output are pipes or sockets, and not one and the same socket."""
    if sys.platform == "win32":
        return False
    try:
        ends = [os.fstat(fd) for fd in (0, 1)]
    except OSError:
        return False
    piped = all(stat.S_ISFIFO(end.st_mode) or stat.S_ISSOCK(end.st_mode) for end in ends)
    return piped and not os.path.samestat(*ends)


@asynccontextmanager
async def connected() -> AsyncGenerator[tuple[StdioInput, StdioOutput], None]:
    """Both streams; meanwhile nothing else in this process reads or writes the pipes."""
    with _taken() as (source, target):
        async with joined(source, target) as streams:
            yield streams


@asynccontextmanager
async def joined(source: int, target: int) -> AsyncGenerator[tuple[StdioInput, StdioOutput], None]:
    """A connection over two file descriptors (`connected`), which are closed at the end."""
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
        if not pipe.is_closing():  # of one that is closed, asyncio stumbles over the loop it has let go
            pipe.abort()


@contextmanager
def _taken() -> Generator[tuple[int, int], None, None]:
    """Copies of both descriptors, for the taker to close; who else prints meanwhile does so to standard error."""
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
