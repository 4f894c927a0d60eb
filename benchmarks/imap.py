"""IMAP against mbsync on the same Dovecot, and the watch's latency and memory. Entry: `rows`.

`GAIA_BENCH_LARGE=1` adds a mailbox of 50,000 messages, `GAIA_BENCH_SOAK=N` sets how many messages the watch
gets. Ours and mbsync take turns, so that a busy machine slows both; the median of the ratios counts.
"""

from __future__ import annotations

import imaplib
import json
import os
import shutil
import socket
import statistics
import subprocess
import tempfile
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from benchmarks.imap_watch import rows as watch_rows
from benchmarks.measure import PYTHON, Row, bench_mailbox, run
from tools.mail_servers.dovecot import PASSWORD, Dovecot, free_port

USER = "bench"
ONE_WAY_MS = 20
"""Half of the round trip of the delayed runs."""


def rows(*, quick: bool = False) -> list[Row]:
    """Sync at one or two sizes, through a delay, without changes; then the watch."""
    found: list[Row] = []
    sizes = [1_000 if quick else 10_000]
    if os.environ.get("GAIA_BENCH_LARGE") == "1":
        sizes.append(50_000)
    for messages in sizes:
        with _server(messages) as server:
            found += _against_mbsync(server, messages, rounds=1 if quick or messages > 10_000 else 3)
            found += _delayed(server, messages)
    return [*found, *watch_rows(quick=quick)]


@contextmanager
def _server(messages: int) -> Generator[Dovecot, None, None]:
    with Dovecot() as server:
        place = server.folder(USER)
        place.mkdir(parents=True)
        shutil.copytree(bench_mailbox(messages) / "cur", place / "cur")
        for part in ("new", "tmp"):
            (place / part).mkdir()
        server.own(USER)
        _index(server.port)
        yield server


def _index(port: int) -> None:
    """Let Dovecot make its index, not in a run that counts.

    It is opened once without fetching: fetching from a large folder that it has never seen, Dovecot lists the whole
    folder again for every message.
    """
    with imaplib.IMAP4("127.0.0.1", port) as client:
        client.login(USER, PASSWORD)
        client.select()
        client.fetch("1:*", "(RFC822.SIZE)")
    _mbsync(port, fsync=False)


def ours(port: int, *, mcp: bool = False) -> dict[str, float]:
    """What a first sync by us took, in a process of its own."""
    environ = {
        **os.environ,
        "GAIA_IMAP_HOST": "127.0.0.1",
        "GAIA_IMAP_PORT": str(port),
        "GAIA_IMAP_SECURITY": "none",
        "GAIA_IMAP_USER": USER,
        "GAIA_IMAP_PASSWORD": PASSWORD,
    }
    command = [PYTHON, "-m", "benchmarks.imap_sync", *(["--mcp"] if mcp else [])]
    answer = subprocess.run(command, env=environ, check=True, stdout=subprocess.PIPE)
    found: dict[str, float] = json.loads(answer.stdout)
    return found


def _mbsync(port: int, *, fsync: bool) -> float:
    with tempfile.TemporaryDirectory(prefix="gaia-bench-mbsync-") as folder:
        config = Path(folder) / "mbsyncrc"
        config.write_text(
            f"FSync {'yes' if fsync else 'no'}\n"
            f"IMAPAccount bench\nHost 127.0.0.1\nPort {port}\nUser {USER}\nPass {PASSWORD}\n"
            "SSLType None\nAuthMechs LOGIN\n\nIMAPStore far\nAccount bench\n\n"
            f"MaildirStore near\nPath {folder}/\nInbox {folder}/INBOX\n\n"
            f"Channel all\nFar :far:\nNear :near:\nPatterns INBOX\nCreate Near\nSync Pull\nSyncState *\n"
        )
        (Path(folder) / "INBOX").mkdir()
        for part in ("cur", "new", "tmp"):
            (Path(folder) / "INBOX" / part).mkdir()
        return run(["mbsync", "-q", "-c", str(config), "all"]).seconds


