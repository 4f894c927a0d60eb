"""Calls that are answered straight from the pipe: as the SDK would, in order, and those that are left to it."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
from fastmcp import FastMCP
from fastmcp.server.middleware import Middleware
from mcp_types import JSONRPCMessage, jsonrpc_message_adapter
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from opentelemetry.trace import NoOpTracerProvider

from gaia_email_registry.contract.tools import TOOLS
from gaia_mail_mcp.memory import MemoryMailbox
from gaia_mail_mcp.surface.call import Reply
from gaia_mail_mcp.surface.direct import MOST_AT_ONCE, MOST_LINE, Direct, Replying, plain_call
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.run import serve_streams
from gaia_mail_mcp.surface.server import create_server
from gaia_mail_mcp.surface.stdio import joined
from gaia_mail_mcp.surface.tool import MailServer
from tests.surface.test_every_tool import CASES

READING = [(tool, arguments) for tool, arguments, _ in CASES if TOOLS[tool].risk == "read"]
AMISS: list[tuple[str, dict[str, object]]] = [
    ("read_email", {"messageId": "gone"}),
    ("read_email", {}),
    ("search_emails", {"query": "in:(", "max_results": None}),
    ("list_emails", {"limit": 1, "what": "dropped", "account": "other@example.org"}),
]


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
async def talking(server: FastMCP[None], tools: Mapping[str, Replying]) -> AsyncGenerator[Talk, None]:
    (source, ours), (theirs, target) = os.pipe(), os.pipe()
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    hearing, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(theirs, "rb", 0)
    )
    saying, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(ours, "wb", 0))

    async def serve() -> None:
        async with joined(source, target, tools) as (incoming, outgoing):
            await serve_streams(server, incoming, outgoing)

    serving = asyncio.create_task(serve())
    try:
        yield Talk(saying, reader, serving)
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        hearing.close()
        saying.close()


class Watched:
    """A tool that counts its calls."""

    def __init__(self, tool: Replying) -> None:
        self.tool = tool
        self.calls = 0

    async def reply(self, arguments: Mapping[str, object]) -> Reply:
        self.calls += 1
        return await self.tool.reply(arguments)


class Slow:
    """A tool that ends when it is told to."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.go = asyncio.Event()
        self.stopped = False

    async def reply(self, arguments: Mapping[str, object]) -> Reply:
        self.begun.set()
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.stopped = True
            raise
        return Reply(text="done", data={})


def run(scenario: Callable[[], Awaitable[Any]]) -> Any:
    return asyncio.run(asyncio.wait_for(scenario(), 20))


def made(mailbox: MemoryMailbox) -> MailServer:
    server = create_server(mailbox, SurfaceSettings())
    assert isinstance(server, MailServer)
    return server


@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
def test_every_answer_is_the_same_to_the_byte(version: str, mailbox: MemoryMailbox) -> None:
    server = made(mailbox)
    direct = {name: Watched(tool) for name, tool in server.direct().items()}
    calls = [*READING, *AMISS]

    async def main() -> None:
        async with talking(server, direct) as talk:
            await talk.greet(version)
            for tool, arguments in calls:
                asked = call(f"{tool} ü", tool, arguments)
                assert await talk.ask(asked) == await talk.ask(b" " * MOST_LINE + asked)

    run(main)
    assert sum(tool.calls for tool in direct.values()) == len(calls)
    assert {name for name, tool in direct.items() if tool.calls} == {tool for tool, _ in READING}


def test_what_writes_is_left_to_the_sdk(mailbox: MemoryMailbox) -> None:
    direct = made(mailbox).direct()
    assert "read_email" in direct and "sync_emails" in direct
    assert {TOOLS[name].risk for name in direct} == {"read"}


