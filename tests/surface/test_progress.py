"""A client that gave a progress token hears how far a mailbox is that reads itself in, whatever tool was called."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from gaia_local_mcp.server import mailbox_source
from gaia_mail.query.grammar import Query
from gaia_mail_mcp import progress
from gaia_mail_mcp.mailbox import Changes, IdPage, Mailbox, WriteOutcome
from gaia_mail_mcp.progress import tell, teller, telling
from gaia_mail_mcp.surface.server import create_server
from tests.contract.memory import MemoryMailbox
from tests.surface.conftest import Mode
from tests.surface.pipes import call, made, talking

Told = list[tuple[float, float | None]]


class Reading(MemoryMailbox):
    """Reads itself in at every look, and says so; also from a thread, and once less than before."""

    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> IdPage:
        await self._read_in()
        return await super().search(query, limit=limit, cursor=cursor)

    async def changes(self, cursor: str | None, *, limit: int) -> Changes:
        await self._read_in()
        return await super().changes(cursor, limit=limit)

    async def trash(self, ids: Sequence[str]) -> WriteOutcome:
        await self._read_in()
        return await super().trash(ids)

    async def _read_in(self) -> None:
        await tell(10, 30)
        await tell(5, 30)
        say = teller()
        if say is not None:
            await asyncio.to_thread(say, 20, 30)
            await asyncio.to_thread(say, 30, 30)


SAID: Told = [(10, 30), (20, 30), (30, 30)]
CALLS: list[tuple[str, dict[str, object]]] = [
    ("search_emails", {"query": "lunch"}),
    ("list_emails", {}),
    ("sync_emails", {}),
    ("trash_email", {"ids": ["m1"]}),
]


@pytest.fixture
def mailbox() -> Reading:
    made = Reading()
    made.put(b"From: a@example.com\r\nSubject: lunch\r\n\r\nx\r\n", ("INBOX",))
    return made


def heard(mailbox: Mailbox, mode: Mode, tool: str, arguments: dict[str, object]) -> Told:
    told: Told = []

    async def listen(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total))

    async def main() -> None:
        async with Client(create_server(mailbox), mode=mode) as client:
            await client.call_tool(tool, arguments, progress_handler=listen)

    asyncio.run(asyncio.wait_for(main(), 20))
    return told


@pytest.mark.parametrize(("tool", "arguments"), CALLS, ids=[tool for tool, _ in CALLS])
def test_every_tool_tells_it_in_both_eras(
    tool: str, arguments: dict[str, object], mailbox: Reading, mode: Mode
) -> None:
    assert heard(mailbox, mode, tool, arguments) == SAID


def lines_until_answer(mailbox: Reading, asked: bytes) -> list[dict[str, Any]]:
    async def main() -> list[dict[str, Any]]:
        server = made(mailbox)
        async with talking(server) as talk:
            await talk.greet()
            talk.send(asked)
            lines: list[dict[str, Any]] = []
            while not lines or "id" not in lines[-1]:
                lines.append(json.loads(await talk.hear()))
            return lines

    return asyncio.run(asyncio.wait_for(main(), 20))


@pytest.mark.parametrize(("tool", "arguments"), CALLS[:3], ids=[tool for tool, _ in CALLS[:3]])
@pytest.mark.parametrize("token", ["p", 7])
def test_over_a_pipe_it_is_told_too(
    tool: str, arguments: dict[str, object], token: str | int, mailbox: Reading
) -> None:
    asked = call(2, tool, arguments, _meta={"progressToken": token})
    told = lines_until_answer(mailbox, asked)
    assert [line["params"] for line in told[:-1]] == [
        {"progressToken": token, "progress": done, "total": total} for done, total in SAID
    ]


def test_who_gave_no_token_hears_the_answer_alone(mailbox: Reading) -> None:
    (answer,) = lines_until_answer(mailbox, call(2, *CALLS[0]))
    assert answer["id"] == 2


def test_nothing_is_said_after_the_answer() -> None:
    told: Told = []
    say: list[progress.Teller | None] = []

    async def listen(done: float, total: float | None) -> None:
        told.append((done, total))

    async def main() -> None:
        async with telling(listen):
            say.append(teller())
            await tell(1)
        (late,) = say
        assert late is not None
        late(2, None)
        await tell(3)
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    asyncio.run(main())
    assert told == [(1, None)]


def mbox(path: Path, count: int) -> str:
    one = b"From pat@example.com Mon Mar  2 09:00:00 2026\nFrom: pat@example.com\nSubject: %d\n\ntext\n\n"
    path.write_bytes(b"".join(one % number for number in range(count)))
    return str(path)


def maildir(path: Path, count: int) -> str:
    for part in ("cur", "new", "tmp"):
        (path / part).mkdir(parents=True)
    for number in range(count):
        (path / "cur" / f"{number}.x:2,S").write_bytes(
            b"From: pat@example.com\nSubject: %d\n\ntext\n" % number
        )
    return str(path)


@pytest.mark.parametrize(("kind", "fill"), [("mbox", mbox), ("maildir", maildir)])
def test_mail_files_tell_how_much_of_them_was_read(
    kind: Any, fill: Callable[[Path, int], str], tmp_path: Path, mode: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaia_local_mcp.index.TOLD_EVERY", 10)
    mailbox = mailbox_source(kind, fill(tmp_path / "mail", 35)).open()
    assert heard(mailbox, mode, "list_emails", {}) == [(10, None), (20, None), (30, None)]


def test_a_client_that_cancelled_hears_no_answer(mailbox: Reading) -> None:
    """The tool does not let itself be stopped, and goes on telling."""
    begun, go = asyncio.Event(), asyncio.Event()

    class Stubborn(Reading):
        async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> IdPage:
            begun.set()
            try:
                await go.wait()
            except asyncio.CancelledError:
                await tell(1, 2)
            return await super().search(query, limit=limit, cursor=cursor)

    async def main() -> list[bytes]:
        server = made(Stubborn())
        async with talking(server) as talk:
            await talk.greet()
            talk.send(call(2, *CALLS[0], _meta={"progressToken": "p"}))
            await begun.wait()
            notice = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}}
            talk.send(json.dumps(notice).encode() + b"\n")
            await talk.ask(json.dumps({"jsonrpc": "2.0", "id": 3, "method": "ping"}).encode() + b"\n")
            return await talk.leave()

    assert not any(json.loads(said).get("id") == 2 for said in asyncio.run(asyncio.wait_for(main(), 20)))
