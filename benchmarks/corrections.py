"""What a correction costs: the next `inbox` beside one without, and `correct` itself. Entry: `rows`.

Every command is a process of its own whose output is no terminal, so each `inbox` reads the rows of all threads. Pairs
of an `inbox` with nothing new and one right after a correction take turns.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path
from time import perf_counter

from benchmarks.measure import GAIA, Row, bench_mailbox, let_scripts_answer

SIZE, PAIRS, AIM = 5_000, 7, 1.3
_INTO = ("urgent", "low_priority", "actionable", "informational")


def rows(*, quick: bool = False) -> list[Row]:
    """Of 5,000 messages; with `quick` of 1,000 and three pairs."""
    size, pairs = (1_000, 3) if quick else (SIZE, PAIRS)
    with tempfile.TemporaryDirectory() as home:
        environ = {**os.environ, "GAIA_HOME": str(Path(home) / "gaia"), "NO_COLOR": "1"}

        def took(*arguments: str) -> tuple[float, bytes]:
            started = perf_counter()
            done = subprocess.run([*GAIA, *arguments], env=environ, check=True, capture_output=True)
            return perf_counter() - started, done.stdout

        let_scripts_answer(environ)
        took("connect", "--maildir", str(bench_mailbox(size)))
        first, _ = took("inbox")
        listed = json.loads(took("inbox", "--json")[1])
        ids = [row["id"] for some in listed["buckets"].values() for row in some]
        without, correct, after = list[float](), list[float](), list[float]()
        for number in range(pairs):
            without.append(took("inbox")[0])
            chosen = ids[number * len(ids) // pairs]
            correct.append(took("correct", chosen, "--bucket", _INTO[number % len(_INTO)])[0])
            after.append(took("inbox")[0])
    ratios = [one / other for one, other in zip(after, without, strict=True)]
    ratio = statistics.median(ratios)
    return [
        Row(
            name=f"{size:,} messages: inbox after a correction",
            ours=f"{statistics.median(after):.2f} s",
            theirs=f"without, {statistics.median(without):.2f} s ({min(ratios):.2f}-{max(ratios):.2f})",
            ratio=ratio,
            target=f"<= {AIM:g}",
            met=ratio <= AIM,
        ),
        Row(
            name=f"{size:,} messages: correct",
            ours=f"{statistics.median(correct):.2f} s",
            theirs=f"the first inbox, {first:.1f} s",
            ratio=None,
            target="",
            met=None,
        ),
    ]
