"""The trainer's arithmetic."""

from __future__ import annotations

import math
import random
from itertools import pairwise
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.logistic import exponential, fit, softmax

SCORES = st.floats(min_value=-50, max_value=50)


@given(st.floats(min_value=-60, max_value=0))
def test_the_exponential_is_that_of_the_library(value: float) -> None:
    assert isclose(exponential(value), math.exp(value), rel_tol=1e-8)
    assert abs(exponential(value) - math.exp(value)) <= 1e-12


@pytest.mark.parametrize("value", [-60.001, -100.0, -1e9, -math.inf])
def test_the_exponential_of_what_is_far_below_zero_is_nothing(value: float) -> None:
    assert exponential(value) == 0.0


@given(st.lists(SCORES, min_size=1, max_size=8))
def test_a_softmax_sums_to_one_and_keeps_the_order(scores: list[float]) -> None:
    probabilities = softmax(scores)
    assert isclose(sum(probabilities), 1.0, abs_tol=1e-12)
    ordered = sorted(range(len(scores)), key=lambda number: scores[number])
    values = [probabilities[number] for number in ordered]
    assert all(low <= high * (1 + 1e-12) for low, high in pairwise(values))


@given(st.lists(SCORES, min_size=2, max_size=5), SCORES)
def test_a_softmax_knows_only_differences(scores: list[float], more: float) -> None:
    moved = softmax([score + more for score in scores])
    assert all(isclose(a, b, abs_tol=1e-9) for a, b in zip(softmax(scores), moved, strict=True))


def toy(seed: int, count: int = 120) -> tuple[list[list[int]], list[int]]:
    """Rows whose class is told by one of three features, among noise."""
    chance = random.Random(seed)
    targets = [number % 3 for number in range(count)]
    rows = [[target, *(3 + noise for noise in range(6) if chance.random() < 0.4)] for target in targets]
    return rows, targets


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_can_be_told_apart_is_learned(seed: int) -> None:
    rows, targets = toy(seed)
    fitted = fit(rows, targets, features=9, classes=3, penalties=[1.0] * 9)
    unseen_rows, unseen_targets = toy(seed + 100)
    for row, target in zip(unseen_rows, unseen_targets, strict=True):
        probabilities = fitted.probabilities(row)
        assert probabilities.index(max(probabilities)) == target
        assert isclose(sum(probabilities), 1.0, abs_tol=1e-12)
    for target in range(3):
        assert fitted.weights[target][target] > 1.0
        assert max(abs(weight) for weight in fitted.weights[target][3:]) < fitted.weights[target][target] / 2


def test_the_same_rows_give_the_same_bits() -> None:
    rows, targets = toy(5)
    first = fit(rows, targets, features=9, classes=3, penalties=[1.0] * 9)
    assert fit(rows, targets, features=9, classes=3, penalties=[1.0] * 9) == first


def test_a_prior_stays_where_nothing_is_seen_and_yields_where_rows_say_otherwise() -> None:
    rows, targets = [[0]] * 30 + [[1]] * 30, [1] * 30 + [0] * 30
    priors = [[1.5, 0.0, 2.0], [0.0, 0.0, -0.5]]
    fitted = fit(rows, targets, features=3, classes=2, penalties=[1.0] * 3, priors=priors)
    assert [weights[2] for weights in fitted.weights] == pytest.approx([2.0, -0.5], abs=1e-12)
    assert fitted.weights[1][0] > fitted.weights[0][0]
    assert priors == [[1.5, 0.0, 2.0], [0.0, 0.0, -0.5]]


def test_a_larger_penalty_keeps_a_weight_closer_to_its_prior() -> None:
    rows, targets = [[0]] * 20 + [[1]] * 20, [0] * 20 + [1] * 20
    sizes = [
        abs(fit(rows, targets, features=2, classes=2, penalties=[penalty] * 2).weights[0][0])
        for penalty in (0.1, 10.0, 100.0)
    ]
    assert sizes[0] > sizes[1] > sizes[2]


def test_without_a_feature_the_more_common_class_is_likelier() -> None:
    empty: list[list[int]] = [[] for _ in range(40)]
    fitted = fit(empty, [0] * 30 + [1] * 10, features=1, classes=2, penalties=[1.0])
    assert fitted.probabilities([])[0] > 0.6
