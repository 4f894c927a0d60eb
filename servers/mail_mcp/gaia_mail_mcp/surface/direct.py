"""Answers plain reading calls straight from the pipe, without the SDK between. Entry: `Direct`.

The SDK takes a call through streams, tasks, contexts, spans and several validations, which costs more than reading
a message does. Here it is read, run and written, and the answer is the same to the byte, with its progress where the
client wants to hear of it. What asks questions, what is not exactly a plain call, the protocol without a handshake, and
whatever comes while the SDK is still at something is the SDK's; so calls begin in the order in which they came.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeGuard

from mcp_types import (
    CONNECTION_CLOSED,
    INTERNAL_ERROR,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic_core import from_json, to_json

from gaia_mail.printable import visible_text
from gaia_mail_mcp.progress import telling

if TYPE_CHECKING:
    from gaia_mail_mcp.surface.call import Reply

MOST_LINE = 65_536
"""Bytes of a call; larger ones are not the usual ones, and would be read twice if they were not plain."""

MOST_AT_ONCE = 64
"""Calls that are under way or whose answers wait for room; more are the SDK's."""

CLOSING_S = 1.0
"""Seconds that a client which has no more to say is given to take what it is still told."""

_ENVELOPE = ("jsonrpc", "id", "method", "params")
_PARAMS = frozenset(("name", "arguments", "_meta"))
_RESERVED = "io.modelcontextprotocol/"

_LOG = logging.getLogger("gaia_mail_mcp")


