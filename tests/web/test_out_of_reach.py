"""A provider that cannot be reached, or takes a call and says nothing, costs seconds, however many calls are made."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from gaia_email_registry.errors import ProviderError
from gaia_gmail_mcp.calls import get as gmail_get
from gaia_gmail_mcp.client import GmailClient
from gaia_graph_mcp.calls import get as graph_get
from gaia_graph_mcp.client import GraphClient
from gaia_graph_mcp.turn import BatchTurn
from gaia_mail_mcp.pacing import Backoff, TokenBucket
from gaia_mail_mcp.web.http import FIRST_READ_S, READ_S, REST_S, UNREACHABLE_S, HttpClient, LostConnection
from tests.gmail.support import Waits
from tests.graph.support import GivenToken

Call = Callable[[], Awaitable[object]]


def nowhere() -> str:
    """An address at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as closed:
        return f"http://127.0.0.1:{closed.getsockname()[1]}"


def gmail(http: HttpClient, waits: Waits, folder: Path) -> Call:
    client = GmailClient(
        root=nowhere(),
        http=http,
        tokens=GivenToken("t"),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        bucket=TokenBucket(rate=15.0, burst=900.0, clock=waits, sleep=waits.sleep),
        backoff=Backoff(jitter=lambda: 0.5),
        sleep=waits.sleep,
        elapsed=waits,
    )
    return lambda: client.call(gmail_get("profile", units=1))


def graph(http: HttpClient, waits: Waits, folder: Path) -> Call:
    client = GraphClient(
        root=nowhere(),
        http=http,
        tokens=GivenToken("t"),
        turn=BatchTurn(folder / "turn.lock"),
        bucket=TokenBucket(rate=15.0, burst=900.0, clock=waits, sleep=waits.sleep),
        backoff=Backoff(jitter=lambda: 0.5),
        sleep=waits.sleep,
    )
    return lambda: client.call(graph_get("/me"))


@pytest.mark.parametrize("provider", [gmail, graph])
def test_calls_in_a_row_wait_for_a_dead_provider_once(
    provider: Callable[[HttpClient, Waits, Path], Call], tmp_path: Path
) -> None:
    waits = Waits()
    http = HttpClient("Example", clock=waits)
    call = provider(http, waits, tmp_path)

    async def main() -> None:
        for _ in range(5):
            with pytest.raises(ProviderError, match="broke"):
                await call()
        await http.aclose()

    began = waits.now
    asyncio.run(main())
    assert UNREACHABLE_S <= waits.now - began < 2 * UNREACHABLE_S


def test_it_is_tried_again_after_a_rest_and_then_once() -> None:
    waits = Waits()
    http = HttpClient("Example", clock=waits)

    async def finality(at: str) -> bool:
        with pytest.raises(LostConnection) as lost:
            await http.send("GET", at, {}, None)
        return lost.value.is_final

    async def answered(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
        writer.close()

    async def main() -> None:
        at = nowhere()
        assert not await finality(at)
        waits.now += UNREACHABLE_S
        assert await finality(at)
        async with await asyncio.start_server(answered, "127.0.0.1", 0) as server:
            alive = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            assert await finality(alive), "it rests"
            waits.now += REST_S
            assert (await http.send("GET", alive, {}, None)).status == 200
        assert not await finality(at), "what answered since is out of reach only after a while again"
        await http.aclose()

    asyncio.run(main())


def test_a_provider_that_never_answered_is_not_listened_to_for_a_minute() -> None:
    http = HttpClient("Example")
    assert http.timeout().read == FIRST_READ_S < READ_S
