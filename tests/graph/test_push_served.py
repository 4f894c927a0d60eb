"""Pushes as a whole: the program listens, Microsoft proves its address, and who waits wakes."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastmcp import Client

from tests.contract.suite import many, write_message
from tests.graph.acting import connect_account
from tests.graph.emulator.emulator import Emulator

URL = "https://mail.example/push/graph"
BEARER = "what-clients-of-this-server-must-know"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def listening(client: httpx2.AsyncClient) -> None:
    while True:
        try:
            await client.get("/push/graph")
        except httpx2.ConnectError:
            await asyncio.sleep(0.05)
        else:
            return


def test_a_push_wakes_who_waits_on_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    environ = {
        "GAIA_HOME": str(tmp_path),
        "GAIA_GRAPH_NOTIFICATION_URL": URL,
        "GAIA_HTTP_TOKEN": BEARER,
    }
    monkeypatch.setenv("GAIA_HOME", str(tmp_path))
    connect_account("me")

    async def main() -> None:
        emulator = Emulator()
        for seed in many(1):
            emulator.account.put(seed.raw, seed.labels)
        root = await emulator.start()
        command = [sys.executable, "-m", "tests.graph.serving", "--http", f"127.0.0.1:{port}"]
        process = subprocess.Popen(
            command, env={**os.environ, **environ, "GAIA_GRAPH_API_ROOT": root}, stdin=subprocess.DEVNULL
        )
        try:
            async with httpx2.AsyncClient(timeout=20, base_url=base) as microsoft:

                async def outside(url: str, body: bytes) -> tuple[int, str]:
                    answer = await microsoft.post(url.removeprefix("https://mail.example"), content=body)
                    return answer.status_code, answer.text

                emulator.subscriptions.outside = outside
                await listening(microsoft)
                async with Client(f"{base}/mcp", auth=BEARER) as client:
                    await _scenario(emulator, client)
        finally:
            process.terminate()
            process.wait(10)
        await emulator.aclose()

    asyncio.run(asyncio.wait_for(main(), 60))


async def _scenario(emulator: Emulator, client: Client[Any]) -> None:
    watched: Any = (await client.call_tool("watch_mailbox", {})).structured_content
    assert watched["watching"] and len(emulator.subscriptions.stored) == 1
    first: Any = (await client.call_tool("sync_emails", {})).structured_content
    before = emulator.answered
    await client.call_tool("sync_emails", {"cursor": first["cursor"]})
    looked = 2 * emulator.answered - before
    waiting = asyncio.create_task(
        client.call_tool("wait_for_changes", {"cursor": first["cursor"], "timeout_s": 50})
    )
    while emulator.answered < looked:  # a look that ends after the message came would find it
        await asyncio.sleep(0.01)
    emulator.account.put(write_message(5))
    await emulator.subscriptions.push(clientState="guessed")
    assert not (await asyncio.wait([waiting], timeout=0.3))[0], "a stranger wakes nobody"
    started = time.monotonic()
    await emulator.subscriptions.push()
    found: Any = (await waiting).structured_content
    assert found["changed"] and time.monotonic() - started < 10, "half a minute is what asking takes"
    ended: Any = (await client.call_tool("watch_mailbox", {"watch": False})).structured_content
    assert not ended["watching"] and not emulator.subscriptions.stored
