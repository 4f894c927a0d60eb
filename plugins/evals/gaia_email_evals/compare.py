"""Two runs over the same messages: better, worse, or no difference. Entry: `compare`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from gaia_email_evals.figures import figures
from gaia_email_evals.judging import ScoredMessage
from gaia_email_evals.metrics import estimate, macro_f1_of, round_figure
from gaia_email_evals.model import (
    Comparison,
    ComparisonOutcome,
    Difference,
    Moved,
    Paired,
    Row,
    Section,
)
from gaia_email_evals.scoring import bucket_pair, is_right
from gaia_email_evals.statistics import Resamples, mcnemar, mean
from gaia_understanding.cascade.verdict import BUCKETS, Bucket

SIGNIFICANT = 0.05


def compare(old: Section, new: Section, judged: Sequence[ScoredMessage]) -> Comparison:
    """Compare an older run with this one.

    Buckets are compared message by message (McNemar's exact test, and the bootstrap of the difference in
    macro-F1); every other figure by whether it has left its old interval.

    Args:
        old: The older run's section.
        new: This run's section.
        judged: This run's messages, from which `new` was made.
    """
    rows = {row.name: row for row in old.rows}
    common = [one for one in judged if one.labels.buckets and one.name in rows]
    paired = _paired(rows, common) if common else None
    moved = _moved(old, new) if old.labels == new.labels else ()
    outcomes: set[ComparisonOutcome] = set()
    for one in (*moved, *((paired.accuracy, paired.macro_f1) if paired else ())):
        outcomes.add(one.outcome)
    return Comparison(outcome=_worst(outcomes), paired=paired, moved=moved)


def _worst(outcomes: Collection[ComparisonOutcome]) -> ComparisonOutcome:
    if "worse" in outcomes:
        return "worse"
    return "better" if "better" in outcomes else "no difference"


def _paired(rows: Mapping[str, Row], judged: Sequence[ScoredMessage]) -> Paired:
    old: list[Bucket] = [rows[one.name].bucket for one in judged]
    new: list[Bucket] = [one.answer.bucket for one in judged]
    old_right = [is_right(one, bucket) for one, bucket in zip(judged, old, strict=True)]
    new_right = [is_right(one, bucket) for one, bucket in zip(judged, new, strict=True)]
    outcomes = list(zip(judged, old_right, new_right, strict=True))
    return Paired(
        messages=len(judged),
        relabelled=sum(rows[one.name].right != right for one, right, _ in outcomes),
        accuracy=_accuracy(old_right, new_right, judged),
        macro_f1=_macro_f1(old, new, judged),
        repaired=tuple(one.name for one, before, now in outcomes if now and not before),
        broken=tuple(one.name for one, before, now in outcomes if before and not now),
    )


def _accuracy(old: Sequence[bool], new: Sequence[bool], judged: Sequence[ScoredMessage]) -> Difference:
    steps = [now - before for before, now in zip(old, new, strict=True)]
    p = mcnemar(steps.count(1), steps.count(-1))
    change = mean(steps)
    values = Resamples.of([one.group for one in judged]).values(
        lambda sample: mean([steps[number] for number in sample])
    )
    return Difference(
        old=round_figure(mean(old)),
        new=round_figure(mean(new)),
        change=estimate(change, values),
        p=round_figure(p),
        outcome=_outcome(change) if p < SIGNIFICANT else "no difference",
    )


def _macro_f1(old: Sequence[Bucket], new: Sequence[Bucket], judged: Sequence[ScoredMessage]) -> Difference:
    before = [bucket_pair(one, bucket) for one, bucket in zip(judged, old, strict=True)]
    now = [bucket_pair(one, bucket) for one, bucket in zip(judged, new, strict=True)]
    labelled = [name for name in BUCKETS if any(right == name for right, _ in (*before, *now))]

    def f1(pairs: Sequence[tuple[str, str]]) -> float:
        return macro_f1_of(Counter(pairs), labelled)

    values = Resamples.of([one.group for one in judged]).values(
        lambda sample: f1([now[number] for number in sample]) - f1([before[number] for number in sample])
    )
    change = estimate(f1(now) - f1(before), values)
    sure = change.low > 0 or change.high < 0
    return Difference(
        old=round_figure(f1(before)),
        new=round_figure(f1(now)),
        change=change,
        p=None,
        outcome=_outcome(change.value) if sure else "no difference",
    )


def _outcome(change: float) -> Literal["better", "worse"]:
    return "better" if change > 0 else "worse"


def _moved(old: Section, new: Section) -> tuple[Moved, ...]:
    now = {figure.name: figure for figure in figures(new)}
    return tuple(
        Moved(
            name=before.name,
            old=before.value,
            low=before.low,
            high=before.high,
            new=now[before.name].value,
            outcome=outcome,
        )
        for before in figures(old)
        if before.name in now and (outcome := before.compare(now[before.name].value)) != "no difference"
    )
