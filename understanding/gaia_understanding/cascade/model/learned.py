"""The small learned model shipped with the package: a sum of feature weights. Entries: `load_shipped_model`, `Learned`.

It is a linear model per question (which bucket, which act …). `python -m evals.train` writes its file;
`Learned.read` describes the format. One sum answers all questions: the weights of a feature for every answer
are side by side in one large integer, 16 bits each, so adding two features' integers adds all their weights
at once.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise, repeat
from math import exp
from operator import add
from sys import byteorder
from typing import Any, NamedTuple

from gaia_understanding.cascade.model.features import Features

LANE_BYTES = 2
_FIT = 257
"""The number of biased weights whose sum fits in a lane; more are added in parts."""

BIAS = 128
"""The number added to every stored weight, so that none is negative.

It shifts all answers alike, so it changes no probability.
"""

CHECK_BYTES = 4
"""The bytes of the CRC-32 that closes the file.

The stream's own Adler-32 misses some single wrong bits among so many equal weights.
"""

_FILE = "learned.bin"
_MOST_DOUBT = 700.0
"""The exponent beyond which the exponential is larger than any float."""


def pack_model(document: bytes, *, level: int = 9) -> bytes:
    """Return the content of a model's file for the document that `Learned.read` describes."""
    stream = zlib.compress(document, level)
    return stream + zlib.crc32(stream).to_bytes(CHECK_BYTES, "big")


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedQuestion:
    """One question and its answers.

    `first` is the lane of the first answer; `offsets` are the answers' scores without any feature, `scale` is
    what a weight of one adds to a score, and `temperature` divides the scores so that the probabilities are
    calibrated. `levels` has for each answer its lane, and how far its calibrated score without any feature is
    below the highest; `slope` times the lane's sum is added to that.
    """

    name: str
    answers: tuple[str, ...]
    first: int
    offsets: tuple[float, ...]
    temperature: float
    scale: float
    levels: tuple[tuple[str, int, float], ...] = field(init=False)
    slope: float = field(init=False)

    def __post_init__(self) -> None:
        """Divide once what every message would be divided for."""
        highest = max(self.offsets, default=0.0)
        levels = [
            (answer, lane, (offset - highest) / self.temperature)
            for lane, (answer, offset) in enumerate(zip(self.answers, self.offsets, strict=True), self.first)
        ]
        object.__setattr__(self, "levels", tuple(levels))
        object.__setattr__(self, "slope", self.scale / self.temperature)


class WordWeights(dict[bytes, int]):
    """Words and their packed weights: a word's own weight plus that of its class."""

    def __init__(self, own: dict[bytes, int], classes: dict[bytes, int]) -> None:
        super().__init__(classes | own)
        self.own, self.classes = own, classes
        for word in own.keys() & classes.keys():
            self[word] += classes[word]


class _Pair(NamedTuple):
    """Two words: their phrase, its packed weight (0 if only longer phrases are known), and what may follow."""

    phrase: bytes
    weight: int
    thirds: dict[bytes, tuple[bytes, int]]


class PhraseWeights(dict[bytes, dict[bytes, _Pair]]):
    """Two or three adjacent words of a text and their packed weights, by the first word and then the second."""

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
        """Return the weights of the phrases in a text, each once, and perhaps zeros."""
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
    """Return every phrase of a text that `PhraseWeights` would try, each once; for training."""
    threes = zip(text, text[1:], text[2:], strict=False)
    return list(dict.fromkeys(map(b" ".join, (*pairwise(text), *threes))))


