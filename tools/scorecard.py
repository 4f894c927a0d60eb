"""Scores the labelled messages of this repository into the checked-in scorecard: `python -m tools.scorecard [--check]`.

With `--check` nothing is written: part dev is scored again, and the exit code is 1 when a figure has got worse beyond
its interval or the checked-in figures are no longer true. The pages in `docs/` are made of the scorecard by
`tools.generate`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from gaia_email.triage.tiers import default_tier
from gaia_email_evals.cases import LabelledMessage, Part
from gaia_email_evals.compare import compare
from gaia_email_evals.figures import HEADLINES, figures
from gaia_email_evals.judging import ScoredMessage, full_group, full_name, judge
from gaia_email_evals.model import Scorecard, Section, read_scorecard
from gaia_email_evals.reading import read_cases
from gaia_email_evals.scoring import label_digest, score
from gaia_email_evals.wording import compared_in_words
from gaia_email_registry.errors import MailError

ROOT = Path(__file__).resolve().parent.parent
FIXTURES, SCORECARD = ROOT / "evals" / "fixtures", ROOT / "evals" / "scorecard.json"
PUBLISHED: tuple[Part, ...] = ("dev", "test")
STALE_FROM = 0.01
"""A published headline may be off by a point; less need not be written at once."""

REMEDY = "if that is meant, write it again: make scorecard"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the scorecard, or check it."""
    parser = argparse.ArgumentParser(prog="python -m tools.scorecard", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 if worse or stale")
    check = parser.parse_args(arguments).check
    cases = read_cases([FIXTURES], "all")
    dev = _judged(cases, "dev")
    old = _published()
    if check:
        problems = list(find_problems(old, dev, label_digests(cases)))
        for problem in problems:
            sys.stderr.write(f"scorecard: {problem}\n")
        if problems:
            sys.stderr.write(f"scorecard: {REMEDY}\n")
        return 1 if problems else 0
    before = old.part("dev") if old else None
    section = score(dev, "dev", timed=False)
    # The outcomes of the locked part are not kept: whoever can see which messages fail will tune on them.
    locked = score(_judged(cases, "test"), "test", rows=False, timed=False)
    SCORECARD.write_text(Scorecard(parts=(section, locked)).to_json(), encoding="utf-8", newline="\n")
    sys.stdout.write(f"wrote {SCORECARD.relative_to(ROOT)}\n")
    if before:
        sys.stdout.write("\n".join(["part dev:", *compared_in_words(compare(before, section, dev))]) + "\n")
    return 0


def find_problems(
    published: Scorecard | None, dev: Sequence[ScoredMessage], digests: dict[Part, str]
) -> Iterator[str]:
    """Why the published scorecard cannot stay as it is, a sentence each.

    Args:
        published: The checked-in one; None where it is missing or unreadable.
        dev: Part dev as the code of today judges it.
        digests: `label_digests` of today's messages.
    """
    old = published.part("dev") if published else None
    if published is None or old is None:
        yield "it is missing or of another version"
        return
    for part in PUBLISHED:
        section = published.part(part)
        if section is None or section.labels != digests[part]:
            yield f"the messages or labels of part {part} have changed since it was written"
    new = score(dev, "dev", timed=False)
    comparison = compare(old, new, dev)
    if comparison.outcome == "worse":
        yield from compared_in_words(comparison)
    yield from _drifted(old, new)


def label_digests(cases: Sequence[LabelledMessage]) -> dict[Part, str]:
    """The digest of each published part, without judging a message of it."""
    return {
        part: label_digest(
            (full_name(case), full_group(case), case.labels) for case in cases if case.part == part
        )
        for part in PUBLISHED
    }


def _drifted(old: Section, new: Section) -> Iterator[str]:
    now = {figure.name: figure.value for figure in figures(new)}
    for figure in figures(old):
        value = now.get(figure.name, 0.0)
        if figure.name in HEADLINES and round(abs(value - figure.value), 4) > STALE_FROM:
            yield f"{figure.name} is published as {figure.value:.3f} and is {value:.3f}"


def _judged(cases: Sequence[LabelledMessage], part: Part) -> list[ScoredMessage]:
    return list(
        judge(
            (case for case in cases if case.part == part), default_tier(summaries=False, environ=os.environ)
        )
    )


def _published() -> Scorecard | None:
    try:
        return read_scorecard(SCORECARD)
    except MailError:
        return None


if __name__ == "__main__":
    raise SystemExit(main())
