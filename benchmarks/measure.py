"""Running a command as a whole process and reading what the system says of it. Entry points: `run`, `Row`."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PYTHON = sys.executable
GAIA = [PYTHON, "-c", "from gaia_email.interfaces.cli import main; main()", "email"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """Wall seconds and peak resident memory (MB) of one finished process."""

    seconds: float
    peak_mb: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the report. `met` is None where the benchmark has no target."""

    name: str
    ours: str
    theirs: str
    ratio: float | None
    target: str
    met: bool | None


def let_scripts_answer(environ: Mapping[str, str]) -> None:
    """Have commands that a person answers take the benchmark's word, in the home of these variables.

    Raises:
        CalledProcessError: The ledger there cannot be written.
    """
    let = "from gaia_email.app import App; from gaia_email.app.services.scripts import let_scripts_answer; "
    let += "let_scripts_answer(App(), answer=True)"
    subprocess.run([PYTHON, "-c", let], env={**environ}, check=True)


def run(command: Sequence[str], *, one_core: bool = False, output: Path | None = None) -> Ran:
    """Run to the end; `one_core` pins it to the first processor where the system can.

    Raises:
        RuntimeError: It failed.
    """
    words = list(command)
    if one_core and shutil.which("taskset"):
        words = ["taskset", "-c", "0", *words]
    started = time.perf_counter()
    with open(output or os.devnull, "wb") as sink:
        process = subprocess.Popen(words, stdout=sink, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}")
    divisor = 1024 if sys.platform.startswith("linux") else 1024 * 1024
    return Ran(seconds=time.perf_counter() - started, peak_mb=usage.ru_maxrss / divisor)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Seconds of ours and of a peer's, measured in turn so that a busy machine slows both."""

    ours: Sequence[float]
    theirs: Sequence[float]

    @property
    def ratio(self) -> float:
        """How many times as fast we are: the median of the pairs."""
        return statistics.median(self._ratios())

    def row(self, name: str, peer: str, amount: int, aim: float) -> Row:
        """The line of the report: messages a second of both, the median ratio of the pairs, and their range."""
        ratios = self._ratios()
        speed = amount / statistics.median(self.theirs)
        return Row(
            name=name,
            ours=f"{amount / statistics.median(self.ours):,.0f} msg/s",
            theirs=f"{peer}, {speed:,.0f} msg/s ({min(ratios):.2f}-{max(ratios):.2f})",
            ratio=self.ratio,
            target=f">= {aim:g}",
            met=self.ratio >= aim,
        )

    def _ratios(self) -> list[float]:
        return [theirs / ours for ours, theirs in zip(self.ours, self.theirs, strict=True)]


def in_turn(ours: Callable[[], float], theirs: Callable[[], float], times: int) -> Pairs:
    """Both after each other, that many times."""
    taken = [(ours(), theirs()) for _ in range(times)]
    return Pairs(ours=[mine for mine, _ in taken], theirs=[other for _, other in taken])


def median(command: Sequence[str], runs: int, *, one_core: bool = False) -> float:
    """Median wall seconds of several runs after one that is not counted."""
    run(command, one_core=one_core)
    return statistics.median(run(command, one_core=one_core).seconds for _ in range(runs))


def bench_mailbox(messages: int) -> Path:
    """A Maildir of that many messages, made once and kept in the temporary directory.

    The common generator is used where this checkout has it beside it; otherwise the sample mailbox is
    repeated under new ids.
    """
    folder = Path(tempfile.gettempdir()) / f"gaia-bench-{messages}"
    if (folder / "done").exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    generator = Path(__file__).resolve().parents[2] / "shared" / "bench" / "gen_mailbox.py"
    if generator.exists():
        subprocess.run(
            [PYTHON, str(generator), str(folder), str(messages)], check=True, stdout=subprocess.DEVNULL
        )
    else:
        _repeat_sample(folder, messages)
    (folder / "done").touch()
    return folder


def _repeat_sample(folder: Path, messages: int) -> None:
    from datetime import UTC, datetime

    from gaia_email.app.sample.mailbox import sample_messages

    for part in ("cur", "new", "tmp"):
        (folder / part).mkdir(parents=True)
    sample = sample_messages(datetime(2026, 1, 1, tzinfo=UTC))
    for number in range(messages):
        message = sample[number % len(sample)]
        raw = message.raw.replace(b"Message-ID: <", b"Message-ID: <%d." % number)
        (folder / "cur" / f"{number:07d}.{message.name}:2,S").write_bytes(raw)
