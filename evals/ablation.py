"""What each part of the learned model is worth: `python -m evals.ablation [--corpora FOLDER]`.

Cross-validates our own trainer on the messages it may see (parts train and dev, never test), whole templates at a
time, and writes `docs/ablation.md`. The same inputs give the same page. The public corpora are optional; without
them two sections stay empty. Takes a few minutes on two cores.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import get_args

from evals.ablation_page import (
    COMPARED,
    CURVE,
    FACTS_LEFT_OUT,
    FORMS,
    LEARNS_FROM,
    OTHERS,
    RULES,
    SENTENCE,
    WORDS,
    WORDS_LEFT_OUT,
    Outcome,
    Run,
    page,
)
from evals.datasets import Row, is_real
from evals.logistic import fit
from evals.train import CLASSES, FIXTURES, FOLDS, TASKS, Encoder, Task, held_out, read_classes, read_rows
from gaia_understanding.prepare.extract.request_rule import RequestKind

PAGE = FIXTURES.parent.parent / "docs" / "ablation.md"

_FLAGS = {
    "sender and headers": frozenset(
        {
            "own organisation",
            "free mail",
            "first contact",
            "written to",
            "own thread",
            "unsubscribe",
            "list id",
        }
        | {"automatic", "bulk", "discussion", "service", "personal name", "no name", "imitates"}
        | {"dmarc fail", "dmarc pass", "reply", "quotes", "subject names you", "greets another"}
    ),
    "what the rules found": frozenset({"clock", "nothing wanted", "as you please"}),
    "shape": frozenset(
        {"subject asks", "subject shouts", "subject tagged", "subject capitals", "percent", "first link"}
        | {"subject tailed"}
        | {"attachment", "signature", "greeting"}
    ),
}
_KINDS = {
    "sender and headers": (
        *(
            "sender:",
            "to:",
            "cohort:",
            "named:",
            "signed:",
            "greets:",
            "id:",
            "answers:",
            "bounces:",
            "relay:",
            "date:",
        ),
        *("agrees:", "leads:", "made:", "posts:"),
    ),
    "what the rules found": (
        *(
            "bucket:",
            "category:",
            "machine:",
            "alert:",
            "urgency:",
            "cue:",
            "act:",
            "asks:",
            "request:",
            "reply:",
        ),
        *("due:", "when:", "spam:", "phishing:", "names a ", "meeting:", "schemes:"),
    ),
    "shape": (
        "length:",
        "links:",
        "questions:",
        "shouts:",
        "language:",
        "text:",
        "letters:",
        "pictures:",
        "markup:",
        *("capitals:", "fonts:", "sums:", "yours:", "name:", "sent:"),
    ),
}
_LEXICON = ("says:", "in subject:")

_SPAM_FROM = 3
"""The step of the rules' spam score from which they say spam: it begins at 0.5."""
_STRENGTHS = [b"rule %d" % step for step in range(6)]
_ASKS = frozenset(_STRENGTHS[3:])
"""The steps of a request's strength from 0.5 on."""
_RULES_ON_A_SENTENCE = frozenset([*_STRENGTHS, *(b"kind " + kind.encode() for kind in get_args(RequestKind))])


def fact_group(name: str) -> str:
    """The group of features that a fact belongs to, by its kind; `other facts` when the tables do not know it yet."""
    if name.startswith(_LEXICON):
        return "lexicon"
    if ", " in name:
        return "crosses"
    for group, flags in _FLAGS.items():
        if name in flags or name.startswith(_KINDS[group]):
            return group
    return "other facts"


def runs(*, corpora: bool) -> Iterator[Run]:
    """Every cross-validation that the page needs, long ones first."""
    for question in OTHERS:
        yield from (Run(question=question, groups=groups) for groups in COMPARED if groups != WORDS)
    yield from (Run(question="bucket", groups=groups) for groups in COMPARED)
    yield Run(question="bucket", by_source=True)
    yield from (Run(question="bucket", form=form) for form in FORMS if form != "mailbox")
    for without in FACTS_LEFT_OUT.values():
        yield Run(question="bucket", without=without)
    for groups in WORDS_LEFT_OUT.values():
        yield Run(question="bucket", groups=groups)
    yield Run(question="bucket", trusts_rules=False)
    for share in CURVE:
        yield Run(question="bucket", share=share)
    if corpora:
        for learns_from in LEARNS_FROM:
            yield Run(question="spam", learns_from=learns_from)
        yield Run(question="spam", groups=RULES)
        for groups in (*SENTENCE, RULES):
            yield Run(question="intent", groups=groups)


