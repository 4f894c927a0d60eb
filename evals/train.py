"""Train the model that ships with the package: `python -m evals.train [--corpora FOLDER]`.

The same inputs give the same bytes. Reads the labelled messages of `evals/fixtures` (their `train` part) and, with
`--corpora`, the public corpora that `docs/learned-model.md` names. Writes
`understanding/gaia_understanding/cascade/model/learned.bin`.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from evals.datasets import (
    INTENT_CORPUS,
    SPAM_CORPUS,
    Row,
    digest,
    fixture_rows,
    ham_rows,
    intent_rows,
    is_real,
    real_rows,
    spam_rows,
)
from evals.logistic import Fitted, fit, temperature
from evals.real_mail import REAL_CORPUS
from gaia_understanding.cascade.model.learned import BIAS, pack_model
from gaia_understanding.cascade.verdict import BUCKETS, CATEGORIES, SPEECH_ACTS

HERE = Path(__file__).resolve().parent
FIXTURES = HERE / "fixtures"
CLASSES = HERE / "classes.toml"
STOPWORDS = HERE / "stopwords.txt"
MODEL = HERE.parent / "understanding" / "gaia_understanding" / "cascade" / "model" / "learned.bin"

SCALE = 1 / 24
"""One step of a stored weight; 127 of them are the most a feature can say."""

PRIOR = 1.0
"""How strongly the rules' own answer counts before anything is learned."""

FOLDS = 4
_SIGNS = frozenset((b"^", b"$", b"?"))
CLASS_GROUPS = ("subject", "body")
"""Groups whose words also count as their class (`classes.toml`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A question to learn: its answers, the groups of features it looks at, and how strongly each is held small."""

    name: str
    answers: tuple[str, ...]
    penalties: Mapping[str, float]
    rarest: int = 8
    """Features in fewer rows are left out; phrases in fewer than `RAREST_PHRASE`."""
    prior: str = ""
    """Features `prior:answer` are taken to speak for that answer until the rows say otherwise: the rules' own view."""
    unseen: tuple[bytes, ...] = ()
    """Facts that begin so are not looked at: what the rules concluded, where an opinion of its own is wanted."""


RAREST_PHRASE = 48
"""Rows that must have a phrase for it to be learned: those of twelve messages, as a rule (see `fixture_rows`)."""

_MESSAGE = {"facts": 3.0, "sender": 6.0, "subject": 6.0, "body": 10.0, "class": 16.0, "phrase": 30.0}


def _held(classes: float) -> dict[str, float]:
    """The penalties of a message's features, with its own for classes.

    What a mail is about says how much it wants; who is asked what stands in its grammar, which topics only blur.
    """
    return {**_MESSAGE, "class": classes}


_SPAM = {group: penalty for group, penalty in _held(256.0).items() if group != "phrase"}
"""Most of what is known of spam comes from another corpus, whose phrases would stand in the model."""

_TRAP = {**_held(64.0), "facts": 12.0}
_CONCLUDED = (
    *(b"phishing:", b"bucket:", b"urgent,", b"actionable,", b"informational,", b"low_priority,"),
    *(b"act:", b"cue:", b"reply:"),
)
"""What follows from the rules' own verdict on traps, or depends on it."""

TASKS = (
    Task(name="bucket", answers=BUCKETS, penalties=_MESSAGE, prior="bucket"),
    Task(name="act", answers=SPEECH_ACTS, penalties=_held(100.0), prior="act"),
    Task(name="category", answers=CATEGORIES, penalties=_held(64.0), prior="category"),
    Task(name="reply", answers=("no", "yes"), penalties=_held(500.0), prior="reply"),
    Task(name="spam", answers=("no", "yes"), penalties=_SPAM),
    Task(name="trap", answers=("no", "yes"), penalties=_TRAP, unseen=_CONCLUDED),
    Task(name="intent", answers=("no", "yes"), penalties={"sentence": 2.0}, rarest=3),
)