def test_with_somebody_who_watches_the_calls_all_are_left_to_the_sdk(
    mailbox: MemoryMailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = made(mailbox)
    watched.add_middleware(Middleware())
    assert watched.direct() == {}
    monkeypatch.setattr("gaia_mail_mcp.surface.tool.get_tracer_provider", NoOpTracerProvider)
    assert made(mailbox).direct() == {}


ENVELOPE: dict[str, object] = json.loads(call(1, "t", {}))


@pytest.mark.parametrize(
    "changed",
    [
        {"id": None},
        {"id": True},
        {"id": 1.5},
        {"jsonrpc": "1.0"},
        {"method": "tools/list"},
        {"params": None},
        {"params": []},
        {"params": {"arguments": {}}},
        {"params": {"name": 1}},
        {"params": {"name": "t", "arguments": None}},
        {"params": {"name": "t", "arguments": []}},
        {"params": {"name": "t", "task": {}}},
        {"params": {"name": "t", "_meta": None}},
        {"params": {"name": "t", "_meta": {"progressToken": 1.5}}},
        {"params": {"name": "t", "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}},
        {"extra": 1},
    ],
    ids=json.dumps,
)
def test_what_is_no_plain_call_is_left_to_the_sdk(changed: dict[str, object]) -> None:
    assert plain_call(json.dumps(ENVELOPE).encode()) is not None
    assert plain_call(json.dumps({**ENVELOPE, **changed}).encode()) is None


@pytest.mark.parametrize("given", [b"", b"no\n", b"\xff", b"[]", b'"\\ud800"', b"[" * 5_000])
def test_what_is_no_message_is_left_to_the_sdk(given: bytes) -> None:
    assert plain_call(given) is None


@pytest.mark.parametrize("params", [{}, {"_meta": {}}, {"_meta": {"progressToken": "p", "x/y": [1]}}])
def test_what_clients_add_to_a_plain_call_keeps_it_plain(params: dict[str, object]) -> None:
    found = plain_call(line("a", "tools/call", name="t", **params))
    assert found is not None and (found.id, found.name, found.arguments) == ("a", "t", {})


def test_calls_begin_in_the_order_they_came_also_behind_one_of_the_sdk(mailbox: MemoryMailbox) -> None:
    """A change and a look at it, sent in one piece and without waiting."""
    server = made(mailbox)
    change = call(2, "modify_email", {"messageId": "m1", "addLabelIds": ["STARRED"]})
    look = call(3, "list_emails", {"limit": 10, "label": "STARRED"})

    async def main() -> list[bytes]:
        async with talking(server, server.direct()) as talk:
            await talk.greet()
            talk.send(change + look)
            return [await talk.hear(), await talk.hear()]

    found = {answer["id"]: answer["result"] for answer in map(json.loads, run(main))}
    assert [email["id"] for email in found[3]["structuredContent"]["emails"]] == ["m2", "m1"]


def test_while_the_sdk_is_at_a_request_calls_are_its_too() -> None:
    """Until it has answered, or the client has cancelled."""
    lines: list[bytes] = []

    async def write(written: bytes) -> None:
        lines.append(written)

    async def main() -> list[bool]:
        slow = Slow()
        slow.go.set()
        direct = Direct({"slow": slow}, write)
        direct.taken(message(line(1, "initialize")))
        found = [direct.take(call(2, "slow", {}))]
        direct.answered(message(b'{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}'))
        for end in ('"result":{}', '"error":{"code":1,"message":""}'):
            direct.passed(1)
            found.append(direct.take(call(2, "slow", {})))
            direct.taken(message(line(5, "tools/list")))
            found.append(direct.take(call(2, "slow", {})))
            direct.answered(message(b'{"jsonrpc":"2.0","id":5,%s}' % end.encode()))
        direct.taken(message(line(6, "tools/list")))
        direct.taken(message(cancelled(6)))
        found.append(direct.take(call(2, "slow", {})))
        await slow.begun.wait()
        await direct.aclose()
        return found

    assert run(main) == [False, False, False, False, False, True]
    assert [json.loads(item)["id"] for item in lines] == [2]


def test_a_call_in_pieces_and_one_that_is_long_are_answered(mailbox: MemoryMailbox) -> None:
    server = made(mailbox)
    tool = Watched(server.direct()["search_emails"])

    async def main() -> tuple[bytes, bytes]:
        async with talking(server, {"search_emails": tool}) as talk:
            await talk.greet()
            one = call(2, "search_emails", {"query": "lunch"})
            await talk.ask(line(9, "ping") + one[:20])
            split = await talk.ask(one[20:])
            long = await talk.ask(call(3, "search_emails", {"query": "lunch or " + "x" * MOST_LINE}))
            return split, long

    split, long = run(main)
    assert b'"id":2' in split and b'"m1"' in split
    assert b'"id":3' in long and b'"isError":true' in long
    assert tool.calls == 0


def test_a_cancelled_call_is_stopped_and_never_answered(mailbox: MemoryMailbox) -> None:
    async def main() -> tuple[bool, bytes, list[bytes]]:
        slow = Slow()
        async with talking(made(mailbox), {"slow": slow}) as talk:
            await talk.greet()
            talk.send(call(7, "slow", {}))
            await slow.begun.wait()
            answer = await talk.ask(cancelled("7") + line(8, "ping"))
            return slow.stopped, answer, await talk.leave()

    stopped, answer, rest = run(main)
    assert stopped and b'"id":8' in answer and rest == []


def test_what_is_under_way_when_the_client_leaves_is_refused_once(mailbox: MemoryMailbox) -> None:
    async def main() -> list[bytes]:
        slow = Slow()
        async with talking(made(mailbox), {"slow": slow}) as talk:
            await talk.greet()
            talk.send(call(7, "slow", {}))
            await slow.begun.wait()
            return await talk.leave()

    (refusal,) = run(main)
    assert json.loads(refusal)["error"]["message"] == "Connection closed"


def test_an_answer_that_cannot_be_written_is_an_error_and_no_silence(mailbox: MemoryMailbox) -> None:
    class Broken:
        async def reply(self, arguments: Mapping[str, object]) -> Reply:
            return Reply(text="", data={"name": "\ud800"})

    async def main() -> bytes:
        async with talking(made(mailbox), {"broken": Broken()}) as talk:
            await talk.greet()
            return await talk.ask(call(2, "broken", {}))

    assert "cannot be written" in json.loads(run(main))["error"]["message"]


def test_before_the_greeting_and_beyond_what_fits_nothing_is_taken(mailbox: MemoryMailbox) -> None:
    async def main() -> None:
        slow = Slow()

        async def write(_: bytes) -> None:
            return None

        fresh = Direct({"slow": slow}, write)
        assert not fresh.take(call(1, "slow", {}))
        async with talking(made(mailbox), {"slow": slow}) as talk:
            await talk.greet()
            first = b"".join(call(number, "slow", {}) for number in range(10, 10 + MOST_AT_ONCE))
            answer = await talk.ask(first + call(10, "slow", {}) + call(5, "slow", {}))
            assert b"Unknown tool" in answer  # as the SDK says of what it does not have
            slow.go.set()
            assert {json.loads(await talk.hear())["id"] for _ in range(MOST_AT_ONCE)} >= {11, 42}

    run(main)
