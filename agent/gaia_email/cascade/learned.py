"""The small learned model that ships with the package: weights of features, summed. Entries: `learned`, `Learned`.

A linear model per question (which bucket, which act …). Its file is written by `python -m evals.train`; its format is
in `Learned.read`. All questions are answered in one sum: the weights of a feature for every answer stand side by side
in one large integer, 32 bits each, so adding two features' integers adds all their weights at once. The last lane
holds a one, so it counts the features.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise, repeat
from math import exp
from sys import byteorder
from typing import Any, NamedTuple

from gaia_email.cascade.features import Features

LANE_BYTES = 4
"""Room for the sum of 16 million biased weights, so lanes never run into each other."""

BIAS = 128
"""Added to every stored weight, so that none is negative."""

CHECK_BYTES = 4
"""A CRC-32 closes the file: the stream's own Adler-32 misses some single wrong bits among so many equal weights."""

_FILE = "learned.bin"


def packed(document: bytes, *, level: int = 9) -> bytes:
    """The content of a model's file from the document that `Learned.read` describes."""
    stream = zlib.compress(document, level)
    return stream + zlib.crc32(stream).to_bytes(CHECK_BYTES, "big")


class Question(NamedTuple):
    """One question and its answers.

    `first` is the lane of the first answer; `offsets` are the answers' scores when no feature is there; `temperature`
    divides the scores so that the probabilities are calibrated.
    """

    name: str
    answers: tuple[str, ...]
    first: int
    offsets: tuple[float, ...]
    temperature: float


class Words(dict[bytes, int]):
    """Words and their packed weights: their own together with that of their class; 0 for those without any.

    They are put together when a word is first met, as few of all words ever are.
    """

    def __init__(self, own: dict[bytes, int], classes: dict[bytes, int]) -> None:
        super().__init__()
        self.own, self.classes = own, classes

    def __missing__(self, word: bytes) -> int:
        """The weight of a word not met before."""
        weight = self.own.get(word, 0) + self.classes.get(word, 0)
        if weight:
            self[word] = weight
        return weight


class _Pair(NamedTuple):
    """Two words: their phrase, its packed weight (0 when nothing is known of just the two), and what may follow."""

    phrase: bytes
    weight: int
    thirds: dict[bytes, tuple[bytes, int]]


class Phrases(dict[bytes, dict[bytes, _Pair]]):
    """Two or three neighbouring words of a text and their packed weights, by the first word and then the second."""

    def __init__(self, weights: Mapping[bytes, int]) -> None:
        super().__init__()
        for phrase, weight in weights.items():
            first, second, *third = phrase.split()
            pairs = self.setdefault(first, {})
            pair = pairs.setdefault(second, _Pair(b"%b %b" % (first, second), 0, {}))
            if third:
                pair.thirds[third[0]] = (phrase, weight)
            else:
                pairs[second] = pair._replace(weight=weight)

    def weights_in(self, text: list[bytes]) -> Iterable[int]:
        """The weights of the phrases that stand in a text, each once, and perhaps zeros."""
        found: dict[bytes, int] = {}
        for pairs, second, third in zip(map(self.get, text), text[1:], [*text[2:], b""], strict=False):
            if pairs is not None and second in pairs:
                phrase, weight, thirds = pairs[second]
                found[phrase] = weight
                if third in thirds:
                    phrase, weight = thirds[third]
                    found[phrase] = weight
        return found.values()


def phrases_in(text: Sequence[bytes]) -> list[bytes]:
    """Every phrase that `Phrases` would look for in a text, each once; for training it."""
    threes = zip(text, text[1:], text[2:], strict=False)
    return list(dict.fromkeys(map(b" ".join, (*pairwise(text), *threes))))


