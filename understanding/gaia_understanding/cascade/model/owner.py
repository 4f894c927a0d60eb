"""An owner's lessons, as a small model on top of the shipped one. Entries: `Owners`, `look`.

It is a logistic regression that starts from the shipped model's own scores: each correction adds weights to
the topics of its message, to the words, to the subject and to the sender, as far as that model was wrong.
Mail that was read and left alone is learned in the same sum, weakly, and so holds back what a few corrections
would move. A message moves only if two lessons that resemble it agree and outweigh the shipped model; an
urgent message never moves. Its figures on other people's mailboxes are in docs/learned-model.md.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain, pairwise
from math import exp, log, sqrt
from typing import cast
from zlib import crc32

from typing_extensions import override

from gaia_understanding.cascade.model.features import Features
from gaia_understanding.cascade.model.learned import load_shipped_model
from gaia_understanding.cascade.verdict import BUCKETS, Bucket, Lean, OwnerModel, Seen

MOST = 300
"""The most corrections to learn from, the newest: a habit of years ago should not outweigh today's."""

NOTICED = 0.2
"""The weight of an action, relative to a correction.

With it, simulated owners lost nothing on average over four independent sources, even if up to six in ten of
their actions meant nothing (`python -m evals.behaviour`).
"""

_WEIGHTS = {"about": 8.0, "words": 8.0, "subject": 3.0, "kinds": 2.0, "sender": 2.0}
"""The weight of each kind of likeness; chosen across sources (docs/learned-model.md)."""
_RIDGE = 2.0
"""The penalty that holds back the sum of all that was taught."""
_TRUST = 0.4
"""The weight of the shipped model's own certainty, relative to what was taught."""
_FLOOR, _AHEAD = 0.02, 1.05
_ROUNDING = 1e-6
"""The difference that sums of the same numbers in another order may have."""

_PARTS = ("about", "words", "subject", "kinds")
_CHANCES = struct.calcsize("<4d")
_HEAD = len(_PARTS) + 2
"""The integers before the marks in packed features: bucket, number of marks of each kind, sender.

The four chances come before them.
"""

_CLEARLY = 0.5
_BY_DEEDS = 0.8
"""The lead over the shipped model's bucket from which a message moves: by corrections, and by actions."""
LEAST_ALIKE = 2
"""The lessons into a bucket that must resemble a message that moves there: all corrections, or all actions."""
_ROUNDS, _MORE, _STILL = 12, 2, 1e-3
_STEM, _SHORT = 6, 4
_KINDS = ("category:", "act:", "says:", "sender:")
"""The prefixes of findings that a habit may depend on: bills, invitations, alarming words, private notes."""
_ALIKE = 0.1
"""The likeness from which a correction resembles a message; 1 is the same text by the same sender."""
_SURE_RULES = 0.9
_YES = 0.5

