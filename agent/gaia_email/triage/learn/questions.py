"""Choose the messages worth asking the owner about: doubtful ones, from many senders. Entry: `choose`.

An answer teaches most if the shipped model is torn between two buckets and nothing similar was asked before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gaia_understanding.cascade.verdict import Convention, Seen

_SAME_SENDER = 0.5
"""Worth of another message from a sender already asked about, relative to a new sender."""

_DIFFERING, _EACH = 1.25, 3
"""Extra worth of mail of a contested kind, and the number of each kind that gets it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionCandidate:
    """A message that could be asked about.

    Attributes:
        key: Message id.
        sender: Address of its sender.
        seen: The features that the owner's model sees.
        kinds: Those of its kinds about which people differ.
    """

    key: str
    sender: str
    seen: Seen
    kinds: tuple[Convention, ...] = ()


def choose(candidates: Sequence[QuestionCandidate], count: int) -> list[QuestionCandidate]:
    """Return up to `count` candidates, most informative first; ties keep their order, so the result is stable.

    Each choice lowers the worth of similar messages and of the same sender's. Kinds of mail about which people differ
    come first, until a few of each were asked about.
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
    """Return 1 if two buckets are equally likely, approaching 0 if one is certain."""
    first, second, *_ = sorted(seen.chances, reverse=True)
    return 1 - (first - second)


def overlap(one: Seen, other: Seen) -> float:
    """Return the share of word marks that two messages have in common (Jaccard, 1901); 1 for the same words."""
    first = {*one.words, *one.subject}
    second = {*other.words, *other.subject}
    return len(first & second) / len(first | second) if first or second else 0.0