class Learned(NamedTuple):
    """The model: its questions, and per group of features name → packed weights."""

    questions: dict[str, Question]
    scale: float
    width: int
    """Bytes of all lanes together."""
    facts: dict[str, int]
    sender: dict[bytes, int]
    subject: Words
    body: Words
    """With the words' classes: what they are about, so that a word not seen in training says something."""
    phrases: Phrases
    sentence: dict[bytes, int]
    about: dict[str, object]
    """Where it comes from: hashes of the inputs, sizes."""

    @classmethod
    def read(cls, content: bytes) -> Learned:
        """Read the model's file.

        A zlib stream, and its CRC-32 behind it (see `packed`). In the stream: one line of JSON (`questions`, `scale`,
        `lanes`, `families`, and `groups`: name and size of each); one line a feature name, group after group; for each
        set of word classes (`families` of them) one line with the words that belong to just these; then the weights:
        one byte an answer, biased by 128, feature after feature. The group `class` has a feature for each such set.

        Raises:
            ValueError: It is not such a file.
        """
        try:
            return cls._read(content)
        except (
            zlib.error,
            ValueError,
            KeyError,
            TypeError,
            OverflowError,
            AttributeError,
            IndexError,
        ) as error:
            raise ValueError("not a model of gaia email") from error

    @classmethod
    def _read(cls, content: bytes) -> Learned:
        stream, check = content[:-CHECK_BYTES], content[-CHECK_BYTES:]
        if zlib.crc32(stream).to_bytes(CHECK_BYTES, "big") != check:
            raise ValueError("not a whole model of gaia email")
        header, _, rest = zlib.decompress(stream).partition(b"\n")
        about = json.loads(header)
        lanes, groups, families = int(about["lanes"]), about["groups"], int(about["families"])
        count = sum(size for _, size in groups)
        *lines, weights = rest.split(b"\n", count + families)
        names = lines[:count]
        if len(names) != count or len(weights) != count * lanes or lanes < 1:
            raise ValueError("not a whole model of gaia email")
        stride = lanes + 1
        counted = bytearray(b"\1" * (count * stride))
        for lane in range(lanes):
            counted[lane::stride] = weights[lane::lanes]
        wide = bytearray(len(counted) * LANE_BYTES)
        wide[0 if byteorder == "little" else LANE_BYTES - 1 :: LANE_BYTES] = counted
        width = stride * LANE_BYTES
        packed = [int.from_bytes(wide[at : at + width], byteorder) for at in range(0, len(wide), width)]
        tables: dict[str, dict[bytes, int]] = {}
        start = 0
        for group, size in groups:
            tables[group] = dict(zip(names[start : start + size], packed[start : start + size], strict=True))
            start += size
        classes = {
            word: weight
            for words, weight in zip(lines[count:], tables["class"].values(), strict=True)
            for word in words.split()
        }
        return cls(
            questions={row["name"]: _question(row, lanes) for row in about["questions"]},
            scale=float(about["scale"]),
            width=width,
            facts={name.decode(): weight for name, weight in tables["facts"].items()},
            sender=tables["sender"],
            subject=Words(tables["subject"], classes),
            body=Words(tables["body"], classes),
            phrases=Phrases(tables["phrase"]),
            sentence=tables["sentence"],
            about=about,
        )

    def scores(self, features: Features) -> Scores:
        """What the model says of one message."""
        return self._sum(
            [
                *map(self.facts.get, features.facts, repeat(0)),
                *map(self.sender.get, features.sender, repeat(0)),
                *map(self.subject.__getitem__, features.subject),
                *map(self.body.__getitem__, features.body),
                *self.phrases.weights_in(features.text),
            ]
        )

    def asks(self, sentence: list[bytes]) -> float:
        """How likely a sentence, given by its `sentence_features`, asks, promises or proposes something."""
        return self._sum(list(map(self.sentence.get, sentence, repeat(0)))).probabilities("intent")["yes"]

    def _sum(self, weights: list[int]) -> Scores:
        octets = sum(weights).to_bytes(self.width, byteorder)
        lanes = memoryview(octets).cast("I").tolist()
        return Scores(self, lanes, lanes[-1])


class Scores(NamedTuple):
    """The sum of a message's features, a number a lane."""

    model: Learned
    lanes: list[int]
    features: int

    def probabilities(self, name: str) -> dict[str, float]:
        """Answer → calibrated probability, for one question.

        Raises:
            KeyError: The model has no such question.
        """
        question = self.model.questions[name]
        bias, scale, divisor = self.features * BIAS, self.model.scale, question.temperature
        values: list[float] = []
        for offset, lane in zip(question.offsets, self.lanes[question.first :], strict=False):
            values.append((offset + (lane - bias) * scale) / divisor)
        top = max(values)
        powers = [exp(value - top) for value in values]
        total = sum(powers)
        return dict(zip(question.answers, [power / total for power in powers], strict=True))


def _question(row: dict[str, Any], lanes: int) -> Question:
    answers, offsets = tuple(map(str, row["answers"])), tuple(map(float, row["offsets"]))
    first, temperature = int(row["first"]), float(row["temperature"])
    if len(answers) != len(offsets) or not 0 <= first <= lanes - len(answers) or temperature <= 0:
        raise ValueError("a question that the weights do not answer")
    return Question(
        name=str(row["name"]), answers=answers, first=first, offsets=offsets, temperature=temperature
    )


@lru_cache(maxsize=1)
def learned() -> Learned | None:
    """The model that ships with the package; None where the file is missing, and rules decide alone."""
    file = files("gaia_email.cascade") / _FILE
    return Learned.read(file.read_bytes()) if file.is_file() else None
