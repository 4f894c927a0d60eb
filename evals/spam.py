"""How much spam the program finds that it has not learned: `python -m evals.spam --corpora FOLDER`.

Each mail of the SpamAssassin sample is judged by a model that saw neither it nor, in the second figure, any mail of the
same list, firm, person or subject. The rules and the program's own caution (`opinion.spam_score`) apply as they do when
it runs; the model alone would accuse more.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evals.datasets import SPAM_CORPUS, Row
from evals.logistic import softmax
from evals.train import CLASSES, TASKS, held_out, read_classes, read_rows
from gaia_email_evals.labelled import read_labelled
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.model.combine import spam_score
from gaia_understanding.cascade.priority import RuleFindings
from gaia_understanding.cascade.understand import decode
from gaia_understanding.cascade.verdict import Context
from gaia_understanding.prepare.pipeline import prepare

YES = 0.5
_SPAM, _EASY, _HARD = "spam", "easy", "hard"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One mail: `spam`, `hard` or `easy`, and the score that the program gives it."""

    kind: str
    score: float


def scored(rows: Sequence[Row], found: Mapping[str, RuleFindings], *, by_sender: bool) -> Iterator[Scored]:
    """The mails of the corpus as the program judges them with a model that never saw them.

    Args:
        rows: Everything the model learns from, with the corpus's own among it.
        found: What the rules found in each mail of the corpus, by its name.
        by_sender: Whether mails of one sender or subject are kept apart, too.
    """
    task = next(task for task in TASKS if task.name == "spam")
    known = [
        row if by_sender or row.name not in found else replace(row, group=row.name)
        for row in rows
        if task.name in row.answers and (row.part == "train" or "bucket" not in row.answers)
    ]
    seen: set[str] = set()
    for row, scores in held_out(known, task, read_classes(CLASSES)):
        # The first of a mail's forms is the mail as it is; the others only teach.
        if row.name not in found or row.name in seen:
            continue
        seen.add(row.name)
        likely = softmax(list(scores))[task.answers.index("yes")]
        kind = _SPAM if row.answers["spam"] == "yes" else _HARD if row.source.startswith(_HARD) else _EASY
        yield Scored(kind=kind, score=spam_score(found[row.name], likely))


def findings(corpora: Path) -> dict[str, RuleFindings]:
    """What the rules find in every mail of the sample, by its name."""
    tier = BuiltinTier()
    cases = read_labelled(corpora / SPAM_CORPUS / "expected.jsonl")
    return {case.name: tier.findings(prepare(decode(case.raw)), Context()) for case in cases}


def table(mails: Sequence[Scored]) -> str:
    """Spam found and honest mail accused at one half, then the share found where 2 % of all honest mail is accused."""
    parts = {kind: [one.score for one in mails if one.kind == kind] for kind in (_SPAM, _EASY, _HARD)}
    ham = sorted([*parts[_EASY], *parts[_HARD]])
    limit = ham[int(0.98 * len(ham))]
    return (
        f"spam found {_share(parts[_SPAM])}; easy ham accused {_share(parts[_EASY])}, hard ham "
        f"{_share(parts[_HARD])}, all ham {_share(ham)}; spam found where 2 % of all ham is accused "
        f"{sum(score > limit for score in parts[_SPAM]) / max(1, len(parts[_SPAM])):.3f}"
    )


def _share(scores: Sequence[float]) -> str:
    return f"{sum(score >= YES for score in scores)} of {len(scores)}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m evals.spam", description=__doc__)
    parser.add_argument("--corpora", type=Path, required=True, help="a folder with the public corpora")
    corpora: Path = parser.parse_args().corpora
    rows, found = read_rows(corpora), findings(corpora)
    for title, by_sender in (("by message", False), ("by sender", True)):
        print(f"{title}: {table(list(scored(rows, found, by_sender=by_sender)))}")  # noqa: T201


if __name__ == "__main__":
    main()
