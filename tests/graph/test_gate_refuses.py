"""With a gate that refuses, no tool makes a request that changes a Microsoft account."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from fastmcp import FastMCP

from gaia_email.actions.account_session import open_account_session
from gaia_email.ledger import open_ledger
from gaia_email_registry.servers import InProcessServer
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.actions.account import Person
from tests.contract.suite import many
from tests.gate.refusing import CHANGING, allow_one, refuse_everything
from tests.gmail.emulator.http import Request
from tests.graph.emulator.emulator import Emulator
from tests.graph.support import let_in, open_emulated
from tests.origins import PERSON

NOT_HERE = {"report_phishing"}
"""What a Graph mailbox does not offer."""


def changes(request: Request) -> bool:
    """Whether a request does more than read; of a batch its parts count."""
    reading = ("/$batch", "/getSchedule")
    return request.method != "GET" and not request.path.endswith(reading)


def test_with_a_gate_that_refuses_no_request_changes_a_microsoft_account(
    tmp_path: Path, home_of_its_own: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = Person("no")

    async def main() -> None:
        mailbox = await open_emulated(Emulator(), tmp_path, many(3))
        let_in(mailbox.emulator, mailbox.graph, tmp_path)

        def opener(provider: str) -> Callable[[Mapping[str, str]], FastMCP[None]]:
            return lambda options: create_server(mailbox, SurfaceSettings(approval=CALLER))

        monkeypatch.setattr("gaia_email.mailbox.tool_calls._opener", opener)
        emulator = mailbox.emulator
        with open_ledger() as ledger:
            async with open_account_session(
                InProcessServer(provider="graph"), ledger, prompt=person, environ=os.environ, origin=PERSON
            ) as session:
                offered = {tool for tool in CHANGING if await session.writer.can(tool)}
                assert set(CHANGING) - offered <= NOT_HERE
                first, second, _ = [email["id"] for email in (await session.mail.list_emails())["emails"]]
                await refuse_everything(session, (first, second))
                assert not list(filter(changes, [*emulator.requests, *emulator.parts]))
                assert len(person.asked) == 2 * len(CHANGING)
                person.answer = "yes"
                await allow_one(session, first)
                assert [json.loads(one.body) for one in emulator.parts if changes(one)]
        await mailbox.aclose()

    asyncio.run(asyncio.wait_for(main(), 50))
