"""The agent reads a whole Gmail account: how many requests, and how fast."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from fastmcp import FastMCP

from gaia_email.mailbox.client import open_mail
from gaia_email.triage.inbox import triage
from gaia_email.triage.tiers import default_tier
from gaia_email_registry.servers import InProcessServer
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.suite import many
from tests.gmail.emulator.emulator import Emulator
from tests.gmail.support import Waits, open_emulated


def test_triage_of_a_thousand_messages_takes_few_requests_and_keeps_below_the_quota(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        waits = Waits()
        mailbox = await open_emulated(Emulator(), tmp_path, many(1000), waits)

        def opener(provider: str) -> Callable[[Mapping[str, str]], FastMCP[None]]:
            return lambda options: create_server(mailbox, SurfaceSettings(read_only=True))

        monkeypatch.setattr("gaia_email.mailbox.tool_calls._opener", opener)
        mailbox.emulator.forget_requests()
        start = waits()
        async with open_mail(InProcessServer(provider="gmail")) as mail:
            inbox = await triage(mail, default_tier(environ=os.environ), now=waits())
            emulator = mailbox.emulator
            assert inbox.total == 1000 and not inbox.unreadable
            assert len(emulator.requests) <= 1000 / 20
            assert emulator.units / (waits() - start) <= 150

    asyncio.run(asyncio.wait_for(main(), 100))