def _against_mbsync(server: Dovecot, messages: int, *, rounds: int) -> list[Row]:
    runs: list[dict[str, float]] = []
    through: list[float] = []
    peers: Mapping[bool, list[float]] = {False: [], True: []}
    for _ in range(rounds):
        runs.append(ours(server.port))
        if runs[-1]["messages"] != messages:
            raise RuntimeError(f"the sync told {runs[-1]['messages']} of {messages} messages")
        through.append(ours(server.port, mcp=True)["seconds"])
        if shutil.which("mbsync"):
            for fsync, times in peers.items():
                times.append(_mbsync(server.port, fsync=fsync))
    seconds = statistics.median(one["seconds"] for one in runs)
    rate = f"{messages / seconds:,.0f} msg/s"
    found = [
        _row(
            f"first sync of {messages:,} messages, at the mailbox",
            rate,
            f"{name}: ",
            times,
            runs,
            messages,
            aim,
        )
        for name, times, aim in (
            ("mbsync, no fsync", peers[False], 0.5),
            ("mbsync, fsync", peers[True], 1.0),
        )
        if times
    ]
    check = statistics.median(one["check_ms"] for one in runs)
    return [
        *found,
        _plain(
            f"the same through MCP, {messages:,} messages",
            f"{messages / statistics.median(through):,.0f} msg/s",
        ),
        _plain(
            f"peak memory of the first sync, {messages:,} messages",
            f"{max(one['peak_mb'] for one in runs):.0f} MB",
        ),
        Row(
            name=f"no-change sync, warm, {messages:,} messages",
            ours=f"{check:.1f} ms",
            theirs=f"{_noop_ms(server.port):.1f} ms (one NOOP)",
            ratio=None,
            target="<= 10 ms",
            met=check < 10,
        ),
    ]


def _row(
    name: str,
    rate: str,
    peer: str,
    times: list[float],
    runs: list[dict[str, float]],
    messages: int,
    aim: float,
) -> Row:
    ratio = statistics.median(theirs / one["seconds"] for theirs, one in zip(times, runs, strict=True))
    return Row(
        name=name,
        ours=rate,
        theirs=f"{peer}{messages / statistics.median(times):,.0f} msg/s",
        ratio=ratio,
        target=f">= {aim}",
        met=ratio >= aim,
    )


def _plain(name: str, ours: str) -> Row:
    return Row(name=name, ours=ours, theirs="", ratio=None, target="", met=None)


def _delayed(server: Dovecot, messages: int) -> list[Row]:
    port = free_port()
    command = [PYTHON, "-m", "tools.mail_servers.proxy", str(port), str(server.port), str(ONE_WAY_MS)]
    proxy = subprocess.Popen(command)
    try:
        _listening(port)
        found = ours(port)
        peer = _mbsync(port, fsync=False) if shutil.which("mbsync") else None
    finally:
        proxy.terminate()
        proxy.wait()
    rate = found["messages"] / found["seconds"]
    theirs = "" if peer is None else f"mbsync, no fsync: {messages / peer:,.0f} msg/s"
    return [
        Row(
            name=f"first sync of {messages:,} messages at {2 * ONE_WAY_MS} ms",
            ours=f"{rate:,.0f} msg/s",
            theirs=theirs,
            ratio=None if peer is None else peer / found["seconds"],
            target=">= 1000/s",
            met=rate >= 1000,
        ),
        _plain(f"no-change sync at {2 * ONE_WAY_MS} ms", f"{found['check_ms']:.0f} ms"),
    ]


def _listening(port: int) -> None:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise RuntimeError("the delay proxy did not start")


def _noop_ms(port: int) -> float:
    """The cheapest round trip there is, for comparison."""
    import imaplib

    client = imaplib.IMAP4("127.0.0.1", port)
    client.login(USER, PASSWORD)
    times: list[float] = []
    for _ in range(50):
        started = time.perf_counter()
        client.noop()
        times.append(time.perf_counter() - started)
    client.shutdown()
    return statistics.median(times) * 1000
