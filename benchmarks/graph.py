"""Requests to Microsoft Graph beside Softeria's server: one emulator, the same jobs by each's tools. Entry: `rows`.

Needs npm for the peer; without it the rows are ours alone. Nothing is timed: the emulator counts what comes over the
wire, a batch as one, so the figures are the same on any machine.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from fastmcp import Client

from benchmarks.measure import Row
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.suite import many
from tests.graph.emulator.account import WELL_KNOWN
from tests.graph.emulator.emulator import Emulator
from tests.graph.peer import install, server
from tests.graph.support import connect

FOLDERS = 30
MOVED = 100
PAGE = 100
"""What the peer asks for at once; its own description tells a model to begin with 5 to 15."""

AIMS = {"list": 12, "nothing new": 2, "one": 2, "raw": 52, "move": 6}
"""Requests at most, for 1,000 messages."""


def rows(*, quick: bool) -> list[Row]:
    """A row a job, and one for the size of the tools."""
    return asyncio.run(_rows(200 if quick else 1_000))


async def _rows(messages: int) -> list[Row]:
    ours, our_tools = await _ours(messages)
    theirs, their_tools = dict[str, int](), 0
    if shutil.which("npm") is not None:
        with tempfile.TemporaryDirectory(prefix="gaia-bench-graph-") as folder:
            install(Path(folder))
            theirs, their_tools = await _theirs(messages, Path(folder))
    names = {
        "list": f"first listing of {messages:,} summaries in one folder",
        "nothing new": f"nothing new in {FOLDERS} folders",
        "one": "one message read",
        "raw": f"raw bytes of {messages:,} messages",
        "move": f"{MOVED} messages moved",
    }
    found = [
        Row(
            name=f"Graph: {names[job]}",
            ours=f"{asked} req",
            theirs=f"peer, {theirs[job]:,} req" if theirs else "npm is not here",
            ratio=asked / theirs[job] if theirs else None,
            target=f"<= {AIMS[job]}",
            met=asked <= AIMS[job],
        )
        for job, asked in ours.items()
    ]
    return [
        *found,
        Row(
            name="Graph: tools/list with mail",
            ours=f"{our_tools:,} B",
            theirs=f"peer, {their_tools:,} B" if theirs else "npm is not here",
            ratio=our_tools / their_tools if theirs else None,
            target="<= 32000 B",
            met=our_tools <= 32_000,
        ),
    ]


class _Counted:
    """Requests of an emulator since it was last asked."""

    def __init__(self, emulator: Emulator) -> None:
        self._emulator = emulator

    async def __call__(self, *jobs: Callable[[], Awaitable[object]]) -> int:
        before = len(self._emulator.requests)
        for job in jobs:
            await job()
        return len(self._emulator.requests) - before


def _emulator(messages: int) -> Emulator:
    emulator = Emulator()
    for seed in many(messages):
        emulator.account.put(seed.raw, ["INBOX", *seed.labels])
    return emulator


def _add_folders(emulator: Emulator) -> None:
    for number in range(FOLDERS - len(WELL_KNOWN)):
        emulator.account.add_folder(f"Folder {number}", emulator.account.root)


async def _ours(messages: int) -> tuple[dict[str, int], int]:
    emulator = _emulator(messages)
    ids = list(emulator.account.items)
    with tempfile.TemporaryDirectory(prefix="gaia-bench-graph-") as folder:
        await emulator.start()
        mailbox = connect(emulator, Path(folder))
        counted = _Counted(emulator)
        try:
            found = {"list": await counted(lambda: mailbox.changes(None, limit=messages))}
            _add_folders(emulator)
            await mailbox.changes(await mailbox.cursor(), limit=messages)
            cursor = await mailbox.cursor()
            found["nothing new"] = await counted(lambda: mailbox.changes(cursor, limit=10))
            found["one"] = await counted(lambda: mailbox.read(ids[:1], raw=True))
            found["raw"] = await counted(lambda: mailbox.read(ids, raw=True))
            found["move"] = await counted(lambda: mailbox.modify(ids[:MOVED], add=[], remove=["INBOX"]))
            async with Client(create_server(mailbox, SurfaceSettings())) as client:
                return found, await _bytes(client)
        finally:
            await mailbox.aclose()
            await emulator.aclose()


async def _theirs(messages: int, installed: Path) -> tuple[dict[str, int], int]:
    emulator = _emulator(messages)
    emulator.other_clients = True
    _add_folders(emulator)
    ids, folders = list(emulator.account.items), list(emulator.account.folders)
    root = await emulator.start()
    counted = _Counted(emulator)
    try:
        async with Client(server(installed, installed, root, emulator.token, "--preset", "mail")) as client:

            def job(tool: str, **arguments: object) -> Callable[[], Awaitable[object]]:
                return lambda: client.call_tool(tool, arguments)

            def each(tool: str, of: Sequence[str]) -> list[Callable[[], Awaitable[object]]]:
                return [job(tool, messageId=one) for one in of]

            def pages() -> list[Callable[[], Awaitable[object]]]:
                name = "list-mail-folder-messages"
                return [
                    job(name, mailFolderId="inbox", top=PAGE, skip=skip) for skip in range(0, messages, PAGE)
                ]

            found = {"list": await counted(*pages())}
            # Its delta tool gives the links to the model; a look costs one request a folder at least.
            news = [job("list-mail-folder-messages", mailFolderId=one, top=1) for one in folders]
            found["nothing new"] = await counted(*news)
            found["one"] = await counted(*each("get-mail-message", ids[:1]))
            found["raw"] = await counted(*each("get-mail-message-mime", ids))
            destination = {"DestinationId": "archive"}
            moves = [job("move-mail-message", messageId=one, body=destination) for one in ids[:MOVED]]
            found["move"] = await counted(*moves)
            return found, await _bytes(client)
    finally:
        await emulator.aclose()


async def _bytes(client: Client[Any]) -> int:
    tools = await client.list_tools()
    return sum(len(tool.model_dump_json(by_alias=True, exclude_none=True)) for tool in tools)
