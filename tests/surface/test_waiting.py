"""`sync_emails` and `wait_for_changes` over a mailbox in memory and over a Maildir."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from gaia_local_mcp.server import mailbox_source
from gaia_mail_mcp.mailbox import Mailbox
from gaia_mail_mcp.surface.server import create_server
from tests.contract.memory import MemoryMailbox

MAIL = b"From: a@example.com\nSubject: x\n\nx\n"
LONG_S = 15


class Place:
    """A mailbox, and how mail gets into it."""

    def __init__(self, mailbox: Mailbox, deliver: Callable[[int], object]) -> None:
        self.mailbox = mailbox
        self.deliver = deliver
        for number in range(3):
            deliver(number)


def _memory(_: Path) -> Place:
    mailbox = MemoryMailbox()
    return Place(mailbox, lambda _: mailbox.receive(MAIL))


def _maildir(root: Path) -> Place:
    for part in ("cur", "new", "tmp"):
        (root / part).mkdir()

    def deliver(number: int) -> None:
        name = f"{1_700_000_000 + number}.M1P1.host"
        (root / "tmp" / name).write_bytes(MAIL)
        (root / "tmp" / name).rename(root / "new" / name)

    return Place(mailbox_source("maildir", str(root)).open(), deliver)


@pytest.fixture(params=[_memory, _maildir], ids=["memory", "maildir"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return request.param(tmp_path)


def _run(place: Place, scenario: Callable[[Any], Any]) -> None:
    async def main() -> None:
        async with Client(create_server(place.mailbox)) as client:

            async def call(tool: str, **arguments: object) -> dict[str, Any]:
                result = await client.call_tool_mcp(tool, arguments)
                assert not result.is_error and result.structured_content is not None
                return result.structured_content

            await scenario(call)

    asyncio.run(asyncio.wait_for(main(), 20))


def test_waiting_from_now_hears_of_what_comes_and_of_nothing_before(place: Place) -> None:
    async def scenario(call: Any) -> None:
        quiet = await call("wait_for_changes", timeout_s=0)
        assert not quiet["changed"]
        waiting = asyncio.create_task(call("wait_for_changes", timeout_s=LONG_S))
        await asyncio.sleep(0)
        place.deliver(7)
        told = await call("wait_for_changes", cursor=quiet["cursor_hint"], timeout_s=LONG_S)
        assert told["changed"]
        synced = await call("sync_emails", cursor=quiet["cursor_hint"])
        assert (len(synced["added"]), synced["changed"], synced["removed"]) == (1, [], [])
        assert not synced["reset"]
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)

    _run(place, scenario)


def test_waiting_with_a_cursor_of_sync(place: Place) -> None:
    async def scenario(call: Any) -> None:
        first = await call("sync_emails")
        assert len(first["added"]) == 3
        assert not (await call("wait_for_changes", cursor=first["cursor"], timeout_s=0))["changed"]
        place.deliver(8)
        assert (await call("wait_for_changes", cursor=first["cursor"], timeout_s=LONG_S))["changed"]

    _run(place, scenario)


def test_a_cursor_of_no_use_starts_over_and_does_not_wait(place: Place) -> None:
    async def scenario(call: Any) -> None:
        assert (await call("wait_for_changes", cursor="rubbish", timeout_s=LONG_S))["changed"]
        synced = await call("sync_emails", cursor="rubbish")
        assert synced["reset"]
        assert synced["reason"]
        assert len(synced["added"]) == 3

    _run(place, scenario)


def test_waiting_from_now_summarises_nothing(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_: object, **__: object) -> None:
        raise AssertionError("the mailbox was listed or read")

    monkeypatch.setattr(place.mailbox, "changes", never)
    monkeypatch.setattr(place.mailbox, "read", never)

    async def scenario(call: Any) -> None:
        assert not (await call("wait_for_changes", timeout_s=0))["changed"]

    _run(place, scenario)
