"""What learning from real mail is worth on real mail of somebody else: `python -m evals.left_out --corpora FOLDER`.

For every source of `evals.real_mail` a model is trained that saw no mail of it, nor in another mailbox a copy of one or
an answer to one; the product judges the source with that model and with one that saw no real mail. Takes some minutes.
"""

from __future__ import annotations

import argparse
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from evals.datasets import is_real
from evals.real_mail import REAL_CORPUS, RealMail, agreement, labelled
from evals.train import CLASSES, TASKS, artifact, read_classes, read_rows, train
from gaia_email_evals.statistics import wilson
from gaia_understanding.cascade import judging
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.model import learned, owner
from gaia_understanding.cascade.model.learned import Learned
from gaia_understanding.cascade.understand import decode, understand
from gaia_understanding.cascade.verdict import Bucket

TIER = BuiltinTier(summaries=False)


@contextmanager
def judged_by(model: Learned) -> Generator[None]:
    """Have the product judge with another model than the one it ships with."""
    with (
        patch.object(judging, "load_shipped_model", lambda: model),
        patch.object(learned, "load_shipped_model", lambda: model),
        patch.object(owner, "load_shipped_model", lambda: model),
    ):
        yield


class Trainer:
    """Trains models without some of the real mail; what no real mail teaches is learned once."""

    def __init__(self, corpora: Path) -> None:
        known = read_rows(corpora)
        self._rows = [row for row in known if row.part == "train" or "bucket" not in row.answers]
        self._classes = read_classes(CLASSES)
        self._taught_by_it = {name for row in known if is_real(row) for name in row.answers}
        self._others = [
            train(self._rows, task, self._classes) for task in TASKS if task.name not in self._taught_by_it
        ]

    def without(self, sources: Sequence[str]) -> Learned:
        """A model that learned nothing of these sources."""
        names = {f"{REAL_CORPUS}/{source}" for source in sources}
        torn = {row.group for row in self._rows if row.source in names}
        rows = [
            row for row in self._rows if not (is_real(row) and (row.source in names or row.group in torn))
        ]
        learnt = [train(rows, task, self._classes) for task in TASKS if task.name in self._taught_by_it]
        return Learned.read(artifact([*self._others, *learnt], {}, self._classes))


def right(mails: Sequence[RealMail], model: Learned) -> tuple[int, int]:
    """How many mails of a source are judged right, and of how many what somebody wants done is put away unread."""
    with judged_by(model):
        said = [understand(decode(mail.case.raw), mail.case.context, TIER).verdict.bucket for mail in mails]
    pairs = [(bucket, mail.case.labels.buckets) for bucket, mail in zip(said, mails, strict=True)]
    lost = sum(
        bucket == "low_priority" and {"urgent", "actionable"}.issuperset(allowed) for bucket, allowed in pairs
    )
    return sum(bucket in allowed for bucket, allowed in pairs), lost


def table(by_source: dict[str, list[RealMail]], trainer: Trainer) -> str:
    """As Markdown, the agreement of two passes below."""
    lines = [
        "| source | mails | no real mail learned | real mail of others learned | wanted, put away unread |",
        "|---|---|---|---|---|",
    ]
    none = trainer.without(list(by_source))
    for source, mails in by_source.items():
        before, lost_before = right(mails, none)
        after, lost = right(mails, trainer.without([source]))
        low, high = wilson(after, len(mails))
        lines.append(
            f"| {source} | {len(mails)} | {before / len(mails):.1%} | {after / len(mails):.1%} "
            f"({low:.0%} to {high:.0%}) | {lost_before} → {lost} |"
        )
    twice: list[tuple[Bucket, Bucket]] = [
        (mail.answers[0], mail.answers[1])
        for mails in by_source.values()
        for mail in mails
        if len(mail.answers) > 1
    ]
    same, kappa = agreement(twice)
    return "\n".join(
        [*lines, f"\nTwo passes over {len(twice)} mails agree on {same:.0%}, kappa {kappa:.2f}."]
    )


def sources(corpora: Path) -> dict[str, list[RealMail]]:
    """The labelled mails by source."""
    found: dict[str, list[RealMail]] = {}
    for mail in labelled(corpora):
        found.setdefault(mail.source, []).append(mail)
    return found


def main() -> None:
    """Train, judge, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m evals.left_out", description=__doc__)
    parser.add_argument(
        "--corpora", type=Path, required=True, help="a folder with the corpora that the docs name"
    )
    corpora: Path = parser.parse_args().corpora
    by_source = sources(corpora)
    if not by_source:
        parser.error(f"no {REAL_CORPUS} in {corpora}")
    print(table(by_source, Trainer(corpora)))  # noqa: T201


if __name__ == "__main__":
    main()