class Encoder:
    """Names of features to numbers, for one task."""

    def __init__(self, task: Task, rows: Sequence[Row], classes: Mapping[bytes, tuple[str, ...]]) -> None:
        self._task, self._classes = task, classes
        counts = Counter(key for row in rows for key in set(self._keys(row)))
        kept = sorted(
            key
            for key, count in counts.items()
            if count >= (RAREST_PHRASE if key[0] == "phrase" else task.rarest)
        )
        self.numbers = {key: number for number, key in enumerate(kept)}
        self.penalties = [task.penalties[key[0]] for key in kept]

    def priors(self) -> list[list[float]]:
        """What each answer's weights are taken to be at first."""
        return [
            [
                PRIOR if group == "facts" and name.decode() == f"{self._task.prior}:{answer}" else 0.0
                for group, name in self.numbers
            ]
            for answer in self._task.answers
        ]

    def encode(self, row: Row) -> list[int]:
        """The numbers of a row's features; a class is there as often as words of it are."""
        numbers = self.numbers
        return [numbers[key] for key in self._keys(row) if key in numbers]

    def _keys(self, row: Row) -> list[tuple[str, bytes]]:
        unseen = self._task.unseen
        keys = [
            (group, name)
            for group in self._task.penalties
            if group != "class"
            for name in row.features.get(group, ())
            if not (unseen and group == "facts" and name.startswith(unseen))
        ]
        if "class" in self._task.penalties:
            keys += [
                ("class", name.encode())
                for group in CLASS_GROUPS
                for word in row.features.get(group, ())
                for name in self._classes.get(word, ())
            ]
        return keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """A task's weights by group and feature name, one number an answer, with offsets and temperature."""

    task: Task
    weights: dict[tuple[str, bytes], list[float]]
    offsets: list[float]
    temperature: float


def train(rows: Sequence[Row], task: Task, classes: Mapping[bytes, tuple[str, ...]]) -> Learnt:
    """Learn one task, its temperature by cross-validation over groups."""
    known = [row for row in rows if task.name in row.answers]
    divisor = _temperature(known, task, classes)
    encoder = Encoder(task, known, classes)
    fitted = _fit(known, task, encoder)
    weights = {key: [column[number] for column in fitted.weights] for key, number in encoder.numbers.items()}
    return Learnt(task=task, weights=weights, offsets=fitted.biases, temperature=divisor)


def held_out(
    rows: Sequence[Row], task: Task, classes: Mapping[bytes, tuple[str, ...]]
) -> list[tuple[Row, list[float]]]:
    """Every row with the scores of a model that saw nothing of its group."""
    folds = {group: number % FOLDS for number, group in enumerate(sorted({row.group for row in rows}))}
    scored: list[tuple[Row, list[float]]] = []
    for fold in range(FOLDS):
        seen = [row for row in rows if folds[row.group] != fold]
        encoder = Encoder(task, seen, classes)
        fitted = _fit(seen, task, encoder)
        scored += [(row, fitted.scores(encoder.encode(row))) for row in rows if folds[row.group] == fold]
    return scored


def _fit(rows: Sequence[Row], task: Task, encoder: Encoder) -> Fitted:
    return fit(
        [encoder.encode(row) for row in rows],
        [task.answers.index(row.answers[task.name]) for row in rows],
        features=len(encoder.numbers),
        classes=len(task.answers),
        penalties=encoder.penalties,
        priors=encoder.priors(),
    )


def _temperature(rows: Sequence[Row], task: Task, classes: Mapping[bytes, tuple[str, ...]]) -> float:
    """The divisor of scores that makes held-out rows likeliest, in steps of 0.05."""
    scored = [
        (scores, task.answers.index(row.answers[task.name])) for row, scores in held_out(rows, task, classes)
    ]
    return temperature(scored, (step / 20 for step in range(10, 61)))


def artifact(
    learnt: Sequence[Learnt], sources: Mapping[str, object], classes: Mapping[bytes, tuple[str, ...]]
) -> bytes:
    """The model's file; its format stands in `gaia_understanding.cascade.model.learned.Learned.read`."""
    families: dict[tuple[str, ...], list[bytes]] = {}
    for word, family in sorted(classes.items()):
        families.setdefault(family, []).append(word)
    lanes = sum(len(one.task.answers) for one in learnt)
    steps: dict[tuple[str, bytes], list[int]] = {
        ("class", " ".join(family).encode()): [0] * lanes for family in families
    }
    questions: list[dict[str, object]] = []
    first = 0
    for one in learnt:
        for key, row in _with_families(one.weights, families).items():
            stored = steps.setdefault(key, [0] * lanes)
            # Only differences between answers matter, so the mean goes: it would waste the narrow range of a byte.
            mean = sum(row) / len(row)
            stored[first : first + len(row)] = [_step(weight - mean) for weight in row]
        questions.append(
            {
                "name": one.task.name,
                "answers": one.task.answers,
                "first": first,
                "offsets": [round(offset, 4) for offset in one.offsets],
                "temperature": one.temperature,
            }
        )
        first += len(one.task.answers)
    groups = ("facts", "sender", "subject", "body", "class", "phrase", "sentence")
    kept = {
        group: sorted(
            name for (of, name), row in steps.items() if of == group and (any(row) or group == "class")
        )
        for group in groups
    }
    header = {
        "questions": questions,
        "scale": SCALE,
        "lanes": lanes,
        "families": len(families),
        "groups": [(group, len(kept[group])) for group in groups],
        "sources": sources,
    }
    names = b"".join(name + b"\n" for group in groups for name in kept[group])
    words = b"".join(b" ".join(families[tuple(name.decode().split())]) + b"\n" for name in kept["class"])
    weights = bytes(step + BIAS for group in groups for name in kept[group] for step in steps[group, name])
    return pack_model(json.dumps(header, sort_keys=True).encode() + b"\n" + names + words + weights)


