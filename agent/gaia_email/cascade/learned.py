"""The small learned model that ships with the package: weights of features, summed. Entries: `learned`, `Learned`.

A linear model per question (which bucket, which act …). Its file is written by `python -m evals.train`; its format is
in `Learned.read`. All questions are answered in one sum: the weights of a feature for every answer stand side by side
in one large integer, 32 bits each, so adding two features' integers adds all their weights at once.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
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


class Learned(NamedTuple):
    """The model: its questions, and per group of features name → packed weights."""

    questions: dict[str, Question]
    scale: float
    width: int
    """Bytes of all lanes together."""
    facts: dict[str, int]
    sender: dict[bytes, int]
    subject: dict[bytes, int]
    body: dict[bytes, int]
    classes: dict[bytes, int]
    """Words of subject and body by what they are about, so that a word not seen in training says something."""
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
        wide = bytearray(len(weights) * LANE_BYTES)
        wide[0 if byteorder == "little" else LANE_BYTES - 1 :: LANE_BYTES] = weights
        width = lanes * LANE_BYTES
        packed = [int.from_bytes(wide[at : at + width], byteorder) for at in range(0, len(wide), width)]
        tables: dict[str, dict[bytes, int]] = {}
        start = 0
        for group, size in groups:
            tables[group] = dict(zip(names[start : start + size], packed[start : start + size], strict=True))
            start += size
        return cls(
            classes={
                word: weight
                for words, weight in zip(lines[count:], tables["class"].values(), strict=True)
                for word in words.split()
            },
            questions={row["name"]: _question(row, lanes) for row in about["questions"]},
            scale=float(about["scale"]),
            width=width,
            facts={name.decode(): weight for name, weight in tables["facts"].items()},
            sender=tables["sender"],
            subject=tables["subject"],
            body=tables["body"],
            sentence=tables["sentence"],
            about=about,
        )

    def scores(self, features: Features) -> Scores:
        """What the model says of one message."""
        found = [
            *map(self.facts.get, features.facts),
            *map(self.sender.get, features.sender),
            *map(self.subject.get, features.subject),
            *map(self.body.get, features.body),
            *map(self.classes.get, features.subject),
            *map(self.classes.get, features.body),
        ]
        return self._sum(list(filter(None, found)))

    def asks(self, sentence: list[bytes]) -> float:
        """How likely a sentence, given by its `sentence_features`, asks, promises or proposes something."""
        return self._sum(list(filter(None, map(self.sentence.get, sentence)))).probabilities("intent")["yes"]

    def _sum(self, known: list[int]) -> Scores:
        octets = sum(known).to_bytes(self.width, byteorder)
        return Scores(self, memoryview(octets).cast("I"), len(known))


class Scores(NamedTuple):
    """The sum of a message's features, a number a lane."""

    model: Learned
    lanes: Sequence[int]
    features: int

    def probabilities(self, name: str) -> dict[str, float]:
        """Answer → calibrated probability, for one question.

        Raises:
            KeyError: The model has no such question.
        """
        question = self.model.questions[name]
        bias, scale, divisor = self.features * BIAS, self.model.scale, question.temperature
        sums = self.lanes[question.first : question.first + len(question.answers)]
        values = [
            (offset + (lane - bias) * scale) / divisor
            for offset, lane in zip(question.offsets, sums, strict=True)
        ]
        top = max(values)
        powers = [exp(value - top) for value in values]
        total = sum(powers)
        return {answer: power / total for answer, power in zip(question.answers, powers, strict=True)}


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
