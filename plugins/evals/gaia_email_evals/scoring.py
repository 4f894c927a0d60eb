"""Builds a scorecard's section from judged messages. Entry: `score`."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import get_args

from gaia_email_evals.baselines import CONSTANT
from gaia_email_evals.calibration import calibration
from gaia_email_evals.cases import Labels
from gaia_email_evals.judging import ScoredMessage
from gaia_email_evals.metrics import choice, flag, round_figure, share, yes_no
from gaia_email_evals.model import (
    Baseline,
    BucketChoice,
    Choice,
    DataPart,
    Flag,
    Latency,
    Row,
    Section,
    Share,
    YesNo,
)
from gaia_understanding.cascade.verdict import BUCKETS, CATEGORIES, SPEECH_ACTS, Bucket, Cohort

COHORTS: tuple[str, ...] = get_args(Cohort)

UNKNOWN_LANGUAGE = "und"
"""ISO 639-2 code for an undetermined language."""


def score(
    judged: Sequence[ScoredMessage], part: DataPart, *, rows: bool = True, timed: bool = True
) -> Section:
    """Return the figures of one part.

    Args:
        judged: The messages; may be empty.
        part: The part they belong to.
        rows: Keep each message's outcome, as a later comparison needs. A locked part is published without.
        timed: Include the duration; leave it out if the output must be reproducible.
    """
    sorted_in = [one for one in judged if one.labels.buckets]
    return Section(
        part=part,
        labels=label_digest((one.name, one.group, one.labels) for one in judged),
        messages=len(judged),
        groups=len({one.group for one in judged}),
        failed=sum(one.failed for one in judged),
        tiers=dict(sorted(Counter(one.answer.tier for one in judged).items())),
        buckets=_buckets(sorted_in),
        category=_choice(judged, lambda one: (one.labels.category, one.answer.category), CATEGORIES),
        act=_choice(judged, lambda one: (one.labels.act, one.answer.act), SPEECH_ACTS),
        cohort=_choice(judged, lambda one: (one.labels.cohort, one.answer.cohort or ""), COHORTS),
        needs_reply=_yes_no(judged, lambda one: (one.labels.needs_reply, one.answer.needs_reply)),
        intent=_yes_no(judged, lambda one: (one.labels.intent, one.answer.intent)),
        spam=_flag(judged, lambda one: (one.labels.spam, one.answer.spam)),
        phishing=_flag(judged, lambda one: (one.labels.phishing, one.answer.phishing)),
        injection=_flag(judged, lambda one: (one.labels.injection, one.answer.injection)),
        calibration=calibration(
            [(one.answer.confidence, is_right(one, one.answer.bucket)) for one in sorted_in],
            [one.group for one in sorted_in],
        ),
        languages=_slices(sorted_in, lambda one: one.language or UNKNOWN_LANGUAGE),
        sources=_slices(sorted_in, lambda one: one.source),
        baselines=_baselines(sorted_in),
        latency=_latency(judged) if timed and judged else None,
        comparison=None,
        rows=tuple(_row(one) for one in sorted_in) if rows else (),
    )


def label_digest(labelled: Iterable[tuple[str, str, Labels]]) -> str:
    """Return a digest of every message's name, group and labels: equal if two sections cover the same messages."""
    text = "\n".join(sorted(f"{name} {group} {labels}" for name, group, labels in labelled))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_right(one: ScoredMessage, bucket: Bucket) -> bool:
    """Return True if a careful person might choose this bucket."""
    return bucket in one.labels.buckets


def bucket_pair(one: ScoredMessage, bucket: Bucket) -> tuple[str, str]:
    """Return the right and the predicted bucket; any acceptable bucket counts as the right one."""
    return (bucket if is_right(one, bucket) else one.labels.buckets[0]), bucket


def _buckets(judged: Sequence[ScoredMessage]) -> BucketChoice | None:
    pairs = [bucket_pair(one, one.answer.bucket) for one in judged]
    scored = choice(pairs, BUCKETS, [one.group for one in judged])
    if scored is None:
        return None
    near = sum(_distance(one) <= 1 for one in judged)
    return BucketChoice(**dict(scored), within_one=share(near, len(judged)))


def _distance(one: ScoredMessage) -> int:
    said = BUCKETS.index(one.answer.bucket)
    return min(abs(said - BUCKETS.index(bucket)) for bucket in one.labels.buckets)


def _choice(
    judged: Sequence[ScoredMessage],
    pair: Callable[[ScoredMessage], tuple[str | None, str]],
    classes: Sequence[str],
) -> Choice | None:
    found = [(right, said, one.group) for one in judged for right, said in [pair(one)] if right is not None]
    return choice([(right, said) for right, said, _ in found], classes, [group for _, _, group in found])


def _yes_no(
    judged: Sequence[ScoredMessage], pair: Callable[[ScoredMessage], tuple[bool | None, bool]]
) -> YesNo | None:
    found = [(right, said, one.group) for one in judged for right, said in [pair(one)] if right is not None]
    return yes_no([(right, said) for right, said, _ in found], [group for _, _, group in found])


def _flag(
    judged: Sequence[ScoredMessage], pair: Callable[[ScoredMessage], tuple[bool | None, bool]]
) -> Flag | None:
    return flag([(right, said) for right, said in map(pair, judged) if right is not None])


def _slices(judged: Sequence[ScoredMessage], key: Callable[[ScoredMessage], str]) -> dict[str, Share]:
    outcomes: dict[str, list[bool]] = {}
    for one in judged:
        outcomes.setdefault(key(one), []).append(is_right(one, one.answer.bucket))
    by_size = sorted(outcomes.items(), key=lambda item: (-len(item[1]), item[0]))
    return {name: share(sum(right), len(right)) for name, right in by_size}


def _baselines(judged: Sequence[ScoredMessage]) -> dict[str, Baseline]:
    groups = [one.group for one in judged]
    found = {
        "constant": choice([bucket_pair(one, CONSTANT) for one in judged], BUCKETS, groups),
        "keywords": choice([bucket_pair(one, one.keywords) for one in judged], BUCKETS, groups),
    }
    return {
        name: Baseline(accuracy=scored.accuracy, macro_f1=scored.macro_f1)
        for name, scored in found.items()
        if scored is not None
    }


def _latency(judged: Sequence[ScoredMessage]) -> Latency:
    times = sorted(one.seconds * 1000 for one in judged)
    last = len(times) - 1
    return Latency(
        median_ms=round_figure(times[round(0.5 * last)]),
        p95_ms=round_figure(times[round(0.95 * last)]),
        slowest_ms=round_figure(times[last]),
    )


def _row(one: ScoredMessage) -> Row:
    return Row(name=one.name, right=is_right(one, one.answer.bucket), bucket=one.answer.bucket)
