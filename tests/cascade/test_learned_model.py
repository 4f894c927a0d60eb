"""The learned model's file and its sums: packed, they say what adding weights one by one would say."""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from math import exp, isclose
from pathlib import Path
from sys import byteorder
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.model import learned as learned_module
from gaia_understanding.cascade.model.features import Features
from gaia_understanding.cascade.model.learned import (
    BIAS,
    CHECK_BYTES,
    LANE_BYTES,
    Learned,
    WordWeights,
    load_shipped_model,
    pack_model,
    phrases_in,
)
from gaia_understanding.cascade.verdict import BUCKETS, CATEGORIES, SPEECH_ACTS, Context, Verdict
from gaia_understanding.prepare.model import Prepared

CONTENT = (files("gaia_understanding.cascade.model") / "learned.bin").read_bytes()
MODEL = Learned.read(CONTENT)
LANES = max(question.first + len(question.answers) for question in MODEL.questions.values())
UNKNOWN = (b"qzxv", b"vzqx", b"xqzv", b"")


def _some(table: dict[bytes, int]) -> st.SearchStrategy[list[bytes]]:
    return st.lists(st.sampled_from((*sorted(table)[::37], *UNKNOWN)), max_size=40, unique=True)


KNOWN_PHRASES = {
    phrase: weight
    for pairs in MODEL.phrases.values()
    for pair in pairs.values()
    for phrase, weight in ((pair.phrase, pair.weight), *pair.thirds.values())
    if weight
}
"""Every phrase of the shipped model and its packed weight."""


def _texts() -> st.SearchStrategy[list[bytes]]:
    """Known phrases after each other, with other words between some of them."""
    pieces = st.sampled_from([phrase.split() for phrase in sorted(KNOWN_PHRASES)[::11]] + [[b"qzxv"], [b"."]])
    return st.lists(pieces, max_size=20).map(lambda found: [word for piece in found for word in piece])


FEATURES = st.builds(
    Features,
    facts=st.lists(st.sampled_from((*sorted(MODEL.facts), "no such fact")), max_size=80, unique=True),
    sender=_some(MODEL.sender),
    subject=_some(MODEL.subject.own | MODEL.subject.classes),
    body=_some(MODEL.body.own | MODEL.body.classes),
    text=_texts(),
)


def unpacked(packed: int) -> list[int]:
    """The weights that stand in one packed number."""
    whole = packed.to_bytes(MODEL.width, byteorder)
    return [
        int.from_bytes(whole[at : at + LANE_BYTES], byteorder) - BIAS
        for at in range(0, LANES * LANE_BYTES, LANE_BYTES)
    ]


def _tables(words: WordWeights) -> tuple[dict[bytes, int], dict[bytes, int]]:
    return words.own, words.classes


def weights_of(features: Features) -> list[list[int]]:
    """The weights of every feature that the model knows, one list each."""
    found = [
        *(MODEL.facts.get(name) for name in features.facts),
        *(MODEL.sender.get(name) for name in features.sender),
        *(table.get(name) for table in _tables(MODEL.subject) for name in features.subject),
        *(table.get(name) for table in _tables(MODEL.body) for name in features.body),
        *(KNOWN_PHRASES.get(phrase) for phrase in phrases_in(features.text)),
    ]
    return [unpacked(packed) for packed in found if packed is not None]


def softmax(values: Sequence[float]) -> list[float]:
    powers = [exp(value - max(values)) for value in values]
    return [power / sum(powers) for power in powers]


def one_by_one(question: str, rows: Sequence[Sequence[int]]) -> dict[str, float]:
    asked = MODEL.questions[question]
    scores = [
        (offset + sum(row[asked.first + number] for row in rows) * asked.scale) / asked.temperature
        for number, offset in enumerate(asked.offsets)
    ]
    return dict(zip(asked.answers, softmax(scores), strict=True))


