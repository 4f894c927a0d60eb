"""`gaia email watch` on an IMAP account: from arrival to verdict, and its memory over many messages. Entry: `rows`."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from benchmarks.measure import GAIA, Row, bench_mailbox
from gaia_email_registry.accounts import Account, store_account
from tools.mail_servers.dovecot import PASSWORD, Dovecot
from tools.mail_servers.other_client import OtherClient

USER = "watched"
BEFORE = 1_000
"""Messages that are there when the watch starts."""

SETTLED = 100
"""Messages after which the memory is looked at for the first time."""


@dataclass(frozen=True, slots=True)
class Watched:
    """Seconds from just before APPEND to the line, and resident MB as it was settled and at the end."""

    latencies: list[float]
    early_mb: float
    late_mb: float


def rows(*, quick: bool = False) -> list[Row]:
    """Latency and memory over `GAIA_BENCH_SOAK` messages."""
    count = int(os.environ.get("GAIA_BENCH_SOAK", "300" if quick else "1500"))
    found = soak(count)
    growth = found.late_mb / found.early_mb
    median = statistics.median(found.latencies)
    worst = sorted(found.latencies)[int(len(found.latencies) * 0.99)]
    return [
        Row(
            name=f"arrival to verdict of {count:,} messages, median",
            ours=f"{median * 1000:.0f} ms",
            theirs=f"99 % within {worst * 1000:.0f} ms",
            ratio=None,
            target="< 1 s",
            met=median < 1.0,
        ),
        Row(
            name=f"memory of watch after {count:,} messages against {SETTLED}",
            ours=f"{found.late_mb:.0f} MB",
            theirs=f"{found.early_mb:.0f} MB",
            ratio=growth,
            target="<= 1.1",
            met=growth <= 1.1,
        ),
        Row(
            name="resident memory of watch",
            ours=f"{found.late_mb:.0f} MB",
            theirs="",
            ratio=None,
            target="< 180 MB",
            met=found.late_mb < 180,
        ),
    ]


def soak(count: int) -> Watched:
    """One message after the other, each waited for."""
    messages = [path.read_bytes() for path in sorted((bench_mailbox(1_000) / "cur").iterdir())]
    with Dovecot() as server:
        server.fill(USER, ((raw, "S") for raw in messages[:BEFORE]))
        with _watch(server) as watch, OtherClient(server.port, USER) as other:
            assert watch.stdout is not None
            latencies: list[float] = []
            early = 0.0
            for number in range(count):
                raw = messages[number % len(messages)].replace(
                    b"Message-ID: <", b"Message-ID: <new%d." % number
                )
                started = time.perf_counter()
                other.append(raw.replace(b"\n", b"\r\n"))
                line = watch.stdout.readline()
                latencies.append(time.perf_counter() - started)
                if not line:
                    raise RuntimeError("the watch ended")
                json.loads(line)
                if number == min(SETTLED, count // 2):
                    early = _resident_mb(watch.pid)
            return Watched(latencies, early, _resident_mb(watch.pid))


@contextmanager
def _watch(server: Dovecot) -> Generator[subprocess.Popen[str], None, None]:
    """A watch of the account that has said that it is ready."""
    with tempfile.TemporaryDirectory(prefix="gaia-bench-home-") as folder:
        environ = {**os.environ, "GAIA_HOME": folder}
        servers = {"imap_host": "127.0.0.1", "imap_port": str(server.port), "imap_security": "none"}
        account = Account(
            id=USER,
            provider="other",
            address=f"{USER}@example.org",
            server="imap",
            settings={**servers, "imap_user": USER},
            secret=f"command:echo {PASSWORD}",
        )
        store_account(account, environ)
        process = subprocess.Popen(
            [*GAIA, "watch", "--jsonl"],
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            _ready(process.stderr)
            yield process
        finally:
            process.terminate()
            process.wait()
            for stream in (process.stdout, process.stderr):
                if stream is not None:
                    stream.close()


def _ready(stream: IO[str] | None) -> None:
    assert stream is not None
    line = stream.readline()
    if not line.startswith("Watching"):
        raise RuntimeError(line + stream.read())


def _resident_mb(pid: int) -> float:
    text = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)
    return int(text.stdout) / 1024
