"""`gaia-gmail-mcp` beside the archived Node Gmail server: same emulator, same calls, turn about. Entry: `rows`.

Needs npm. Both servers run over stdio and are warm; the emulator counts the HTTP requests each causes. It has a thread
of its own, so that it answers while this one waits for a server.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.measure import PYTHON, Row
from benchmarks.stdio_server import StdioServer
from gaia_email_registry.contract.tools import ASKS_ABOVE
from tests.contract.suite import many
from tests.gmail.archived import install, node_server
from tests.gmail.emulator.emulator import Emulator
from tests.gmail.support import write_files

MESSAGES = 300
READS = 10
"""A round."""
REFILL_S = 1.0
"""Between rounds, which ask for about 130 quota units: ours waits where more than 150 a second are wanted."""
FIRST_READ = "read, the first time"
MODIFY = f"modify {ASKS_ABOVE}"
"""As many as nobody is asked about."""
SLOWEST = 1.6
"""Times the archived server's median: what a read may take."""


@dataclass(slots=True)
class Measured:
    """Milliseconds, of the clock and of the processor, and HTTP requests of each time a call was made."""

    ms: list[float] = field(default_factory=list[float])
    processor_ms: list[float] = field(default_factory=list[float])
    requests: list[int] = field(default_factory=list[int])

    def add(self, ms: float, processor_ms: float | None, requests: int) -> None:
        """One more."""
        self.ms.append(ms)
        self.requests.append(requests)
        if processor_ms is not None:
            self.processor_ms.append(processor_ms)


def rows(*, quick: bool) -> list[Row]:
    """One row a call; none where npm is not here."""
    if shutil.which("npm") is None:
        return []
    with tempfile.TemporaryDirectory(prefix="gaia-bench-gmail-") as name:
        folder = Path(name)
        install(folder)
        with _emulating() as emulator:
            write_files(emulator, folder)
            environ = _environment(emulator, folder)
            node = node_server(folder, folder, emulator.root, environ)
            with (
                StdioServer([PYTHON, "-m", "gaia_gmail_mcp.server"], environ, name) as ours,
                StdioServer([node.command, *node.args], node.env or {}, node.cwd or name) as theirs,
            ):
                return _measure(emulator, {"ours": ours, "theirs": theirs}, rounds=3 if quick else 10)


@contextmanager
def _emulating() -> Generator[Emulator]:
    emulator = Emulator()
    for seed in many(MESSAGES):
        emulator.account.mailbox.put(seed.raw, seed.labels)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(emulator.start(), loop).result()
        yield emulator
        asyncio.run_coroutine_threadsafe(emulator.aclose(), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _measure(emulator: Emulator, servers: Mapping[str, StdioServer], rounds: int) -> list[Row]:
    ids = [emulator.account.outer(f"m{number}") for number in range(MESSAGES, MESSAGES - 100, -1)]
    calls: dict[str, tuple[str, dict[str, object]]] = {
        "search of 10": ("search_emails", {"query": "in:inbox", "maxResults": 10}),
        "search of 100": ("search_emails", {"query": "in:inbox", "maxResults": 100}),
        FIRST_READ: ("read_email", {}),
        "read": ("read_email", {"messageId": ids[0]}),
        MODIFY: ("batch_modify_emails", {"messageIds": ids[:ASKS_ABOVE]}),
    }
    unread = (emulator.account.outer(f"m{number}") for number in range(MESSAGES - 100, 0, -1))
    found = {(name, whose): Measured() for name in calls for whose in servers}
    latest = ids[0]
    for number in range(rounds + 1):
        time.sleep(REFILL_S)
        for server in servers.values():  # not timed: hear of what the other one changed
            server.call_tool("search_emails", {"query": "in:inbox", "maxResults": 1})
        change = "removeLabelIds" if number % 2 else "addLabelIds"
        for name, whose in _order(calls, servers):
            tool, arguments = calls[name]
            given = {**arguments, change: ["STARRED"]} if name == MODIFY else arguments
            if name == FIRST_READ:
                latest = next(unread) if whose == "ours" else latest
                given = {"messageId": latest}
            emulator.forget_requests()
            elapsed, spent = _timed(servers[whose], tool, given)
            if number:
                found[name, whose].add(elapsed, spent, len(emulator.requests))
    return [_row(name, found[name, "ours"], found[name, "theirs"]) for name in calls]


def _timed(server: StdioServer, tool: str, given: Mapping[str, object]) -> tuple[float, float | None]:
    """Milliseconds of a call, by the clock and of the server's processor time."""
    before = server.processor_ms()
    started = time.perf_counter()
    server.call_tool(tool, given)
    elapsed = (time.perf_counter() - started) * 1000
    after = server.processor_ms()
    return elapsed, None if before is None or after is None else after - before


def _order(calls: Mapping[str, object], servers: Mapping[str, object]) -> list[tuple[str, str]]:
    """Turn about; a read is over so soon that one a round says little."""
    return [
        (name, whose) for name in calls for _ in range(READS if "read" in name else 1) for whose in servers
    ]


def _row(name: str, ours: Measured, theirs: Measured) -> Row:
    fewer = max(ours.requests) < min(theirs.requests) or "read" in name
    ratio = statistics.median(theirs.ms) / statistics.median(ours.ms)
    least = 1 / SLOWEST
    return Row(
        name=f"Gmail, warm: {name}",
        ours=_shown(ours),
        theirs=f"Node server {_shown(theirs)}",
        ratio=ratio,
        target=f">= {least:.2f}",
        met=ratio >= least and fewer,
    )


def _shown(measured: Measured) -> str:
    """The median time and the range, the mean processor time, and how many requests at most."""
    times = f"{statistics.median(measured.ms):.1f} ms ({min(measured.ms):.1f} to {max(measured.ms):.1f})"
    spent = f", cpu {statistics.fmean(measured.processor_ms):.2f}" if measured.processor_ms else ""
    return f"{times}{spent}, {max(measured.requests)} req"


def _environment(emulator: Emulator, folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "GAIA_GMAIL_API_ROOT": emulator.root,
        "GAIA_GOOGLE_OAUTH_ROOT": emulator.root,
        "GAIA_HOME": str(folder / "home"),
        "GMAIL_OAUTH_PATH": str(folder / "gcp-oauth.keys.json"),
        "GMAIL_CREDENTIALS_PATH": str(folder / "credentials.json"),
    }
