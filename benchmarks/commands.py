"""From key to prompt: eight commands on a connected mailbox that is synced. Entry: `rows`.

Every command is a process of its own, as a person starts it; five runs each, the commands taking turns, median and
range. Beside them stands `notmuch search` on the same mail where it is installed.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter

from benchmarks.measure import GAIA, Row, bench_mailbox

SIZES = (1_000, 50_000)
RUNS = 5
AIM_S = {1_000: 0.4, 50_000: 0.55}
"""Seconds from the key to the prompt."""


def rows(*, quick: bool = False) -> list[Row]:
    """Eight commands at each size; with `quick` the smaller one only."""
    found: list[Row] = []
    for size in SIZES[:1] if quick else SIZES:
        with tempfile.TemporaryDirectory() as home:
            found += _rows(size, Path(home))
    return found


def _rows(size: int, home: Path) -> list[Row]:
    mail = bench_mailbox(size)
    environ = {**os.environ, "GAIA_HOME": str(home / "gaia"), "NO_COLOR": "1"}
    _run([*GAIA, "connect", "--maildir", str(mail)], environ)
    _run([*GAIA, "search", "contract", "--json"], environ)
    listed = json.loads(_output([*GAIA, "inbox", "--json"], environ))
    first = next(row["id"] for rows in listed["buckets"].values() for row in rows)
    commands: dict[str, Sequence[str]] = {
        "inbox": ("inbox",),
        "inbox --since 7d": ("inbox", "--since", "7d"),
        "triage": ("triage",),
        "why ID": ("why", first),
        "show ID": ("show", first),
        "search": ("search", "contract"),
        "status": ("status",),
        "actions": ("actions",),
    }
    peer = _notmuch(mail, home, environ)
    times: dict[str, list[float]] = {name: [] for name in commands}
    theirs: list[float] = []
    for _ in range(RUNS):
        for name, arguments in commands.items():
            times[name].append(_run([*GAIA, *arguments], environ))
        if peer:
            theirs.append(_run(peer[0], peer[1]))
    other = f"notmuch search {_shown(theirs)}" if theirs else ""
    return [
        Row(
            name=f"{size:,} messages: {name}",
            ours=_shown(found),
            theirs=other if name == "search" else "",
            ratio=statistics.median(found) / statistics.median(theirs)
            if theirs and name == "search"
            else None,
            target=f"<= {AIM_S[size]} s",
            met=statistics.median(found) <= AIM_S[size],
        )
        for name, found in times.items()
    ]


def _shown(seconds: Sequence[float]) -> str:
    return f"{statistics.median(seconds):.2f} s ({min(seconds):.2f}-{max(seconds):.2f})"


def _notmuch(
    mail: Path, home: Path, environ: Mapping[str, str]
) -> tuple[Sequence[str], Mapping[str, str]] | None:
    if not shutil.which("notmuch"):
        return None
    config = home / "notmuch-config"
    config.write_text(
        f"[database]\npath={mail}\n[user]\nname=a\nprimary_email=a@example.com\n", encoding="utf-8"
    )
    environ = {**environ, "NOTMUCH_CONFIG": str(config)}
    _run(["notmuch", "new", "--quiet"], environ)
    return ["notmuch", "search", "--limit=20", "contract"], environ


def _run(command: Sequence[str], environ: Mapping[str, str]) -> float:
    started = perf_counter()
    subprocess.run(command, env=environ, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return perf_counter() - started


def _output(command: Sequence[str], environ: Mapping[str, str]) -> bytes:
    return subprocess.run(command, env=environ, check=True, capture_output=True).stdout