@settings(deadline=None)
@given(FEATURES)
def test_packed_sums_say_what_adding_the_weights_one_by_one_says(features: Features) -> None:
    scores = MODEL.scores(features)
    rows = weights_of(features)
    for name in MODEL.questions:
        said = scores.probabilities(name)
        expected = one_by_one(name, rows)
        assert said.keys() == expected.keys()
        assert all(isclose(said[answer], expected[answer], abs_tol=1e-9) for answer in said), name


@settings(deadline=None)
@given(FEATURES, st.randoms(use_true_random=False))
def test_probabilities_sum_to_one_and_no_order_of_features_changes_them(
    features: Features, shuffler: random.Random
) -> None:
    mixed = Features(
        facts=shuffler.sample(features.facts, len(features.facts)),
        sender=shuffler.sample(features.sender, len(features.sender)),
        subject=shuffler.sample(features.subject, len(features.subject)),
        body=shuffler.sample(features.body, len(features.body)),
        text=features.text,
    )
    for name in MODEL.questions:
        said = MODEL.scores(features).probabilities(name)
        assert isclose(sum(said.values()), 1.0, abs_tol=1e-9)
        assert all(0.0 <= probability <= 1.0 for probability in said.values())
        assert MODEL.scores(mixed).probabilities(name) == said


@given(st.lists(st.sampled_from((*sorted(MODEL.sentence)[::29], *UNKNOWN)), max_size=60, unique=True))
def test_what_a_sentence_asks_is_a_probability_under_any_order(names: list[bytes]) -> None:
    asks = MODEL.asks(names)
    assert 0.0 <= asks <= 1.0
    assert MODEL.asks(names[::-1]) == asks
    rows = [unpacked(MODEL.sentence[name]) for name in names if name in MODEL.sentence]
    assert isclose(asks, one_by_one("intent", rows)["yes"], abs_tol=1e-9)


def test_a_message_with_thousands_of_features_overflows_no_lane() -> None:
    heaviest = max(MODEL.body.own.values())
    model = MODEL._replace(body=WordWeights({b"w%d" % number: heaviest for number in range(20_000)}, {}))
    features = Features(facts=[], sender=[], subject=[], body=list(model.body.own), text=[])
    for name, question in model.questions.items():
        said = model.scores(features).probabilities(name)
        heavy = unpacked(heaviest)[question.first :][: len(question.answers)]
        assert isclose(sum(said.values()), 1.0, abs_tol=1e-9)
        said_most = max(said, key=lambda answer: said[answer])
        assert heavy[question.answers.index(said_most)] == max(heavy)


def test_the_shipped_model_answers_every_question_the_rules_put_to_it() -> None:
    answers = {name: question.answers for name, question in MODEL.questions.items()}
    assert set(answers["bucket"]) == set(BUCKETS)
    assert set(answers["act"]) == set(SPEECH_ACTS)
    assert set(answers["category"]) == set(CATEGORIES)
    assert all(set(answers[name]) == {"no", "yes"} for name in ("reply", "spam", "intent"))
    assert all(question.temperature > 0 for question in MODEL.questions.values())
    assert len(MODEL.facts) > 100
    assert len(MODEL.body.own) > 100
    assert len(MODEL.body.classes) > 1_000
    assert len(KNOWN_PHRASES) > 1_000
    assert len(MODEL.sentence) > 100


def test_an_unknown_question_is_refused() -> None:
    with pytest.raises(KeyError):
        MODEL.scores(Features(facts=[], sender=[], subject=[], body=[], text=[])).probabilities("weather")


@pytest.mark.parametrize("share", [0.0, 0.001, 0.1, 0.5, 0.9, 0.9999])
def test_a_cut_model_file_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="model of gaia email"):
        Learned.read(CONTENT[: int(len(CONTENT) * share)])


