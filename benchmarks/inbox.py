"""What `inbox` costs a large mailbox beside a small one: 50,000 messages beside 1,000. Entry: `rows`.

Pairs in turns, each command a process of its own, by the processor's time, which a busy machine changes less. The first
look at the small one is compared with `classify` of the same messages.
"""

from __future__ import annotations

import json
import mailbox
import os
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import partial
from pathlib import Path

from benchmarks.commands import Took, on_terminal
from benchmarks.measure import GAIA, Row, bench_mailbox, let_scripts_answer

SMALL, LARGE, PAIRS, AIM, FIRST_AIM = 1_000, 50_000, 5, 2.0, 1.5
_INTO = ("low_priority", "actionable")


@dataclass(slots=True, kw_only=True)
class Side:
    """A connected Maildir of its own, all of whose mail was judged before."""

    messages: int
    folder: Path
    environ: Mapping[str, str]
    written: int = 0

    @staticmethod
    def made(messages: int, home: Path) -> Side:
        """Of the mailbox of the other benchmarks, copied."""
        folder = home / f"mail-{messages}"
        shutil.copytree(bench_mailbox(messages), folder)
        environ = {**os.environ, "GAIA_HOME": str(home / f"gaia-{messages}"), "NO_COLOR": "1"}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled once
        let_scripts_answer(environ)
        side = Side(messages=messages, folder=folder, environ=environ)
        for command in (("connect", "--maildir", str(folder)), ("inbox",), ("inbox",)):
            side.run(*command)
        return side

    def run(self, *arguments: str) -> bytes:
        """A command, and what it printed."""
        command = [*GAIA, *arguments]
        return subprocess.run(command, env=self.environ, check=True, capture_output=True).stdout

    def inbox(self) -> Took:
        """A look at a terminal."""
        return on_terminal([*GAIA, "inbox"], self.environ)

    def as_json(self) -> Took:
        """Every thread as JSON."""
        return on_terminal(["sh", "-c", 'exec "$0" "$@" > /dev/null', *GAIA, "inbox", "--json"], self.environ)

    def after_correction(self) -> Took:
        """A look right after the user moved a message and took that back, so that each time there is one correction."""
        listed = json.loads(self.run("inbox", "--json", "--limit", "3"))["buckets"]
        bucket, chosen = next((name, row["id"]) for name, rows in listed.items() for row in rows)
        self.run("correct", chosen, "--bucket", next(one for one in _INTO if one != bucket))
        took = self.inbox()
        self.run("correct", chosen, "--retract")
        self.inbox()
        return took

    def after_new_mail(self, sender: str = "", to: str = "me@example.org") -> Took:
        """A look right after a message came, a minute after the one before; without a sender, from a new one."""
        self.written += 1
        listed = json.loads(self.run("inbox", "--json"))["buckets"].values()
        newest = max(datetime.fromisoformat(row["date"]) for rows in listed for row in rows if row["date"])
        mailbox.Maildir(self.folder).add(
            f"From: {sender or f'Newcomer <new{self.written}@example.com>'}\nTo: {to}\nSubject: Plan {self.written}\n"
            f"Date: {format_datetime((newest + timedelta(minutes=1)).astimezone(UTC))}\n"
            f"Message-ID: <new{self.written}@example.com>\n\nCould you send me the plan by Friday?\n"
        )
        return self.inbox()


CASES: Mapping[str, Callable[[Side], Took]] = {
    "inbox, nothing new": Side.inbox,
    "inbox after a correction": Side.after_correction,
    "inbox --json": Side.as_json,
    "inbox after a message from a new sender": Side.after_new_mail,
    "inbox after a message from a known sender": partial(Side.after_new_mail, sender="Kim <kim@example.com>"),
    "inbox after a message to another address": partial(Side.after_new_mail, to="other@example.org"),
}


def rows(*, quick: bool = False, sizes: Sequence[int] = ()) -> list[Row]:
    """Of 1,000 and 50,000 messages (or `sizes`, two); with `quick` of 200 and 1,000, three pairs."""
    small, large = sizes if len(sizes) == 2 else (200, 1_000) if quick else (SMALL, LARGE)
    with tempfile.TemporaryDirectory() as home:
        sides = [Side.made(size, Path(home)) for size in (small, large)]
        pairs = 3 if quick else PAIRS
        first = _first_look(sides[0], Path(home), pairs)
        return [*(_row(name, case, sides, pairs) for name, case in CASES.items()), first]


def _first_look(side: Side, home: Path, pairs: int) -> Row:
    """The first listing of a connected mailbox beside `classify` of its messages."""
    took: list[tuple[float, float]] = []
    for number in range(pairs):
        environ = {**side.environ, "GAIA_HOME": str(home / f"first-{number}")}
        fresh = Side(messages=side.messages, folder=side.folder, environ=environ)
        fresh.run("connect", "--maildir", str(side.folder))
        command = ["sh", "-c", 'exec "$0" "$@" > /dev/null', *GAIA, "classify", str(side.folder)]
        took.append((fresh.inbox().processor, on_terminal(command, environ).processor))
    ratios = [first / classified for first, classified in took]
    ratio = statistics.median(ratios)
    return Row(
        name=f"first look: {side.messages:,} messages",
        ours=f"{statistics.median(first for first, _ in took):.2f} s CPU",
        theirs=f"classify ({min(ratios):.2f}-{max(ratios):.2f})",
        ratio=ratio,
        target=f"<= {FIRST_AIM:g}",
        met=ratio <= FIRST_AIM,
    )


def _row(name: str, case: Callable[[Side], Took], sides: Sequence[Side], pairs: int) -> Row:
    took = [[case(side) for side in sides] for _ in range(pairs)]
    ratios = [large.processor / small.processor for small, large in took]
    ratio = statistics.median(ratios)
    seconds = [statistics.median(pair[at].processor for pair in took) for at in (0, 1)]
    small, large = (side.messages for side in sides)
    return Row(
        name=f"{name}: {large:,} messages",
        ours=f"{seconds[1]:.2f} s CPU",
        theirs=f"{small:,}: {seconds[0]:.2f} s ({min(ratios):.2f}-{max(ratios):.2f})",
        ratio=ratio,
        target=f"<= {AIM:g}",
        met=ratio <= AIM,
    )
