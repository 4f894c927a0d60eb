"""Compares stated confidence with actual accuracy. Entry: `calibration`."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gaia_email_evals.metrics import estimate, round_figure, share
from gaia_email_evals.model import Bin, Calibration, Estimate
from gaia_email_evals.statistics import Resamples, mean, middle_95

BINS = 10

StatedOutcome = tuple[float, bool]
"""The confidence stated, and whether the answer was right."""


def calibration(outcomes: Sequence[StatedOutcome], groups: Sequence[str]) -> Calibration | None:
    """Return the expected calibration error (Naeini et al., AAAI 2015) in ten bins of equal width, and its table."""
    if not outcomes:
        return None
    brier = [(said - right) ** 2 for said, right in outcomes]
    samples = Resamples.of(groups)
    return Calibration(
        error=_centred(
            _error(outcomes), samples.values(lambda sample: _error([outcomes[number] for number in sample]))
        ),
        brier=estimate(
            mean(brier), samples.values(lambda sample: mean([brier[number] for number in sample]))
        ),
        bins=tuple(
            Bin(
                low=number / BINS,
                high=(number + 1) / BINS,
                said=round_figure(mean([said for said, _ in members])),
                right=share(sum(right for _, right in members), len(members)),
            )
            for number, members in enumerate(_binned(outcomes))
            if members
        ),
    )


def _binned(outcomes: Sequence[StatedOutcome]) -> list[list[StatedOutcome]]:
    bins: list[list[StatedOutcome]] = [[] for _ in range(BINS)]
    for outcome in outcomes:
        bins[min(BINS - 1, int(outcome[0] * BINS))].append(outcome)
    return bins


def _error(outcomes: Sequence[StatedOutcome]) -> float:
    gaps = [abs(math.fsum(said - right for said, right in members)) for members in _binned(outcomes)]
    return math.fsum(gaps) / len(outcomes)


def _centred(value: float, values: Sequence[float]) -> Estimate:
    # Sampling noise can only increase this error, so resamples exceed it by that amount on average.
    excess = mean(values) - value
    low, high = middle_95(values)
    return estimate(value, [max(0.0, low - excess), max(0.0, high - excess)])
