"""Accuracy, precision, recall, F1 and confusion, each with its 95 % interval. Entries: `choice`, `yes_no`, `flag`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from gaia_email_evals.model import Choice, ClassScore, Estimate, Flag, Share, YesNo
from gaia_email_evals.statistics import Resamples, mean, middle_95, wilson

Pair = tuple[str, str]
"""The right class, and the predicted one."""

Counts = Mapping[Pair, int]


def round_figure(value: float) -> float:
    """Round to four digits: more would be noise in a file under version control."""
    return round(value, 4)


def share(count: int, of: int) -> Share:
    """Return a share with Wilson's interval; `of` is at least 1."""
    low, high = wilson(count, of)
    return Share(
        value=round_figure(count / of), low=round_figure(low), high=round_figure(high), count=count, of=of
    )


def share_or_none(count: int, of: int) -> Share | None:
    """Return the share, or None if the denominator is 0."""
    return share(count, of) if of else None


def estimate(value: float, sorted_values: Sequence[float]) -> Estimate:
    """Return a figure with the interval of its resampled values."""
    low, high = middle_95(sorted_values)
    return Estimate(
        value=round_figure(value), low=round_figure(min(low, value)), high=round_figure(max(high, value))
    )


def f1_of(counts: Counts) -> dict[str, float]:
    """Return the F1 of every class that was labelled or predicted."""
    hits: Counter[str] = Counter()
    both: Counter[str] = Counter()
    for (right, said), count in counts.items():
        both[right] += count
        both[said] += count
        if right == said:
            hits[right] += count
    return {name: 2 * hits[name] / count for name, count in both.items() if count}


def macro_f1_of(counts: Counts, names: Iterable[str]) -> float:
    """Return the mean F1 of the named classes that occur."""
    return _macro(f1_of(counts), names)


def _macro(scores: Mapping[str, float], names: Iterable[str]) -> float:
    return mean([scores[name] for name in names if name in scores])


def choice(pairs: Sequence[Pair], classes: Sequence[str], groups: Sequence[str]) -> Choice | None:
    """Score a label with several classes; None if nothing was labelled.

    Args:
        pairs: The right and the predicted class of each message.
        classes: All classes, in display order.
        groups: The group of each message.
    """
    if not pairs:
        return None
    counts = Counter(pairs)
    labelled = [name for name in classes if any(right == name for right, _ in counts)]
    samples = [f1_of(Counter(map(pairs.__getitem__, sample))) for sample in Resamples.of(groups)]
    scores = f1_of(counts)
    return Choice(
        messages=len(pairs),
        accuracy=share(sum(n for (right, said), n in counts.items() if right == said), len(pairs)),
        macro_f1=estimate(_macro(scores, labelled), sorted(_macro(sample, labelled) for sample in samples)),
        classes={
            name: _class_score(
                name,
                counts,
                estimate(scores[name], sorted(sample[name] for sample in samples if name in sample)),
            )
            for name in labelled
        },
        confusion={
            right: {said: counts[right, said] for said in classes} for right in classes if right in labelled
        },
    )


def _class_score(name: str, counts: Counts, f1: Estimate) -> ClassScore:
    hits = counts.get((name, name), 0)
    messages = sum(n for (right, _), n in counts.items() if right == name)
    said = sum(n for (_, said), n in counts.items() if said == name)
    return ClassScore(
        messages=messages,
        precision=share_or_none(hits, said),
        recall=share_or_none(hits, messages),
        f1=f1,
    )


def yes_no(pairs: Sequence[tuple[bool, bool]], groups: Sequence[str]) -> YesNo | None:
    """Score a yes-or-no label; None if nothing was labelled."""
    if not pairs:
        return None
    words = [("yes" if right else "no", "yes" if said else "no") for right, said in pairs]
    scored = choice(words, ("yes", "no"), groups)
    assert scored is not None
    yes = scored.classes.get("yes")
    return YesNo(
        messages=scored.messages,
        accuracy=scored.accuracy,
        precision=yes.precision if yes else None,
        recall=yes.recall if yes else None,
        f1=yes.f1 if yes else None,
    )


def flag(pairs: Sequence[tuple[bool, bool]]) -> Flag | None:
    """Return a warning's hit rate and false-alarm rate; None if nothing was labelled."""
    if not pairs:
        return None
    wanted = [said for right, said in pairs if right]
    others = [said for right, said in pairs if not right]
    return Flag(
        found=share_or_none(sum(wanted), len(wanted)), false_alarms=share_or_none(sum(others), len(others))
    )
