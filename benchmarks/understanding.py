"""`classify` over a whole mailbox against `mu index` over the same, and how its memory grows. Entry: `rows`."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.measure import GAIA, Row, bench_mailbox, in_turn, median, run

SMALL, LARGE = 10_000, 50_000
PAIRS = 5
TAUGHT = 20
"""Corrections that are timed."""


def rows(*, quick: bool = False) -> list[Row]:
    """Speed on one core, memory at two sizes, start of the command line."""
    small = bench_mailbox(1_000 if quick else SMALL)
    found = [*_speed(small, 1_000 if quick else SMALL), _help(), _learning(small)]
    if not quick:
        found.insert(2, _memory(small, bench_mailbox(LARGE)))
    return found


def _speed(folder: Path, messages: int) -> list[Row]:
    mu = shutil.which("mu") is not None
    peer = "mu index" if mu else "stdlib email parser, nothing else"

    def ours(*options: str, one_core: bool) -> float:
        return run([*GAIA, "classify", *options, str(folder)], one_core=one_core).seconds

    def theirs() -> float:
        return _mu(folder) if mu else _read_and_parse(folder)

    alone = in_turn(lambda: ours(one_core=True), theirs, PAIRS)
    together = in_turn(lambda: ours("--jobs", "2", one_core=False), theirs, PAIRS)
    return [
        alone.row(f"classify {messages:,} messages, one core", peer, messages, 0.6),
        together.row(f"classify --jobs 2, {messages:,} messages, peer on one core", peer, messages, 1.0),
    ]


def _learning(folder: Path) -> Row:
    """One more correction of a mailbox whose owner has made as many as are learned from."""
    from gaia_understanding.cascade.builtin_tier import BuiltinTier
    from gaia_understanding.cascade.model.owner import MOST, OwnerLesson, OwnersModel
    from gaia_understanding.cascade.understand import decode
    from gaia_understanding.cascade.verdict import BUCKETS, Context
    from gaia_understanding.prepare.pipeline import prepare

    tier, lessons = BuiltinTier(), list[OwnerLesson]()
    for number, path in enumerate(sorted((folder / "cur").iterdir())[: MOST + TAUGHT]):
        seen = tier.extract_owner_features(prepare(decode(path.read_bytes())), Context())
        lessons.append(OwnerLesson(number=number, seen=seen, bucket=BUCKETS[number % len(BUCKETS)]))
    model, spent = OwnersModel(lessons[:MOST]), list[float]()
    for lesson in lessons[MOST:]:
        started = time.process_time()
        model.learn(lesson)
        spent.append(1000 * (time.process_time() - started))
    return Row(
        name=f"one more correction learned after {MOST}, the slowest of {TAUGHT}",
        ours=f"{max(spent):.0f} ms",
        theirs="",
        ratio=None,
        target="< 50 ms",
        met=max(spent) < 50,
    )


def _mu(folder: Path) -> float:
    with tempfile.TemporaryDirectory() as home:
        subprocess.run(
            ["mu", "init", f"--muhome={home}/mu", f"--maildir={folder}"],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return run(["mu", "index", f"--muhome={home}/mu", "--quiet"], one_core=True).seconds


def _read_and_parse(folder: Path) -> float:
    import email

    started = time.perf_counter()
    for path in sorted((folder / "cur").iterdir()):
        message = email.message_from_bytes(path.read_bytes())
        for part in message.walk():
            part.get_payload(decode=True)
    return time.perf_counter() - started


def _memory(small: Path, large: Path) -> Row:
    at_small = run([*GAIA, "classify", str(small)]).peak_mb
    at_large = run([*GAIA, "classify", str(large)]).peak_mb
    ratio = at_large / at_small
    return Row(
        name=f"peak memory of classify, {LARGE:,} against {SMALL:,} messages",
        ours=f"{at_large:.0f} MB",
        theirs=f"{at_small:.0f} MB",
        ratio=ratio,
        target="<= 1.3",
        met=ratio <= 1.3,
    )


def _help() -> Row:
    ours = median([*GAIA, "--help"], 9)
    floor = median([GAIA[0], "-c", "pass"], 9)
    return Row(
        name="gaia email --help against python -c pass",
        ours=f"{ours * 1000:.0f} ms",
        theirs=f"{floor * 1000:.0f} ms",
        ratio=ours / floor,
        target="<= 10",
        met=ours / floor <= 10,
    )
