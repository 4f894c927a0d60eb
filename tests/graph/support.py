"""How Graph tests connect to the emulator. Entries: `Waits`, `GivenToken`, `connect`, `open_emulated`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import httpx2
from starlette.applications import Starlette

from gaia_email_registry.errors import NeedsAuth
from gaia_graph_mcp.client import MOST_ANSWERED, GraphClient
from gaia_graph_mcp.mailbox import GraphMailbox
from gaia_graph_mcp.push import GraphSubscription
from gaia_graph_mcp.push_door import PATH, GraphPushEndpoint
from gaia_graph_mcp.turn import BatchTurn
from gaia_mail_mcp.mailbox import Capability
from gaia_mail_mcp.pacing import Backoff, TokenBucket
from gaia_mail_mcp.web.http import HttpClient
from tests.contract.suite import Seed
from tests.graph.emulator.emulator import Emulator
from tests.mailbox_wrapper import MailboxWrapper


class Waits:
    """A clock whose time passes only while somebody sleeps on it."""

    def __init__(self) -> None:
        self.now = 1_772_442_000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Pass time; others get their turn."""
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


class GivenToken:
    """Gives out one token until it is refused."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.refused = 0

    async def access(self) -> str:
        if self.refused > 1:
            raise NeedsAuth("refused")
        return self.token

    def distrust(self, token: str) -> None:
        self.refused += 1


class EmulatedMailbox(MailboxWrapper):
    """A mailbox that stops its emulator when it is closed."""

    def __init__(self, inner: GraphMailbox, emulator: Emulator) -> None:
        super().__init__(inner)
        self.graph = inner
        self.emulator = emulator

    async def aclose(self) -> None:
        await super().aclose()
        await self.emulator.aclose()


def connect(emulator: Emulator, folder: Path, waits: Waits | None = None) -> GraphMailbox:
    """A mailbox on a started emulator; time passes only in `waits`."""
    waits = waits or Waits()
    client = GraphClient(
        root=emulator.root,
        http=HttpClient("Microsoft", most=MOST_ANSWERED),
        tokens=GivenToken(emulator.token),
        turn=BatchTurn(folder / "turn.lock"),
        bucket=TokenBucket(rate=15.0, burst=900.0, clock=waits, sleep=waits.sleep),
        backoff=Backoff(jitter=lambda: 0.5),
        sleep=waits.sleep,
    )
    mailbox = GraphMailbox(client, folder / "graph.db", account=emulator.account.address)
    mailbox.poll_s = 0.01
    return mailbox


def let_in(emulator: Emulator, mailbox: GraphMailbox, folder: Path) -> None:
    """Has the emulator's pushes come in by a door of the mailbox's."""
    mailbox._capabilities |= {Capability.PUSH}  # pyright: ignore[reportPrivateUsage]
    mailbox.push = GraphSubscription(mailbox.client, folder / "watch.json", f"https://mail.example{PATH}")
    mailbox.hears = True
    app = Starlette()
    http = httpx2.AsyncClient(
        transport=httpx2.ASGITransport(GraphPushEndpoint(app, [mailbox])), base_url="https://mail.example"
    )

    async def outside(url: str, body: bytes) -> tuple[int, str]:
        answer = await http.post(url, content=body)
        return answer.status_code, answer.text

    emulator.subscriptions.outside = outside


async def open_emulated(
    emulator: Emulator, folder: Path, seeds: Sequence[Seed] = (), waits: Waits | None = None
) -> EmulatedMailbox:
    """A mailbox holding `seeds`, on an emulator of its own."""
    for seed in seeds:
        emulator.account.put(seed.raw, seed.labels)
    await emulator.start()
    return EmulatedMailbox(connect(emulator, folder, waits), emulator)
