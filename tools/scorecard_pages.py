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
How well mail is understood. First on mail by others, source by source, as `python -m evals.foreign` printed it; the
model learned from none of it, and the costs of errors in the fourth column were chosen on the other sources.

{foreign}

The rest is on the labelled messages of this repository: written for it, by the
[label guide](../evals/LABELS.md), none of them anybody's mail. Part dev is looked at while the code is written; part
test is locked, so that is the honest column. Figures stand with their 95 % interval, Wilson's for shares, resampled
ones for the rest; [evaluation.md](evaluation.md) says how each is made. `make scorecard` writes this page, and
`make check` fails when part dev gets worse than its intervals allow."""


def generate() -> Iterator[tuple[Path, str]]:
    """The two files; made of the scorecard alone, so no message is judged here."""
    scorecard = read_scorecard(SCORECARD)
    introduction = INTRODUCTION.format(foreign=FOREIGN.read_text(encoding="utf-8").strip())
    yield (
        Path("docs/scorecard.md"),
        to_markdown(scorecard, introduction=introduction, picture="scorecard.svg"),
    )
    yield Path("docs/scorecard.svg"), to_svg(scorecard)