class Replying(Protocol):
    """A tool that asks nobody."""

    async def reply(self, arguments: Mapping[str, object]) -> Reply:
        """What it answers; a failure is an answer, too."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainCall:
    """A `tools/call` that says nothing but which tool, what to give it, and by which token to tell its progress."""

    id: int | str
    name: str
    arguments: dict[str, object]
    progress: int | str | None = None


class Direct:
    """The calls of one connection that are answered here, and what is known of those that are not.

    Args:
        tools: What can be answered here, by name.
        write: Takes a line for the client, and waits until there is room for the next.
    """

    def __init__(self, tools: Mapping[str, Replying], write: Callable[[bytes], Awaitable[None]]) -> None:
        self._tools = tools
        self._write = write
        self._greeted = False
        """Whether the SDK has agreed on a protocol in which a call is what it is here."""
        self._greeting: int | str | None = None
        self._unread = 0
        """Lines that the SDK has not taken yet."""
        self._elsewhere: set[str] = set()
        """Requests that the SDK is at."""
        self._running: dict[str, tuple[int | str, asyncio.Task[None]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def take(self, line: bytes) -> bool:
        """Whether the line is a call that is answered here; what is not goes to the SDK, by `passed`."""
        if not self._greeted or self._unread or self._elsewhere or len(self._tasks) >= MOST_AT_ONCE:
            return False
        call = plain_call(line) if len(line) <= MOST_LINE else None
        tool = self._tools.get(call.name) if call is not None else None
        if call is None or tool is None or _key(call.id) in self._running:
            return False
        task = asyncio.get_running_loop().create_task(self._answer(call, tool))
        self._running[_key(call.id)] = call.id, task
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    def passed(self, lines: int) -> None:
        """So many lines have gone to the SDK."""
        self._unread += lines

    def taken(self, message: JSONRPCMessage | None) -> None:
        """The SDK has taken a line, and what it is."""
        self._unread = max(self._unread - 1, 0)
        if isinstance(message, JSONRPCRequest):
            self._elsewhere.add(_key(message.id))
            if message.method == "initialize":
                self._greeted, self._greeting = False, message.id
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            key = _key((message.params or {}).get("requestId"))
            self._elsewhere.discard(key)  # the SDK does not answer it
            _, task = self._running.pop(key, (None, None))
            if task is not None:
                task.cancel()

    def answered(self, message: JSONRPCMessage) -> None:
        """The SDK has sent this to the client."""
        if not isinstance(message, (JSONRPCResponse, JSONRPCError)) or message.id is None:
            return
        self._elsewhere.discard(_key(message.id))
        if message.id == self._greeting and isinstance(message, JSONRPCResponse):
            self._greeting = None
            self._greeted = message.result.get("protocolVersion") in HANDSHAKE_PROTOCOL_VERSIONS

    async def aclose(self) -> None:
        """The client has no more to say: give up what is under way, and say so."""
        running = list(self._running.values())
        self._running.clear()
        for _, task in running:
            task.cancel()
        for call_id, _ in running:
            await self._write(_refused(call_id, CONNECTION_CLOSED, "Connection closed"))
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=CLOSING_S)

    async def _answer(self, call: PlainCall, tool: Replying) -> None:
        try:
            line = _answer_line(call.id, await self._reply(call, tool))
        except Exception:
            _LOG.exception("%s cannot be answered", call.name)
            line = _refused(call.id, INTERNAL_ERROR, "The answer cannot be written.")
        if not self._is_awaited(call):
            return  # it was cancelled or refused, and the tool did not let itself be stopped
        del self._running[_key(call.id)]
        await self._write(line)

    async def _reply(self, call: PlainCall, tool: Replying) -> Reply:
        token = call.progress
        if token is None:
            return await tool.reply(call.arguments)
        task = asyncio.current_task()

        async def report(done: float, total: float | None) -> None:
            if self._is_awaited(call, task):
                await self._write(_progress_line(token, done, total))

        async with telling(report):
            return await tool.reply(call.arguments)

    def _is_awaited(self, call: PlainCall, by: asyncio.Task[None] | None = None) -> bool:
        """Whether the client still waits for what this task answers."""
        _, task = self._running.get(_key(call.id), (None, None))
        return task is (by or asyncio.current_task())


def plain_call(line: bytes) -> PlainCall | None:
    """The call that a line is; None of any other message, and of a call that asks for more than the tool."""
    try:
        message: object = from_json(line)
    except ValueError:
        return None
    if not _is_object(message) or len(message) != len(_ENVELOPE):
        return None
    version, call_id, method, params = map(message.get, _ENVELOPE)
    if version != "2.0" or method != "tools/call" or not _is_id(call_id) or not _is_object(params):
        return None
    name, arguments = params.get("name"), params.get("arguments", {})
    if not isinstance(name, str) or not _is_object(arguments) or not params.keys() <= _PARAMS:
        return None
    meta = params.get("_meta", {})
    if not _is_object(meta) or any(name.startswith(_RESERVED) for name in meta):
        return None
    token = meta.get("progressToken")
    if _is_id(token):
        return PlainCall(id=call_id, name=name, arguments=arguments, progress=token)
    return None if "progressToken" in meta else PlainCall(id=call_id, name=name, arguments=arguments)


def _answer_line(call_id: int | str, reply: Reply) -> bytes:
    """The answer as the SDK writes it."""
    result = {
        "content": [{"text": visible_text(reply.text), "type": "text"}],
        "isError": reply.failed,
        "structuredContent": reply.data,
    }
    answer = {"jsonrpc": "2.0", "id": call_id, "result": result}
    return to_json(answer, inf_nan_mode="null") + b"\n"


def _progress_line(token: int | str, done: float, total: float | None) -> bytes:
    """The notification as the SDK writes it."""
    told: dict[str, object] = {"progressToken": token, "progress": float(done)}
    if total is not None:
        told["total"] = float(total)
    return to_json({"jsonrpc": "2.0", "method": "notifications/progress", "params": told}) + b"\n"


def _refused(call_id: int | str, code: int, message: str) -> bytes:
    error = {"code": code, "message": message}
    return to_json({"jsonrpc": "2.0", "id": call_id, "error": error}) + b"\n"


def _key(call_id: object) -> str:
    """What ids are compared by: for the SDK, too, 7 and "7" are one."""
    return str(call_id)


def _is_id(value: object) -> TypeGuard[int | str]:
    return isinstance(value, (int, str)) and not isinstance(value, bool)


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)
