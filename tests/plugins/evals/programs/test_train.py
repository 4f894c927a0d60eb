"""The trainer: from labelled messages to the model's file."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from math import exp, isclose
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals import train as trainer
from evals.datasets import Row, fixture_rows
from evals.train import Learnt, Task, artifact, train
from gaia_email_evals.cases import part_of
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.model.features import Features
from gaia_understanding.cascade.model.learned import Learned, phrases_in
from gaia_understanding.cascade.phrases import fold, tokens_of
from gaia_understanding.cascade.understand import decode
from gaia_understanding.cascade.verdict import BUCKETS, Context
from gaia_understanding.prepare.pipeline import prepare

ROOT = Path(__file__).resolve().parents[4]
COLOURS = ("red", "green", "blue")
KINDS = (
    ("urgent", "primary", "request", True, "Please call me at once, the {thing} is down and customers wait."),
    ("actionable", "primary", "request", True, "Could you look at the {thing} next week and tell me?"),
    ("informational", "primary", "fyi", False, "The {thing} works again, thanks to everybody."),
    (
        "low_priority",
        "promotions",
        "fyi",
        False,
        "Save 20% on every {thing} in our autumn sale. Unsubscribe.",
    ),
)
THINGS = ("printer", "website", "heating", "bus", "archive", "scanner", "lift", "router")


def toy_rows(count: int = 90) -> list[Row]:
    """Rows that one word of the body tells apart."""
    return [
        Row(
            name=str(number),
            source="toy",
            group=f"group {number // 2}",
            part="train",
            features={
                "facts": (b"rules:" + COLOURS[(number // 7) % 3].encode(),),
                "body": (COLOURS[number % 3].encode(), b"noise%d" % (number % 5)),
            },
            answers={"colour": COLOURS[number % 3]},
        )
        for number in range(count)
    ]


TOY = Task(name="colour", answers=COLOURS, penalties={"facts": 1.0, "body": 1.0})


def features(body: Sequence[bytes] = (), facts: Sequence[str] = (), text: Sequence[bytes] = ()) -> Features:
    return Features(facts=list(facts), sender=[], subject=[], body=list(body), text=list(text))


def test_what_a_word_tells_is_learned_and_survives_the_file() -> None:
    model = Learned.read(artifact([train(toy_rows(), TOY, {})], {"toy": 90}, {}))
    for colour in COLOURS:
        said = model.scores(features([colour.encode()])).probabilities("colour")
        assert max(said, key=lambda answer: said[answer]) == colour
        assert said[colour] > 0.8
    unknown = model.scores(features([b"never seen"])).probabilities("colour")
    assert all(0.2 < probability < 0.5 for probability in unknown.values())


def test_neighbouring_words_tell_what_none_of_them_tells_alone() -> None:
    said = {"red": b"not at all .", "green": b"at all not .", "blue": b"all . not at"}
    rows = [
        replace(row, features={"phrase": tuple(phrases_in(said[row.answers["colour"]].split()))})
        for row in toy_rows()
    ] * 2
    task = Task(name="colour", answers=COLOURS, penalties={"phrase": 1.0})
    model = Learned.read(artifact([train(rows, task, {})], {}, {}))
    for colour, text in said.items():
        found = model.scores(features(text=text.split())).probabilities("colour")
        assert max(found, key=lambda answer: found[answer]) == colour
    asunder = model.scores(features(text=[b"at", b"not", b"all"])).probabilities("colour")
    assert asunder == model.scores(features()).probabilities("colour")


def test_a_phrase_of_few_rows_is_not_kept() -> None:
    rows = [
        replace(row, features={"phrase": (b"their own", *([b"my name"] if row.name == "3" else []))})
        for row in toy_rows()
    ]
    task = Task(name="colour", answers=COLOURS, penalties={"phrase": 1.0})
    kept = train(rows, task, {}).weights
    assert ("phrase", b"their own") in kept
    assert ("phrase", b"my name") not in kept


def test_the_rules_own_answer_counts_where_rows_say_too_little() -> None:
    held = Task(name="colour", answers=COLOURS, penalties={"facts": 1e6}, rarest=1, prior="rules")
    free = Task(name="colour", answers=COLOURS, penalties={"facts": 1e6}, rarest=1)
    rows = [
        Row(
            name=str(number),
            source="toy",
            group=str(number),
            part="train",
            features={"facts": (b"rules:" + colour.encode(),)},
            answers={"colour": colour},
        )
        for number, colour in enumerate(COLOURS * 4)
    ]
    with_prior, without = (Learned.read(artifact([train(rows, task, {})], {}, {})) for task in (held, free))
    for colour in COLOURS:
        asked = features(facts=[f"rules:{colour}"])
        said = with_prior.scores(asked).probabilities("colour")
        assert max(said, key=lambda answer: said[answer]) == colour
        assert said[colour] > without.scores(asked).probabilities("colour")[colour] + 0.1


def test_words_of_a_class_speak_for_words_not_seen() -> None:
    classes = {
        b"red": ("warm",),
        b"scarlet": ("warm",),
        b"blue": ("cold",),
        b"azure": ("cold",),
        b"green": ("mild",),
    }
    task = Task(name="colour", answers=COLOURS, penalties={"body": 50.0, "class": 0.5})
    model = Learned.read(artifact([train(toy_rows(), task, classes)], {}, classes))
    for word, colour in ((b"scarlet", "red"), (b"azure", "blue")):
        said = model.scores(features([word])).probabilities("colour")
        assert max(said, key=lambda answer: said[answer]) == colour


def test_the_same_rows_give_the_same_bytes() -> None:
    first, second = (artifact([train(toy_rows(), TOY, {})], {"toy": 90}, {}) for _ in range(2))
    assert first == second


def test_bytes_do_not_depend_on_the_hash_seed() -> None:
    program = (
        "import hashlib\n"
        "from evals.datasets import Row\n"
        "from evals.train import Task, artifact, train\n"
        "C = ('red', 'green', 'blue')\n"
        "rows = [Row(name=str(n), source='t', group=str(n // 2), part='train', features={'body': "
        "(C[n % 3].encode(), b'x%d' % (n % 7))}, answers={'c': C[n % 3]}) for n in range(40)]\n"
        "classes = {b'red': ('warm', 'loud'), b'blue': ('cold',), b'x1': ('loud',)}\n"
        "task = Task(name='c', answers=C, penalties={'body': 1.0, 'class': 2.0})\n"
        "print(hashlib.sha256(artifact([train(rows, task, classes)], {'b': 1, 'a': 2}, classes)).hexdigest())\n"
    )
    path = ":".join(entry for entry in sys.path if entry)
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": f"{ROOT}:{path}"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "7")
    }
    assert len(outputs) == 1
    assert len(outputs.pop().strip()) == 64


STEPS = st.tuples(*[st.integers(min_value=-60, max_value=60)] * 2).map(lambda two: (*two, -sum(two)))


@settings(deadline=None, max_examples=30)
@given(
    st.dictionaries(st.from_regex("[a-z]{1,6}", fullmatch=True).map(str.encode), STEPS, max_size=12),
    st.tuples(*[st.floats(min_value=-2, max_value=2)] * 3),
    st.sampled_from((0.5, 1.0, 2.5)),
)
def test_a_written_model_reads_back_as_the_sum_of_its_weights(
    steps: dict[bytes, tuple[int, int, int]], offsets: tuple[float, float, float], temperature: float
) -> None:
    learnt = Learnt(
        task=TOY,
        weights={("body", name): [step * trainer.SCALE for step in row] for name, row in steps.items()},
        offsets=list(offsets),
        temperature=temperature,
    )
    said = Learned.read(artifact([learnt], {}, {})).scores(features(list(steps))).probabilities("colour")
    scores = [
        (offset + trainer.SCALE * sum(row[number] for row in steps.values())) / temperature
        for number, offset in enumerate(offsets)
    ]
    powers = [exp(score - max(scores)) for score in scores]
    for answer, power in zip(COLOURS, powers, strict=True):
        assert isclose(said[answer], power / sum(powers), abs_tol=1e-3)


def test_a_weight_too_large_for_a_byte_is_cut_and_keeps_its_side() -> None:
    learnt = Learnt(
        task=TOY, weights={("body", b"x"): [1e6, -1e6, 0.0]}, offsets=[0.0, 0.0, 0.0], temperature=1.0
    )
    said = Learned.read(artifact([learnt], {}, {})).scores(features([b"x"])).probabilities("colour")
    assert said["red"] > said["blue"] > said["green"]


def _mail(number: int, template: str) -> str:
    bucket, category, act, reply, text = KINDS[number % 4]
    person = category == "primary"
    thing = THINGS[number % len(THINGS)]
    sender = "Ann Lee <ann@lee.example>" if person else "Shop <news@shop.example>"
    return f'''
[[mail]]
id = "toy-{number}"
template = "{template}"
sender = "{"person" if person else "bulk"}"
bucket = "{bucket}"
category = "{category}"
act = "{act}"
needs_reply = {str(reply).lower()}
cohort = "default"
language = "en"
known = {str(person).lower()}
user = "me@home.example"
from = "{sender}"
to = ["me@home.example"]
subject = "About the {thing}"
sent = 2026-03-02T09:00:00+01:00
text = "{text.format(thing=thing)} Number {number}."
spam = false
'''


def _folder(path: Path, part: str, count: int, name: str) -> Path:
    """Mails whose templates lie in one part."""
    templates = (f"{name} {number}" for number in range(10_000))
    chosen = [
        template for template in (next(templates) for _ in range(count * 20)) if part_of(template) == part
    ]
    path.mkdir(exist_ok=True)
    mails = [_mail(number, template) for number, template in enumerate(chosen[:count])]
    (path / f"toy_{name}.toml").write_text("".join(mails), encoding="utf-8")
    return path


def _trained(monkeypatch: pytest.MonkeyPatch, folder: Path, out: Path) -> bytes:
    monkeypatch.setattr(trainer, "FIXTURES", folder)
    monkeypatch.setattr(sys, "argv", ["train", "--out", str(out)])
    trainer.main()
    return out.read_bytes()


def test_a_folder_of_messages_becomes_the_same_model_every_time_from_its_train_part_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(trainer, "CLASSES", tmp_path / "no classes.toml")
    folder = _folder(tmp_path / "fixtures", "train", 16, "one")
    first = _trained(monkeypatch, folder, tmp_path / "first.bin")
    _folder(folder, "dev", 4, "two")
    _folder(folder, "test", 4, "three")
    second = _trained(monkeypatch, folder, tmp_path / "second.bin")
    assert first == second
    model = Learned.read(first)
    assert model.questions["bucket"].answers == BUCKETS
    said = model.scores(features(body=[b"sale", b"save", b"autumn", b"20"])).probabilities("bucket")
    assert max(said, key=lambda answer: said[answer]) == "low_priority"


def test_a_model_of_our_own_messages_alone_can_judge(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(trainer, "CLASSES", tmp_path / "no classes.toml")
    folder = _folder(tmp_path / "fixtures", "train", 16, "one")
    model = Learned.read(_trained(monkeypatch, folder, tmp_path / "model.bin"))
    monkeypatch.setattr("gaia_understanding.cascade.judging.load_shipped_model", lambda: model)
    raw = b"From: Ann Lee <ann@lee.example>\nTo: me@home.example\nSubject: Lift\n\nCould you look at the lift?\n"
    verdict = BuiltinTier().judge(prepare(decode(raw)), Context(owner=frozenset({"me@home.example"})))
    assert verdict.bucket in BUCKETS


def test_every_message_is_learned_in_its_mailbox_and_from_a_stranger(tmp_path: Path) -> None:
    rows = list(fixture_rows(_folder(tmp_path / "fixtures", "train", 8, "one")))
    by_name: dict[str, list[Row]] = {}
    for row in rows:
        by_name.setdefault(row.name, []).append(row)
    assert len(by_name) == 8
    for known, *others in by_name.values():
        assert others
        for strange in others:
            assert (known.group, known.part) == (strange.group, "train")
            assert known.answers == strange.answers
            assert known.features["body"] == strange.features["body"]
    assert any(known.features != strange.features for known, strange, *_ in by_name.values())


def test_word_classes_read_as_they_are_written(tmp_path: Path) -> None:
    file = tmp_path / "classes.toml"
    file.write_text('[money]\nabout = "sums"\nen = "pay bill"\nde = "bill"\n[law]\nen = "bill court"\n')
    assert trainer.read_classes(file) == {b"pay": ("money",), b"bill": ("money", "law"), b"court": ("law",)}
    assert trainer.read_classes(tmp_path / "none.toml") == {}


def test_the_shipped_word_classes_are_words_as_the_reader_of_a_mail_cuts_them() -> None:
    classes = trainer.read_classes(trainer.CLASSES)
    assert len(classes) > 1_000
    assert not [word for word in classes if tokens_of(fold(word.decode())) != [word]]
