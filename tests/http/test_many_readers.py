"""Sixty readers of the events over HTTP, while the server is killed and started again under writes."""

from __future__ import annotations

import asyncio
import subprocess
from contextlib import AsyncExitStack
from pathlib import Path

import httpx2
import pytest

from gaia_email.app import App
from gaia_email.ledger import Ledger, NewLedgerEvent, open_ledger
from gaia_email_registry.token_file import token_in_file
from tests.http.serving import serving

READERS, KILLED = 60, 8
EACH = 5
"""Events that are written at once: while the server runs, as it is killed, and while none runs."""


class EventReader:
    """One client: the numbers it got, and how it comes back after the last one."""

    def __init__(self) -> None:
        self.numbers: list[int] = []

    async def read(self, client: httpx2.AsyncClient, until: asyncio.Event) -> None:
        """Until everything was read, however often the server goes."""
        while not until.is_set():
            seen = str(self.numbers[-1] if self.numbers else 0)
            try:
                async with client.stream(
                    "GET", "/v1/email/events", headers={"last-event-id": seen}
                ) as response:
                    assert response.status_code == 200, await response.aread()
                    async for line in response.aiter_lines():
                        assert not line.startswith("event: reset")
                        if line.startswith("id: "):
                            self.numbers.append(int(line[4:]))
            except httpx2.TransportError:
                await asyncio.sleep(0.1)


def write(ledger: Ledger) -> int:
    """Some events; the number of the last one."""
    with ledger.write() as tx:
        ledger.events.append(tx, *[NewLedgerEvent(kind="x.y", subject="Plan")] * EACH)
        return ledger.events.last(tx)


async def reached(readers: list[EventReader], number: int) -> None:
    """Until every reader has that number."""
    async with asyncio.timeout(60):
        while any(not one.numbers or one.numbers[-1] < number for one in readers):
            await asyncio.sleep(0.02)


@pytest.mark.timeout(600)
def test_each_of_60_readers_gets_every_number_once_in_order_while_the_server_is_killed(
    tmp_path: Path,
) -> None:
    environ = App().environ
    token = token_in_file(App().home / "email" / "agent-http-token")
    socket, readers = str(tmp_path / "socket"), [EventReader() for _ in range(READERS)]

    def started(stack: AsyncExitStack) -> subprocess.Popen[str]:
        return stack.enter_context(serving("--socket", socket))

    async def main(ledger: Ledger) -> int:
        over = asyncio.Event()
        client = httpx2.AsyncClient(
            base_url="http://localhost",
            transport=httpx2.AsyncHTTPTransport(uds=socket, limits=httpx2.Limits(max_connections=None)),
            timeout=httpx2.Timeout(60, connect=60, pool=None),
            headers={"authorization": f"Bearer {token}"},
        )
        async with client:
            reading = [asyncio.ensure_future(one.read(client, over)) for one in readers]
            for _ in range(KILLED):
                async with AsyncExitStack() as stack:
                    server = await asyncio.to_thread(started, stack)
                    await reached(readers[:10], write(ledger))
                    write(ledger)
                    server.kill()
                    await asyncio.to_thread(server.wait)
                write(ledger)
            async with AsyncExitStack() as stack:
                await asyncio.to_thread(started, stack)
                last = write(ledger)
                await reached(readers, last)
                over.set()
            await asyncio.gather(*reading)
        return last

    with open_ledger(environ=environ) as ledger:
        last = asyncio.run(main(ledger))
    assert last >= KILLED * 3 * EACH
    for one in readers:
        assert one.numbers == [*range(1, last + 1)]
