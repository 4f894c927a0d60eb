"""A scorecard for a terminal. Entry: `EvalCard`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from gaia_email.interfaces.cli.output import console
from gaia_email_evals.figures import Figure, figures
from gaia_email_evals.model import BucketChoice, Calibration, Section, Share
from gaia_email_evals.wording import (
    BASELINES,
    bar,
    compared_in_words,
    estimate_in_words,
    in_words,
    percent,
    share_in_words,
)
from gaia_mail.printable import visible
from gaia_understanding.cascade.verdict import BUCKETS

LABEL = 24
SAID = 19
CELL = 14
SLICES = 8
"""Maximum languages and sources shown; `--json` has the rest."""

OUTCOMES = {"better": "bold green", "worse": "bold red", "no difference": "bold"}


class EvalCard:
    """A printer of one section of a scorecard.

    Args:
        section: The results.
        out: The output; standard output by default.
    """

    def __init__(self, section: Section, out: Console | None = None) -> None:
        self._section = section
        self._console = out or console()

    def print(self) -> None:
        """Print the whole card."""
        section = self._section
        self._head()
        self._figures(figure for figure in figures(section) if " F1 " not in figure.name)
        self._baselines()
        if section.buckets:
            self._confusion(section.buckets)
        if section.calibration:
            self._calibration(section.calibration)
        self._slices("by language", section.languages)
        self._slices("by source", section.sources)
        self._comparison()
        if section.comparison is None:
            self._put("")
            self._row("next", "gaia email eval --out before.json, then after a change", "dim")
            self._row("", "gaia email eval --compare before.json", "dim")

    def _head(self) -> None:
        section = self._section
        line = Text("labelled mail", style="bold")
        line.append(f"  {section.messages:,} messages · part {section.part}", style="dim")
        if section.latency:
            time = section.latency
            line.append(
                f" · {time.median_ms:.1f} ms a message, 95 % in {time.p95_ms:.1f} ms",
                style="dim",
            )
        self._console.print(line)
        if section.failed:
            self._put(
                f"{section.failed:,} messages could not be understood at all; they count as wrong.", "red"
            )
        self._put("")

    def _figures(self, found: Iterable[Figure]) -> None:
        for figure in found:
            self._row(figure.name, in_words(figure))

    def _baselines(self) -> None:
        for key, what in BASELINES.items():
            found = self._section.baselines.get(key)
            if found:
                words = f"{share_in_words(found.accuracy)}, F1 {estimate_in_words(found.macro_f1)}"
                self._row(f"  {what}", f"{words} · baseline", "dim")

    def _confusion(self, scored: BucketChoice) -> None:
        self._put("")
        self._put(_cells("labelled ↓  said →", [*BUCKETS, "F1"]), "bold")
        for name, said in scored.confusion.items():
            counts = [str(said[bucket]) for bucket in BUCKETS]
            self._put(_cells(f"  {name}", [*counts, f"{scored.classes[name].f1.value:.2f}"]))

    def _calibration(self, found: Calibration) -> None:
        self._put("")
        self._put("confidence stated → right", "bold")
        for one in found.bins:
            right = f"{percent(one.right.value):>3} % of {one.right.of:,}"
            self._row(f"  {percent(one.said)} %", f"{bar(one.right.value)} {right}")

    def _slices(self, title: str, slices: Mapping[str, Share]) -> None:
        if not slices:
            return
        self._put("")
        self._put(title, "bold")
        for name, found in list(slices.items())[:SLICES]:
            self._row(f"  {visible(name)}", f"{share_in_words(found)} of {found.of:,}")
        if len(slices) > SLICES:
            self._put(f"  and {len(slices) - SLICES} more with --json", "dim")

    def _comparison(self) -> None:
        comparison = self._section.comparison
        if comparison is None:
            return
        first, *rest = compared_in_words(comparison)
        self._put("")
        self._put(first, OUTCOMES[comparison.outcome])
        for line in rest:
            self._put(f"  {line}")

    def _row(self, label: str, value: str, style: str = "") -> None:
        self._put(f"{label}{' ' * max(1, LABEL - cell_len(label))}{value}", style)

    def _put(self, line: str, style: str = "") -> None:
        self._console.print(Text(line, style=style))


def _cells(label: str, cells: Iterable[str]) -> str:
    *counts, last = cells
    return f"{label:<{SAID}}" + "".join(f"{cell:>{CELL}}" for cell in counts) + f"{last:>5}"