def _with_families(
    weights: Mapping[tuple[str, bytes], list[float]], families: Iterable[tuple[str, ...]]
) -> dict[tuple[str, bytes], list[float]]:
    """The weights with a sum for each set of classes that some word belongs to, instead of one for each class."""
    summed = {key: row for key, row in weights.items() if key[0] != "class"}
    for family in families:
        rows = [weights[key] for name in family if (key := ("class", name.encode())) in weights]
        if rows:
            summed["class", " ".join(family).encode()] = [sum(column) for column in zip(*rows, strict=True)]
    return summed


def _step(weight: float) -> int:
    return max(-127, min(127, round(weight / SCALE)))


@lru_cache(maxsize=1)
def stopwords() -> frozenset[bytes]:
    """Words that say nothing of what a mail wants."""
    return frozenset(STOPWORDS.read_bytes().split())


def read_classes(path: Path) -> dict[bytes, tuple[str, ...]]:
    """Word → the classes it belongs to."""
    classes: dict[bytes, tuple[str, ...]] = {}
    if not path.exists():
        return classes
    for name, table in tomllib.loads(path.read_text(encoding="utf-8")).items():
        words = " ".join(text for key, text in table.items() if key != "about").split()
        for word in dict.fromkeys(words):
            classes[word.encode()] = (*classes.get(word.encode(), ()), name)
    return classes


def read_rows(corpora: Path | None) -> list[Row]:
    """Every row there is; those of the corpora without words that are not ours, too, which might be names."""
    rows = list(fixture_rows(FIXTURES))
    if corpora is not None:
        ours = {word for row in rows for group in CLASS_GROUPS for word in row.features[group]}
        ours |= read_classes(CLASSES).keys() | stopwords() | _SIGNS
        rows += [
            _without_names(row, ours)
            for row in (*spam_rows(corpora), *ham_rows(corpora), *real_rows(corpora), *intent_rows(corpora))
        ]
    return rows


def _without_names(row: Row, ours: Set[bytes]) -> Row:
    kept = {
        group: tuple(
            name
            for name in names
            if group == "facts" or name.startswith((b"rule ", b"kind ")) or ours >= set(name.split())
        )
        for group, names in row.features.items()
        if group not in ("sender", "phrase")
    }
    return replace(row, features=kept)


def main() -> None:
    """Train and write the model."""
    parser = argparse.ArgumentParser(prog="python -m evals.train", description=__doc__)
    parser.add_argument("--corpora", type=Path, help="a folder with the public corpora that the docs name")
    parser.add_argument("--out", type=Path, default=MODEL)
    arguments = parser.parse_args()
    classes = read_classes(CLASSES)
    rows = [row for row in read_rows(arguments.corpora) if row.part == "train" or "bucket" not in row.answers]
    learnt = [train(rows, task, classes) for task in TASKS if any(task.name in row.answers for row in rows)]
    sources: dict[str, object] = {
        name: len({row.name for row in rows if "bucket" in row.answers and is_real(row) == real})
        for name, real in (("fixtures", False), ("real mail", True))
    }
    if arguments.corpora is not None:
        sources |= {
            name: digest(arguments.corpora, name) for name in (SPAM_CORPUS, REAL_CORPUS, INTENT_CORPUS)
        }
    content = artifact(learnt, sources, classes)
    arguments.out.write_bytes(content)
    print(f"{arguments.out}: {len(content):,} bytes")  # noqa: T201


if __name__ == "__main__":
    main()
