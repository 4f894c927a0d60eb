"""The scorecard's page and its diagram, made of `evals/scorecard.json`. Entry: `generate`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gaia_email_evals.diagram import to_svg
from gaia_email_evals.markdown import to_markdown
from gaia_email_evals.model import read_scorecard

SCORECARD = Path(__file__).resolve().parent.parent / "evals" / "scorecard.json"

FOREIGN = SCORECARD.with_name("foreign.md")
"""The table of `python -m evals.foreign`, kept as it was printed: its mail is not in this repository."""

INTRODUCTION = """\
This page shows how accurately mail is judged, first on mail by other people, source by source, as printed by
`python -m evals.foreign`. The model learned from none of these sources, and the fourth column uses costs of errors that
were chosen on the other sources.

{foreign}

All other figures are about the labelled messages of this repository, which were invented for it and labelled according
to the [label guide](../evals/LABELS.md). Part dev is used while the code is written. Part test is locked, so its
column is the honest one. Figures have 95 % intervals, Wilson's for shares and bootstrap intervals for the others;
[evaluation.md](evaluation.md) defines each figure. `make scorecard` writes this page, and `make check` fails if part
dev gets worse than its intervals allow."""


def generate() -> Iterator[tuple[Path, str]]:
    """The two files; made of the scorecard alone, so no message is judged here."""
    scorecard = read_scorecard(SCORECARD)
    introduction = INTRODUCTION.format(foreign=FOREIGN.read_text(encoding="utf-8").strip())
    yield (
        Path("docs/scorecard.md"),
        to_markdown(scorecard, introduction=introduction, picture="scorecard.svg"),
    )
    yield Path("docs/scorecard.svg"), to_svg(scorecard)
