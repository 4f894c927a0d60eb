"""From key to prompt: eight commands on a connected mailbox that is synced. Entry: `rows`.

Every command is a process of its own on a terminal, as a person starts it; five runs each, the commands taking turns:
median, range, and the median of the processor's time, which a busy machine changes less. Each has run once before, and
nothing is new since. Beside them stand `notmuch search` and `himalaya envelope list` on the same mail, or that they
are not installed. 50,000 messages take minutes to be judged for the first time; `--size 50000` asks for them.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import tempfile
import termios
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from benchmarks.measure import GAIA, Row, bench_mailbox

SIZE = 1_000
RUNS = 5
AIM_S, AIM_LARGE_S, LARGE = 0.4, 0.55, 10_000
"""Seconds from the key to the prompt, the second of mailboxes from that size on."""

PEERS = ("notmuch", "himalaya")

TERMINAL = (40, 100)
"""Lines and columns."""


def rows(*, quick: bool = False, sizes: Sequence[int] = ()) -> list[Row]:
    """Eight commands at each size, of 1,000 messages where none is given; with `quick` each is run once."""
    found: list[Row] = []
    for size in sizes or (SIZE,):
        with tempfile.TemporaryDirectory() as home:
            found += _rows(size, Path(home), 1 if quick else RUNS)
    return found


def _rows(size: int, home: Path, runs: int) -> list[Row]:
    mail = bench_mailbox(size)
    environ = {**os.environ, "GAIA_HOME": str(home / "gaia"), "NO_COLOR": "1"}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled once, not at every start
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
    peers = {"search": _notmuch(mail, home, environ), "inbox": _himalaya(mail, home, environ)}
    times: dict[str, list[Took]] = {name: [] for name in commands}
    theirs: dict[str, list[Took]] = {name: [] for name in commands}
    for arguments in commands.values():
        on_terminal([*GAIA, *arguments], environ)
    for _ in range(runs):
        for name, arguments in commands.items():
            times[name].append(on_terminal([*GAIA, *arguments], environ))
            if peer := peers.get(name):
                theirs[name].append(on_terminal(peer.command, peer.environ))
    aim = AIM_S if size < LARGE else AIM_LARGE_S
    found = [
        _row(f"{size:,} messages: {name}", times[name], theirs[name], peers.get(name), aim) for name in times
    ]
    return found + [_missing(name) for name in PEERS if not shutil.which(name)]


def _missing(peer: str) -> Row:
    return Row(name=peer, ours="", theirs=f"{peer} is not installed", ratio=None, target="", met=None)


def _row(name: str, ours: list[Took], theirs: list[Took], peer: _Peer | None, aim: float) -> Row:
    median = _median(ours)
    return Row(
        name=name,
        ours=_shown(ours),
        theirs=f"{peer.name} {_shown(theirs)}" if peer else "",
        ratio=median / _median(theirs) if peer else None,
        target=f"<= {aim} s",
        met=median <= aim,
    )


def _median(took: Sequence[Took]) -> float:
    return statistics.median(one.seconds for one in took)


def _shown(took: Sequence[Took]) -> str:
    seconds = [one.seconds for one in took]
    processor = statistics.median(one.processor for one in took)
    return f"{_median(took):.2f} s ({min(seconds):.2f}-{max(seconds):.2f}), {processor:.2f} CPU"


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """Seconds from start to end of a process, and of the processor's time, its children's included."""

    seconds: float
    processor: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Peer:
    """What another program does with the same mail."""

    name: str
    command: Sequence[str]
    environ: Mapping[str, str]


def _notmuch(mail: Path, home: Path, environ: Mapping[str, str]) -> _Peer | None:
    if not shutil.which("notmuch"):
        return None
    config, database = home / "notmuch-config", home / "notmuch"
    database.mkdir()
    config.write_text(
        f"[database]\npath={database}\nmail_root={mail}\n[user]\nname=a\nprimary_email=a@example.com\n",
        encoding="utf-8",
    )
    environ = {**environ, "NOTMUCH_CONFIG": str(config)}
    _run(["notmuch", "new", "--quiet"], environ)
    command = ["notmuch", "search", "--limit=20", "contract"]
    return _Peer(name="notmuch search", command=command, environ=environ)


def _himalaya(mail: Path, home: Path, environ: Mapping[str, str]) -> _Peer | None:
    """Its `envelope list` reads the Maildir itself (docs of himalaya, `backend.type = "maildir"`)."""
    if not shutil.which("himalaya"):
        return None
    config = home / "himalaya.toml"
    config.write_text(
        '[accounts.bench]\ndefault = true\nemail = "a@example.com"\n'
        f'backend.type = "maildir"\nbackend.root-dir = "{mail}"\n',
        encoding="utf-8",
    )
    command = ["himalaya", "-c", str(config), "envelope", "list"]
    return _Peer(name="himalaya envelope list", command=command, environ=environ)


def on_terminal(command: Sequence[str], environ: Mapping[str, str]) -> Took:
    """Run a command to its end on a pseudo-terminal, whatever it shows there.

    Raises:
        RuntimeError: It failed.
    """
    ours, its = os.openpty()
    termios.tcsetwinsize(its, TERMINAL)
    started = perf_counter()
    process = subprocess.Popen(
        command, env=environ, stdin=its, stdout=its, stderr=its, start_new_session=True
    )
    os.close(its)
    with os.fdopen(ours, "rb", buffering=0) as screen, suppress(OSError):  # EIO: nobody has the terminal open
        while screen.read(65_536):
            pass
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    return Took(seconds=perf_counter() - started, processor=usage.ru_utime + usage.ru_stime)


def _run(command: Sequence[str], environ: Mapping[str, str]) -> None:
    subprocess.run(command, env=environ, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _output(command: Sequence[str], environ: Mapping[str, str]) -> bytes:
    return subprocess.run(command, env=environ, check=True, capture_output=True).stdout
