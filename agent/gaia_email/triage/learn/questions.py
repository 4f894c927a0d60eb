"""Which messages are worth asking their owner about: where the verdict is doubtful, of many senders. Entry: `choose`.

An answer teaches most where the shipped model is torn between two buckets and where nothing like it was asked already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gaia_email.cascade.verdict import Convention, Seen

_SAME_SENDER = 0.5
"""What another message of a sender already asked about is worth beside one of a new sender."""

_DIFFERING, _EACH = 1.25, 3
"""What mail of a kind about which people differ is worth beside other mail, and how much of each kind is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionCandidate:
    """A message that could be asked about: its id, the address of its sender, and what an owner's model sees of it.

    `kinds` are those among it about which people differ.
    """

    key: str
    sender: str
    seen: Seen
    kinds: tuple[Convention, ...] = ()


def choose(candidates: Sequence[QuestionCandidate], count: int) -> list[QuestionCandidate]:
    """At most `count` of them, the most telling first; of equals the earlier one, so that asking again asks the same.

    Each choice makes what resembles it, and what comes from its sender, less worth asking. Kinds of mail about which
    people differ come first, until some of each were asked about.
    """
    left, chosen = list(candidates), list[QuestionCandidate]()
    nearest = [0.0] * len(left)
    asked, differing = Counter[str](), Counter[Convention]()
    while left and len(chosen) < count:
        worth = [
            uncertainty(one.seen)
            * (1 - near)
            * _SAME_SENDER ** asked[one.sender.lower()]
            * (_DIFFERING if any(differing[kind] < _EACH for kind in one.kinds) else 1.0)
            for one, near in zip(left, nearest, strict=True)
        ]
        at = max(range(len(left)), key=worth.__getitem__)
        taken = left.pop(at)
        del nearest[at]
        chosen.append(taken)
        asked[taken.sender.lower()] += 1
        differing.update(taken.kinds)
        nearest = [max(near, overlap(one.seen, taken.seen)) for one, near in zip(left, nearest, strict=True)]
    return chosen


def uncertainty(seen: Seen) -> float:
    """1 where two buckets are equally likely, towards 0 where one is certain."""
    first, second, *_ = sorted(seen.chances, reverse=True)
    return 1 - (first - second)


def overlap(one: Seen, other: Seen) -> float:
    """The share of marks of words that two messages have in common (Jaccard, 1901); 1 is the same words."""
    first = {*one.words, *one.subject}
    second = {*other.words, *other.subject}
    return len(first & second) / len(first | second) if first or second else 0.0
