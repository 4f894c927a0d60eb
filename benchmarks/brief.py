"""What a brief costs beside the inbox it is made of, 5,000 messages, without a language model. Entry: `rows`.

Pairs in turns, each command a process of its own on a terminal, by the processor's time, which a busy machine changes
less. The mailbox is a connected Maildir, all of whose mail was judged and read before.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from benchmarks.commands import on_terminal
from benchmarks.inbox import Side
from benchmarks.measure import GAIA, Row

SIZE, PAIRS, AIM = 5_000, 7, 1.5


def rows(*, quick: bool = False) -> list[Row]:
    """Of 5,000 messages; with `quick` of 1,000 and three pairs."""
    size, pairs = (1_000, 3) if quick else (SIZE, PAIRS)
    with tempfile.TemporaryDirectory() as home:
        side = Side.made(size, Path(home))
        side.run("brief")
        took = [
            [on_terminal([*GAIA, command], side.environ).processor for command in ("inbox", "brief")]
            for _ in range(pairs)
        ]
    ratios = [brief / inbox for inbox, brief in took]
    ratio = statistics.median(ratios)
    inbox, brief = (statistics.median(pair[at] for pair in took) for at in (0, 1))
    return [
        Row(
            name=f"brief, nothing new: {size:,} messages",
            ours=f"{brief:.2f} s CPU",
            theirs=f"inbox, {inbox:.2f} s ({min(ratios):.2f}-{max(ratios):.2f})",
            ratio=ratio,
            target=f"<= {AIM:g}",
            met=ratio <= AIM,
        )
    ]