class Learned(NamedTuple):
    """The model: its questions, and the packed weights of each group's features by name."""

    questions: dict[str, LearnedQuestion]
    width: int
    """The bytes of all lanes together."""
    facts: dict[str, int]
    sender: dict[bytes, int]
    subject: WordWeights
    body: WordWeights
    """Includes the classes of words, their topics, so that a word not seen in training says something."""
    phrases: PhraseWeights
    sentence: dict[bytes, int]
    about: dict[str, object]
    """The origin of the model: hashes of the inputs, sizes."""

    @classmethod
    def read(cls, content: bytes) -> Learned:
        """Read the model's file.

        It is a zlib stream, followed by its CRC-32 (see `pack_model`). In the stream: one line of JSON
        (`questions`, `scale`, `lanes`, `families`, and `groups`: name and size of each); one line per feature
        name, group after group; for each set of word classes (`families` in number) one line with the words
        that belong to just these; then the weights: one byte per answer, biased by 128, feature after
        feature. The group `class` has a feature for each such set.

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
        scale = float(about["scale"])
        count = sum(size for _, size in groups)
        *lines, weights = rest.split(b"\n", count + families)
        names = lines[:count]
        if len(names) != count or len(weights) != count * lanes or lanes < 1:
            raise ValueError("not a whole model of gaia email")
        wide = bytearray(len(weights) * LANE_BYTES)
        wide[0 if byteorder == "little" else LANE_BYTES - 1 :: LANE_BYTES] = weights
        width = lanes * LANE_BYTES
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
            questions={row["name"]: _question(row, lanes, scale) for row in about["questions"]},
            width=width,
            facts={name.decode(): weight for name, weight in tables["facts"].items()},
            sender=tables["sender"],
            subject=WordWeights(tables["subject"], classes),
            body=WordWeights(tables["body"], classes),
            phrases=PhraseWeights(tables["phrase"]),
            sentence=tables["sentence"],
            about=about,
        )

    def scores(self, features: Features) -> Scores:
        """Score one message."""
        words = [
            *filter(None, map(self.subject.get, features.subject)),
            *filter(None, map(self.body.get, features.body)),
        ]
        weights = [
            *words,
            *map(self.facts.get, features.facts, repeat(0)),
            *map(self.sender.get, features.sender, repeat(0)),
            *self.phrases.weights_in(features.text),
        ]
        # A word's weight may be the sum of two.
        return self._sum(weights, len(weights) + len(words))

    def asks(self, sentence: list[bytes]) -> float:
        """Return the likelihood that a sentence (its `sentence_features`) asks, promises or proposes something."""
        weights = list(map(self.sentence.get, sentence, repeat(0)))
        return self._sum(weights, len(weights)).chance("intent")

    def _sum(self, weights: list[int], stored: int) -> Scores:
        """Sum the weights; `stored` is the number of stored ones that they were put together from."""
        if stored <= _FIT:
            return Scores(self.questions, self._lanes(weights))
        lanes = [0] * (self.width // LANE_BYTES)
        for at in range(0, len(weights), _FIT // 2):
            lanes = list(map(add, lanes, self._lanes(weights[at : at + _FIT // 2])))
        return Scores(self.questions, lanes)

    def _lanes(self, weights: list[int]) -> list[int]:
        return memoryview(sum(weights).to_bytes(self.width, byteorder)).cast("H").tolist()


class Scores(NamedTuple):
    """The sum of a message's features, one number per lane."""

    questions: dict[str, LearnedQuestion]
    lanes: list[int]

    def probabilities(self, name: str) -> dict[str, float]:
        """Return answer → calibrated probability, for one question.

        Raises:
            KeyError: The model has no such question.
        """
        question, lanes = self.questions[name], self.lanes
        slope, first = question.slope, question.first
        most = max(lanes[first : first + len(question.answers)])
        powers = {
            answer: exp(level + (lanes[lane] - most) * slope) for answer, lane, level in question.levels
        }
        total = sum(powers.values())
        return {answer: power / total for answer, power in powers.items()}

    def chance(self, name: str) -> float:
        """Return the calibrated probability of the second of two answers.

        Raises:
            KeyError: The model has no such question.
        """
        question = self.questions[name]
        (_, first, no), (_, second, yes) = question.levels
        doubt = no - yes + (self.lanes[first] - self.lanes[second]) * question.slope
        return 1 / (1 + exp(min(doubt, _MOST_DOUBT)))


def _question(row: dict[str, Any], lanes: int, scale: float) -> LearnedQuestion:
    answers, offsets = tuple(map(str, row["answers"])), tuple(map(float, row["offsets"]))
    first, temperature = int(row["first"]), float(row["temperature"])
    if len(answers) != len(offsets) or not 0 <= first <= lanes - len(answers) or temperature <= 0:
        raise ValueError("a question that the weights do not answer")
    return LearnedQuestion(
        name=str(row["name"]),
        answers=answers,
        first=first,
        offsets=offsets,
        temperature=temperature,
        scale=scale,
    )


@lru_cache(maxsize=1)
def load_shipped_model() -> Learned | None:
    """Return the model that ships with the package; None if the file is missing, and rules decide alone."""
    file = files("gaia_understanding.cascade.model") / _FILE
    return Learned.read(file.read_bytes()) if file.is_file() else None