def outcomes(run: Run, rows: Sequence[Row], classes: Mapping[bytes, tuple[str, ...]]) -> list[Outcome]:
    """What a run says of every message in the form it asks for, by a model that saw nothing of its template."""
    task = _task(run)
    seen = [_view(row, run) for row in rows if task.name in row.answers and _is_used(row, run)]
    if run.groups == RULES:
        scored = [(row, _rules(row, task)) for row in seen]
    elif run.share < 100 or run.learns_from == "ours":
        scored = _taught_by_some(seen, task, classes, run)
    else:
        scored = held_out(seen, task, classes)
    found: dict[str, Outcome] = {}
    for row, scores in scored:
        if row.form != run.form or (run.question == "spam" and _is_ours(row)):
            continue
        right = row.answers[task.name]
        # The other forms of a message only teach.
        found[f"{row.source} {row.name}"] = Outcome(row.group, row.source, right, task.answers, tuple(scores))
    return [found[key] for key in sorted(found)]


def _task(run: Run) -> Task:
    task = next(task for task in TASKS if task.name == run.question)
    if not run.trusts_rules:
        task = replace(task, prior="")
    if run.question == "intent":
        return task
    return replace(
        task, penalties={name: size for name, size in task.penalties.items() if name in run.groups}
    )


def _is_used(row: Row, run: Run) -> bool:
    return run.learns_from != "theirs" or not _is_ours(row)


def _is_ours(row: Row) -> bool:
    return "bucket" in row.answers and not is_real(row)


def _view(row: Row, run: Run) -> Row:
    """A row with nothing but what the run may see."""
    features = dict(row.features)
    if run.without:
        features["facts"] = tuple(
            name for name in features["facts"] if fact_group(name.decode()) not in run.without
        )
    if run.question == "intent" and run.groups != RULES:
        kept = set(run.groups)
        features["sentence"] = tuple(name for name in features["sentence"] if _sentence_group(name) in kept)
    return replace(row, features=features, group=row.source if run.by_source else row.group)


def _sentence_group(name: bytes) -> str:
    if name in _RULES_ON_A_SENTENCE:
        return "rules"
    return "pairs" if b" " in name else "words"


def _rules(row: Row, task: Task) -> list[float]:
    """The rules' own answer, as scores."""
    facts = {name.decode() for name in row.features.get("facts", ())}
    if task.name == "spam":
        return [_SPAM_FROM - 0.5, float(next(name for name in facts if name.startswith("spam:"))[5:])]
    if task.name == "intent":
        return [0.5, float(not _ASKS.isdisjoint(row.features["sentence"]))]
    return [float(f"{task.prior}:{answer}" in facts) for answer in task.answers]


def _taught_by_some(
    rows: Sequence[Row], task: Task, classes: Mapping[bytes, tuple[str, ...]], run: Run
) -> list[tuple[Row, list[float]]]:
    """Scores of `held_out`, where the model learned from fewer rows."""
    folds = {group: number % FOLDS for number, group in enumerate(sorted({row.group for row in rows}))}
    scored: list[tuple[Row, list[float]]] = []
    for fold in range(FOLDS):
        taught = [row for row in rows if folds[row.group] != fold and _teaches(row, run)]
        encoder = Encoder(task, taught, classes)
        fitted = fit(
            [encoder.encode(row) for row in taught],
            [task.answers.index(row.answers[task.name]) for row in taught],
            features=len(encoder.numbers),
            classes=len(task.answers),
            penalties=encoder.penalties,
            priors=encoder.priors(),
        )
        scored += [(row, fitted.scores(encoder.encode(row))) for row in rows if folds[row.group] == fold]
    return scored


def _teaches(row: Row, run: Run) -> bool:
    if run.learns_from == "ours" and not _is_ours(row):
        return False
    draw = hashlib.blake2b(row.group.encode(), digest_size=8, person=b"curve").digest()
    return int.from_bytes(draw, "big") % 100 < run.share


_given: list[Callable[[Run], list[Outcome]]] = []
"""In a worker process, what it does: handed over once, because the rows are large."""


def _answer(run: Run) -> list[Outcome]:
    return _given[0](run)


def main() -> None:
    """Run everything and write the page."""
    parser = argparse.ArgumentParser(prog="python -m evals.ablation", description=__doc__)
    parser.add_argument("--corpora", type=Path, help="a folder with the public corpora that the docs name")
    parser.add_argument("--out", type=Path, default=PAGE)
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    rows = [row for row in read_rows(arguments.corpora) if row.part != "test" or "bucket" not in row.answers]
    wanted = list(runs(corpora=arguments.corpora is not None))
    work = partial(outcomes, rows=rows, classes=read_classes(CLASSES))
    with ProcessPoolExecutor(arguments.processes, initializer=_given.append, initargs=(work,)) as pool:
        found = dict(zip(wanted, pool.map(_answer, wanted), strict=True))
    arguments.out.write_text(page(found, folds=FOLDS), encoding="utf-8", newline="\n")
    print(arguments.out)  # noqa: T201


if __name__ == "__main__":
    main()
