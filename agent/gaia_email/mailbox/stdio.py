"""MCP over a program's standard streams, with limits. Entry: `stdio_streams`.

The SDK's own transport accepts lines of any length and passes standard error on to the terminal. Here each message and
their total are limited, standard error goes to a `ServerLog`, and no process is left at the end.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import anyio
import anyio.abc

from gaia_email.mailbox.bounds import ByteBounds, ConnectionEnd
from gaia_email.mailbox.server_log import ServerLog

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.client._transport import TransportStreams
    from mcp.shared.message import SessionMessage

GRACE_S = 1.0
"""Seconds for a program to end after its input is closed, and again after it is terminated (MCP, "Shutdown")."""

_GONE = (anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.EndOfStream, OSError)


class Framing:
    """Splits a stream of bytes into lines, and ends the connection if one is too long."""

    def __init__(self, bounds: ByteBounds, link: ConnectionEnd) -> None:
        self._bounds, self._link = bounds, link
        self._parts: list[bytes] = []
        self._length = self._total = 0

    @property
    def over(self) -> bool:
        """True if a limit was exceeded."""
        return bool(self._link.ended)

    def lines(self, chunk: bytes) -> Iterator[bytes]:
        """Yield the lines that are complete now; sets `link.ended` if a limit is exceeded."""
        self._total += len(chunk)
        if self._total > self._bounds.total:
            self._link.end(self._bounds.total)
            return
        first, *others = chunk.split(b"\n")
        if len(first) + self._length > self._bounds.message or any(
            len(one) > self._bounds.message for one in others
        ):
            self._link.end(self._bounds.message)
            return
        self._parts.append(first)
        self._length += len(first)
        for following in others:
            yield b"".join(self._parts)
            self._parts, self._length = [following], len(following)


@asynccontextmanager
async def stdio_streams(
    command: list[str], env: Mapping[str, str], bounds: ByteBounds, log: ServerLog, link: ConnectionEnd
) -> AsyncGenerator[TransportStreams, None]:
    """Start a program and connect to it over MCP; at the end, it and its child processes are stopped.

    Raises:
        OSError: It cannot be started.
        ValueError: The command contains a NUL character.
    """
    process = await anyio.open_process(command, env=env, start_new_session=True)
    to_session, incoming = anyio.create_memory_object_stream["SessionMessage | Exception"](0)
    outgoing, from_session = anyio.create_memory_object_stream["SessionMessage"](0)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_read, process, to_session, Framing(bounds, link))
            group.start_soon(_write, process, from_session, to_session)
            group.start_soon(_listen, process, log)
            try:
                yield incoming, outgoing
            finally:
                with anyio.CancelScope(shield=True):
                    incoming.close()
                    outgoing.close()
                    await _stop(process)
                group.cancel_scope.cancel()
    finally:
        log.close()
        for stream in (to_session, incoming, outgoing, from_session):
            stream.close()
        with anyio.CancelScope(shield=True), suppress(OSError):
            await process.aclose()


async def _read(
    process: anyio.abc.Process,
    to_session: MemoryObjectSendStream[SessionMessage | Exception],
    framing: Framing,
) -> None:
    """Pass every message to the session; other lines are skipped, since many programs print a greeting."""
    import mcp_types
    from mcp.shared.message import SessionMessage

    if process.stdout is None:  # cannot be None: it was started with pipes
        return
    async with to_session:
        with suppress(*_GONE):
            async for chunk in process.stdout:
                for line in framing.lines(chunk):
                    with suppress(ValueError):
                        message = mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False)
                        await to_session.send(SessionMessage(message))
                if framing.over:
                    return


async def _write(
    process: anyio.abc.Process,
    from_session: MemoryObjectReceiveStream[SessionMessage],
    to_session: MemoryObjectSendStream[SessionMessage | Exception],
) -> None:
    if process.stdin is None:
        return
    try:
        async with from_session:
            async for message in from_session:
                said = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                await process.stdin.send(f"{said}\n".encode())
    except _GONE:
        to_session.close()  # a question that cannot be sent is not waited for


async def _listen(process: anyio.abc.Process, log: ServerLog) -> None:
    if process.stderr is None:
        return
    with suppress(*_GONE):
        async for chunk in process.stderr:
            log.feed(chunk)


async def _stop(process: anyio.abc.Process) -> None:
    """Close its input, wait a little, then terminate it and its child processes."""
    from mcp.os.posix.utilities import terminate_posix_process_tree

    if process.stdin is not None:
        with suppress(*_GONE):
            await process.stdin.aclose()
    with anyio.move_on_after(GRACE_S):
        while process.returncode is None:
            await anyio.sleep(0.01)
    await terminate_posix_process_tree(process, GRACE_S)
    with anyio.move_on_after(GRACE_S):
        while process.returncode is None:
            await anyio.sleep(0.01)
