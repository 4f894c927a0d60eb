"""Apply the answers of language models to a verdict, in one pure function. Entries: `agree`, `is_open`.

A model can say anything, including what a message told it to say. So a model moves a bucket by one step, by
two only if both of its passes say so, and to the lowest only if both do. It never changes a message that is
flagged or suspicious, a cohort or a rule of the user, and it can only lower confidence, on which autonomy
depends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gaia_understanding.cascade.answers import ModelAnswer
from gaia_understanding.cascade.bands import bucket_at, within
from gaia_understanding.cascade.verdict import BUCKETS, Bucket, SecondWord, Signal, Verdict

_YES = 0.5
_SUSPECT = 0.3
_SPEAKS_TO_MACHINES = 0.2
_FADED = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The influence of a model's answers; the defaults are for a model that nobody has measured.

    Attributes:
        ask_below: The confidence below which a model is asked at all.
        alone: Buckets that one pass may move a message by.
        twice: Buckets that both passes together may move it by.
        at_most: The confidence of a verdict that a model has moved; below what a policy calls sure.
    """

    ask_below: float = 0.6
    alone: int = 1
    twice: int = 2
    at_most: float = 0.49


CAUTIOUS = Weights()


def is_open(verdict: Verdict, weights: Weights = CAUTIOUS) -> bool:
    """Return True if a model may be asked: the rules are unsure, and nothing is suspect or flagged."""
    return verdict.confidence < weights.ask_below and is_clean(verdict)


def is_clean(verdict: Verdict) -> bool:
    """Return True if a model may be shown the message at all: nothing about it is suspect or flagged."""
    flags = verdict.flags
    return (
        flags.phishing.score < _SUSPECT
        and flags.spam < _SUSPECT
        and flags.injection.score < _SPEAKS_TO_MACHINES
        and not flags.for_machines
        and not flags.imitates
        and not flags.withheld
    )


def agree(verdict: Verdict, answers: Sequence[ModelAnswer], weights: Weights = CAUTIOUS) -> Verdict:
    """Return the verdict after the answers; unchanged if there are none or the verdict is not open to them."""
    if not answers or not is_open(verdict, weights):
        return verdict
    words = _words(answers)
    if not words:
        return verdict
    wanted, agreeing = _choose_bucket(verdict.bucket, words)
    moved = _limit_move(verdict.bucket, wanted, agreeing, weights)
    last = words[-1][0]
    second = SecondWord(
        tier="T1" if last.made_in == "T1" else "T2",
        model=last.model,
        prompt=last.prompt,
        by_rules=verdict.bucket,
        by_model=wanted,
        stands="model" if moved != verdict.bucket else "rules",
        evidence=next((answer.evidence for answer, _ in reversed(words) if answer.evidence), ""),
        sentence=next((answer.sentence for answer, _ in reversed(words) if answer.sentence), ""),
    )
    if wanted == verdict.bucket:
        return replace(verdict, second=second)
    doubted = replace(verdict, second=second, confidence=round(verdict.confidence * _FADED, 3))
    return doubted if moved == verdict.bucket else _move(doubted, moved, second, answers, weights)


def _words(answers: Sequence[ModelAnswer]) -> list[tuple[ModelAnswer, Bucket | None]]:
    """Pair each answer that places the message with its bucket; None if it only says "not worth showing"."""
    words: list[tuple[ModelAnswer, Bucket | None]] = []
    for answer in answers:
        if answer.score is not None:
            words.append((answer, bucket_at(answer.score / 100)))
        elif answer.bucket is not None:
            words.append((answer, answer.bucket))
        elif answer.keep is False:
            words.append((answer, None))
    return words


def _choose_bucket(own: Bucket, words: Sequence[tuple[ModelAnswer, Bucket | None]]) -> tuple[Bucket, int]:
    """Return the bucket that the model wants, and how many of its passes want it.

    If two passes differ but point the same way, the nearer bucket counts for both; if one of them would leave
    the message in its bucket, the other counts alone; if they point in opposite ways, the bucket stays. "Not
    worth showing" is one step down, and counts only if no pass names a bucket.
    """
    place = BUCKETS.index(own)
    sorted_in = [BUCKETS.index(bucket) for _, bucket in words if bucket is not None]
    if not sorted_in:
        return BUCKETS[min(place + 1, len(BUCKETS) - 1)], 1
    steps = [index - place for index in sorted_in]
    if min(steps) < 0 < max(steps):
        return own, 0
    nearest = min(steps, key=abs)
    if nearest:
        return BUCKETS[place + nearest], len(steps)
    return BUCKETS[place + max(steps, key=abs)], 1


def _limit_move(own: Bucket, wanted: Bucket, agreeing: int, weights: Weights) -> Bucket:
    place, target = BUCKETS.index(own), BUCKETS.index(wanted)
    most = weights.twice if agreeing > 1 else weights.alone
    reached = place + max(-most, min(most, target - place))
    if BUCKETS[reached] == "low_priority" and agreeing < 2:
        return own
    return BUCKETS[reached]


def _move(
    verdict: Verdict, bucket: Bucket, second: SecondWord, answers: Sequence[ModelAnswer], weights: Weights
) -> Verdict:
    if not second.evidence:
        return replace(verdict, second=replace(second, stands="rules"))
    scores = [answer.score / 100 for answer in answers if answer.score is not None]
    quoted = f"“{second.evidence}”"
    reason = f"The rules said {_name(second.by_rules)}; {second.model} on this machine moved it for {quoted}."
    waits = any(answer.needs_reply for answer in answers)
    return replace(
        verdict,
        bucket=bucket,
        confidence=min(verdict.confidence, weights.at_most),
        tier=second.tier,
        needs_reply=verdict.needs_reply or (waits and bucket in ("urgent", "actionable")),
        priority=replace(
            verdict.priority,
            score=within(bucket, scores[-1] if scores else verdict.priority.score),
            reason=reason,
            signals=(*verdict.priority.signals, Signal(name="model", weight=0.0, evidence=second.evidence)),
        ),
    )


def _name(bucket: Bucket) -> str:
    return bucket.replace("_", " ")