@settings(deadline=None, max_examples=25)
@given(st.integers(min_value=0, max_value=len(CONTENT) - 1), st.integers(min_value=1, max_value=255))
def test_a_model_file_with_one_wrong_byte_is_refused(place: int, change: int) -> None:
    broken = bytearray(CONTENT)
    broken[place] ^= change
    with pytest.raises(ValueError):
        Learned.read(bytes(broken))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"[]\n",
        b"null\n",
        b"{}\n",
        b"no json\nname\n\x80",
        b'{"lanes": 2}\n',
        b'{"lanes": "two", "groups": [], "families": 0}\n',
        b'{"lanes": 2, "groups": 7, "families": 0}\n',
        b'{"lanes": 2, "groups": [["facts"]], "families": 0}\n',
        b'{"lanes": 2, "groups": [["facts", 3]], "families": 0}\none\n\x80\x80',
        b'{"lanes": 2, "groups": [["facts", 1]], "families": 0}\none\n\x80',
        b'{"lanes": 2, "groups": [["facts", 1]], "families": 0}\none\n\x80\x80\x80',
        b"\xff\xfe\x00",
    ],
)
def test_what_is_no_model_is_refused_packed_or_not(content: bytes) -> None:
    for candidate in (content, zlib.compress(content), pack_model(content)):
        with pytest.raises(ValueError):
            Learned.read(candidate)


@settings(deadline=None, max_examples=50)
@given(st.binary(max_size=200))
def test_random_bytes_are_refused(content: bytes) -> None:
    with pytest.raises(ValueError):
        Learned.read(content)


def _rewritten(change: Callable[[dict[str, object]], None]) -> bytes:
    """The shipped file with another header."""
    header, _, rest = zlib.decompress(CONTENT[:-CHECK_BYTES]).partition(b"\n")
    about: dict[str, object] = json.loads(header)
    change(about)
    return pack_model(json.dumps(about).encode() + b"\n" + rest, level=1)


def test_a_model_file_with_more_or_fewer_weights_than_it_says_is_refused() -> None:
    whole = zlib.decompress(CONTENT[:-CHECK_BYTES])
    for content in (whole[:-1], whole + b"\x80", whole[:-1_000]):
        with pytest.raises(ValueError):
            Learned.read(pack_model(content, level=1))

    def more_lanes(about: dict[str, object]) -> None:
        about["lanes"] = LANES + 1

    with pytest.raises(ValueError):
        Learned.read(_rewritten(more_lanes))


@pytest.mark.parametrize(
    ("where", "key", "value"),
    [
        ("file", "questions", None),
        ("file", "questions", 7),
        ("file", "scale", None),
        ("file", "lanes", float("inf")),
        ("question", "answers", None),
        ("question", "temperature", 0),
        ("question", "first", -1),
        ("question", "first", 10_000),
        ("question", "offsets", [0.0]),
        ("question", "offsets", ["a", "b", "c", "d"]),
    ],
)
def test_a_model_file_whose_header_cannot_be_used_is_refused(where: str, key: str, value: object) -> None:
    def change(about: dict[str, object]) -> None:
        if where == "file":
            about[key] = value
        else:
            questions: Any = about["questions"]
            questions[0][key] = value

    with pytest.raises(ValueError, match="model of gaia email"):
        Learned.read(_rewritten(change))


@pytest.fixture
def fresh() -> Iterator[None]:
    """The model is read again, before and after."""
    load_shipped_model.cache_clear()
    yield
    load_shipped_model.cache_clear()


@pytest.mark.usefixtures("fresh")
def test_without_its_file_there_is_no_model_and_rules_decide_alone(
    mail: Callable[..., Prepared], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    texts = (
        ("Could you send me the figures by tonight?", "Figures"),
        ("Your order has shipped and arrives on Friday.", "Order 4711"),
        ("Thanks, that worked!", "Re: Printer"),
        ("", ""),
    )

    def verdicts(*, model: bool) -> list[Verdict]:
        return [
            BuiltinTier(model=model).judge(
                mail(text, subject=subject), Context(owner=frozenset({"me@home.example"}))
            )
            for text, subject in texts
        ]

    with_model = verdicts(model=True)

    def elsewhere(_package: str) -> Path:
        return tmp_path

    monkeypatch.setattr(learned_module, "files", elsewhere)
    load_shipped_model.cache_clear()
    assert load_shipped_model() is None
    assert verdicts(model=True) == verdicts(model=False)
    assert verdicts(model=True) != with_model