Vector = list[tuple[int, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerLesson:
    """A message that belongs in `bucket` according to its owner; `number` is the correction's.

    `weight` is relative to a correction: less if only the owner's actions say so.
    """

    number: int
    seen: Seen
    bucket: Bucket
    weight: float = 1.0

    @property
    def is_noticed(self) -> bool:
        """True if the owner did not say so: their actions showed it."""
        return self.weight < 1.0

    @property
    def agrees(self) -> bool:
        """True if the message is where it belongs: such a lesson holds others in place and moves none."""
        return self.bucket == self.seen.bucket


@dataclass(slots=True, kw_only=True)
class _Learned:
    """A lesson as the model keeps it: its features, the shipped model's scores, and its pull on the weights."""

    lesson: OwnerLesson
    vector: Vector
    length: float
    offset: list[float]
    pull: list[float]


class OwnersModel(OwnerModel):
    """The weighted corrections of one account; the same ones in the same order always give the same model."""

    def __init__(self, lessons: Iterable[OwnerLesson] = ()) -> None:
        self._kept: dict[int, _Learned] = {}
        self._weights: dict[int, list[float]] = {}
        for lesson in list(lessons)[-MOST:]:
            self._add(lesson)
        self._settle(_ROUNDS)

    def __len__(self) -> int:
        """Return the number of corrections."""
        return len(self._kept)

    @property
    def lessons(self) -> tuple[OwnerLesson, ...]:
        """The lessons, oldest first."""
        return tuple(one.lesson for one in self._kept.values())

    @property
    def digest(self) -> str:
        """A checksum that changes whenever something is taught or taken back."""
        return f"{crc32(repr([(one.number, one.bucket) for one in self.lessons]).encode()):08x}"

    def movable(self, looks: Iterable[tuple[str, bytes]]) -> Iterator[str]:
        """Yield the names of the packed features that `lean` would move; quick for tens of thousands."""
        if sum(not one.lesson.agrees for one in self._kept.values()) < LEAST_ALIKE:
            return
        find = self._weights.get
        for name, look in looks:
            marks = _marks_in(look)
            may_lean = any(map(find, marks[_HEAD - 1 :])) and self._may_lean(look, marks)
            if may_lean and self.lean(unpack_look(look)) is not None:
                yield name

    def _may_lean(self, look: bytes, marks: Sequence[int]) -> bool:
        """Return True if the scores of packed features may be as far apart as `lean` requires."""
        bucket, *lengths = marks[: _HEAD - 1]
        gained = [0.0] * len(BUCKETS)
        start = _HEAD
        parts = [(_WEIGHTS["sender"], marks[_HEAD - 1 : _HEAD])]
        for kind, length in zip(_PARTS, lengths, strict=True):
            parts.append((_WEIGHTS[kind], marks[start : start + length]))
            start += length
        for weight, some in parts:
            rows = [row for row in map(self._weights.get, some) if row is not None]
            if rows:
                value = sqrt(weight / len(some))
                for at, column in enumerate(zip(*rows, strict=True)):
                    gained[at] += sum(column) * value
        likely = [max(chance, _FLOOR) for chance in struct.unpack_from("<4d", look)]
        likely[bucket] = max(likely) * _AHEAD
        scores = [_TRUST * log(chance) + gain for chance, gain in zip(likely, gained, strict=True)]
        return max(scores) - scores[bucket] > _CLEARLY - _ROUNDING

    def learn(self, lesson: OwnerLesson) -> None:
        """Add a correction; one with the same number is replaced."""
        if lesson.number in self._kept:
            self._drop(lesson.number)
        while len(self._kept) >= MOST:
            self._drop(next(iter(self._kept)))
        self._add(lesson)
        self._settle(_MORE)

    def forget(self, number: int) -> bool:
        """Remove a correction as if it had never been made. Return False if it is not known."""
        if number not in self._kept:
            return False
        del self._kept[number]
        self._weights.clear()
        for one in self._kept.values():
            one.pull = [0.0] * len(BUCKETS)
        self._settle(_ROUNDS)
        return True

    @override
    def lean(self, seen: Seen) -> Lean | None:
        """Return the bucket that the lessons prefer.

        Likeness hides nothing urgent; actions alone make nothing urgent, since the owner did not say so.
        """
        if seen.bucket == "urgent":
            return None
        scores = self.scores(seen)
        first = 0 if seen.bucket == "actionable" else 1
        best = max(range(first, len(BUCKETS)), key=scores.__getitem__)
        ahead = scores[best] - scores[BUCKETS.index(seen.bucket)]
        if ahead <= _CLEARLY:
            return None
        bucket = BUCKETS[best]
        alike = self.alike(seen, bucket)
        said = sum(not one.is_noticed for one in alike)
        noticed = len(alike) - said
        if said < LEAST_ALIKE:
            if bucket == "urgent" or noticed < LEAST_ALIKE or ahead <= _BY_DEEDS:
                return None
            said = 0
        return Lean(
            bucket=bucket,
            was=seen.bucket,
            chance=_shares(scores)[best],
            alike=said,
            noticed=0 if said else noticed,
        )

    def scores(self, seen: Seen) -> list[float]:
        """Return the scores of each of `BUCKETS` by the shipped model and the corrections together."""
        return self._score(_vector(seen), _offset(seen))

    def chances(self, seen: Seen) -> list[float]:
        """Return the scores as shares of one."""
        return _shares(self.scores(seen))

    def alike(self, seen: Seen, bucket: Bucket) -> list[OwnerLesson]:
        """Return the lessons that moved something into a bucket and resemble a message, the most alike first."""
        vector = dict(_vector(seen))
        whole = _length(vector.items())
        found = [
            (likeness, one.lesson)
            for one in self._kept.values()
            if one.lesson.bucket == bucket
            and not one.lesson.agrees
            and (likeness := _likeness(vector, whole, one)) >= _ALIKE
        ]
        return [lesson for _, lesson in sorted(found, key=lambda pair: (-pair[0], pair[1].number))]

    def _add(self, lesson: OwnerLesson) -> None:
        vector = _vector(lesson.seen)
        self._kept[lesson.number] = _Learned(
            lesson=lesson,
            vector=vector,
            length=_length(vector),
            offset=_offset(lesson.seen),
            pull=[0.0] * len(BUCKETS),
        )

    def _drop(self, number: int) -> None:
        gone = self._kept.pop(number)
        self._move(gone.vector, [-pull for pull in gone.pull])

    def _settle(self, rounds: int) -> None:
        """Run coordinate ascent on the dual of a ridge logistic regression, the newest lesson first."""
        for _ in range(rounds):
            moved = 0.0
            for one in reversed(self._kept.values()):
                shares = _shares(self._score(one.vector, one.offset))
                answer = BUCKETS.index(one.lesson.bucket)
                weight = one.lesson.weight
                room = _RIDGE + weight * one.length * _YES
                steps = [
                    (weight * ((at == answer) - share) - _RIDGE * pull) / room
                    for at, (share, pull) in enumerate(zip(shares, one.pull, strict=True))
                ]
                if max(map(abs, steps)) < _STILL:
                    continue
                one.pull = [pull + step for pull, step in zip(one.pull, steps, strict=True)]
                self._move(one.vector, steps)
                moved = max(moved, *map(abs, steps))
            if moved < _STILL:
                return

    def _move(self, vector: Vector, steps: Sequence[float]) -> None:
        weights = self._weights
        for mark, value in vector:
            row = weights.setdefault(mark, [0.0] * len(BUCKETS))
            for at, step in enumerate(steps):
                row[at] += step * value

    def _score(self, vector: Vector, offset: Sequence[float]) -> list[float]:
        urgent, actionable, informational, low = offset
        find = self._weights.get
        for mark, value in vector:
            row = find(mark)
            if row is not None:
                urgent += row[0] * value
                actionable += row[1] * value
                informational += row[2] * value
                low += row[3] * value
        return [urgent, actionable, informational, low]


class Owners:
    """The models of all accounts, each made when it is first asked for; without arguments there are none."""

    def __init__(self, lessons: Mapping[str, Sequence[OwnerLesson]] | None = None) -> None:
        self._lessons = {account: tuple(taught) for account, taught in (lessons or {}).items()}
        self._models: dict[str, OwnersModel] = {}

    def __eq__(self, other: object) -> bool:
        """Return True if the lessons are the same: they make the same models."""
        return isinstance(other, Owners) and self._lessons == other._lessons

    def __hash__(self) -> int:
        """Hash the numbers of the lessons."""
        return hash(self.version)

    @property
    def version(self) -> str:
        """A version that changes whenever a correction is made or taken back; empty if there is none.

        Actions do not change it, so that a triage does not repeat its work for them.
        """
        numbers = sorted(
            lesson.number for taught in self._lessons.values() for lesson in taught if not lesson.is_noticed
        )
        return f"{len(numbers)}-{crc32(repr(numbers).encode()):08x}" if numbers else ""

    @property
    def digest(self) -> str:
        """A checksum that changes whenever a lesson of any kind is added or taken back."""
        taught = [
            (account, [(one.number, one.bucket, one.weight) for one in lessons])
            for account, lessons in sorted(self._lessons.items())
        ]
        return f"{crc32(repr(taught).encode()):08x}"

    def of(self, account: str) -> OwnersModel | None:
        """Return the model of an account's owner; None if nothing was taught."""
        if account not in self._lessons:
            return None
        if account not in self._models:
            self._models[account] = OwnersModel(self._lessons[account])
        return self._models[account]


def seen_to_json(seen: Seen) -> dict[str, object]:
    """Return the features in the form that a correction stores."""
    return {
        "bucket": seen.bucket,
        "chances": list(seen.chances),
        "about": list(seen.about),
        "words": list(seen.words),
        "subject": list(seen.subject),
        "sender": seen.sender,
        "kinds": list(seen.kinds),
    }


def pack_look(seen: Seen) -> bytes:
    """Pack all of the features into a few hundred bytes, for `unpack_look`."""
    parts = [tuple[int, ...](getattr(seen, kind)) for kind in _PARTS]
    head = (BUCKETS.index(seen.bucket), *map(len, parts), seen.sender)
    marks = [mark for part in parts for mark in part]
    return struct.pack(f"<4d{len(head) + len(marks)}I", *seen.chances, *head, *marks)


def unpack_look(look: bytes) -> Seen:
    """Return the features that `pack_look` was given."""
    marks = _marks_in(look)
    bucket, *lengths, sender = marks[:_HEAD]
    ends = [*accumulate(lengths, initial=_HEAD)]
    about, words, subject, kinds = (marks[begin:end] for begin, end in pairwise(ends))
    return Seen(
        bucket=BUCKETS[bucket],
        chances=struct.unpack_from("<4d", look),
        about=about,
        words=words,
        subject=subject,
        kinds=kinds,
        sender=sender,
    )


def _marks_in(look: bytes) -> tuple[int, ...]:
    """Return bucket, four lengths and sender, then the marks of the four kinds."""
    return struct.unpack_from(f"<{(len(look) - _CHANCES) // 4}I", look, _CHANCES)


def seen_from_json(value: object) -> Seen | None:
    """Return the features that `seen_to_json` wrote; None for anything else."""
    if not isinstance(value, Mapping):
        return None
    row = cast("Mapping[str, object]", value)
    bucket = bucket_named(row.get("bucket"))
    chances, sender = _numbers(row.get("chances")), row.get("sender")
    marks = [_numbers(row.get(name)) for name in ("about", "words", "subject", "kinds")]
    if bucket is None or len(chances) != len(BUCKETS) or not isinstance(sender, int):
        return None
    about, words, subject, kinds = (tuple(map(int, found)) for found in marks)
    return Seen(
        bucket=bucket,
        chances=tuple(chances),
        about=about,
        words=words,
        subject=subject,
        sender=sender,
        kinds=kinds,
    )


def seen_of_sender(address: str, bucket: Bucket) -> Seen:
    """Return the features of a message of which only the sender and the bucket were kept."""
    return look(Features([], [], [], [], []), address, bucket, None)


def bucket_named(name: object) -> Bucket | None:
    """Return the bucket with that name; None if there is none."""
    return next((bucket for bucket in BUCKETS if bucket == name), None)


def _numbers(value: object) -> list[float]:
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [one for one in items if isinstance(one, int | float)]


def look(features: Features, address: str, bucket: Bucket, chances: Mapping[str, float] | None) -> Seen:
    """Return the features of a message for an owner's model.

    Args:
        features: The shipped model's features.
        address: The sender's address.
        bucket: The bucket by the shipped model and the rules.
        chances: The model's probability of each bucket; None if rules alone decided.
    """
    rest = (1 - _SURE_RULES) / (len(BUCKETS) - 1)
    likely = chances or {name: _SURE_RULES if name == bucket else rest for name in BUCKETS}
    classes = _classes()
    words = dict.fromkeys(chain(features.subject, features.body))
    return Seen(
        bucket=bucket,
        chances=tuple(round(likely[name], 4) for name in BUCKETS),
        about=tuple(sorted({classes[word] for word in words if word in classes})),
        words=_marks(b"w:", chain(words, features.sender)),
        subject=_marks(b"s:", features.subject),
        sender=crc32(b"@" + address.lower().encode("utf-8", "replace")) if address else 0,
        kinds=tuple(sorted({crc32(b"k:" + fact.encode()) for fact in features.facts if _is_kind(fact)})),
    )


def _is_kind(fact: str) -> bool:
    return fact.startswith(_KINDS) and fact.count(":") == 1


def _marks(kind: bytes, words: Iterable[bytes]) -> tuple[int, ...]:
    return tuple(sorted({crc32(kind + word[:_STEM]) for word in words if len(word) >= _SHORT}))


@lru_cache(maxsize=1)
def _classes() -> dict[bytes, int]:
    """Return word → hash of its class's first word, so that the hash outlives a new training."""
    model = load_shipped_model()
    if model is None:
        return {}
    first: dict[int, bytes] = {}
    for word, weight in model.body.classes.items():
        if weight not in first or word < first[weight]:
            first[weight] = word
    marks = {weight: crc32(b"c:" + word) for weight, word in first.items()}
    return {word: marks[weight] for word, weight in model.body.classes.items()}


def _vector(seen: Seen) -> Vector:
    vector: Vector = []
    parts = {"about": seen.about, "words": seen.words, "subject": seen.subject, "kinds": seen.kinds}
    for kind, marks in parts.items():
        if marks:
            value = sqrt(_WEIGHTS[kind] / len(marks))
            vector += [(mark, value) for mark in marks]
    if seen.sender:
        vector.append((seen.sender, sqrt(_WEIGHTS["sender"])))
    return vector


def _length(vector: Iterable[tuple[int, float]]) -> float:
    return sum(value * value for _, value in vector)


def _likeness(vector: Mapping[int, float], whole: float, one: _Learned) -> float:
    shared = sum(vector.get(mark, 0.0) * value for mark, value in one.vector)
    return shared / sqrt(whole * one.length) if shared else 0.0


def _offset(seen: Seen) -> list[float]:
    """Return the shipped model's scores, with the message's bucket first, whatever put it there."""
    likely = [max(chance, _FLOOR) for chance in seen.chances]
    was = BUCKETS.index(seen.bucket)
    likely[was] = max(likely) * _AHEAD
    return [_TRUST * log(chance) for chance in likely]


def _shares(scores: Sequence[float]) -> list[float]:
    highest = max(scores)
    powers = [exp(score - highest) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]
