"""Softmax regression over features that are there or not. Entry: `fit`.

Written out in plain Python so that the same inputs give the same bits on every machine: no linear algebra library
whose sums depend on the processor, and an exponential of our own. AdaGrad (Duchi, Hazan and Singer, JMLR 2011) with
an L2 penalty; the weights are the mean over the later passes (Polyak and Juditsky, 1992).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Row = Sequence[int]
"""The numbers of the features that a message has."""

_FIRST_STEP = 0.1
_SETTLED = 0.01
"""Answers that are as right as this are left as they are; most are, after some passes."""
_TAYLOR = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """`weights[c][f]`: what feature f adds to the score of class c; `biases[c]` is there for every row."""

    weights: list[list[float]]
    biases: list[float]

    def scores(self, row: Row) -> list[float]:
        """The score of every class; the probabilities are their softmax."""
        return [
            bias + math.fsum(map(weights.__getitem__, row))
            for weights, bias in zip(self.weights, self.biases, strict=True)
        ]

    def probabilities(self, row: Row) -> list[float]:
        """The softmax of the scores."""
        return softmax(self.scores(row))


def fit(
    rows: Sequence[Row],
    targets: Sequence[int],
    *,
    features: int,
    classes: int,
    penalties: Sequence[float],
    priors: Sequence[Sequence[float]] | None = None,
    passes: int = 16,
) -> Fitted:
    """Learn from labelled rows.

    Args:
        rows: The features of each row, each below `features`.
        targets: The class of each row, below `classes`.
        features: How many features there are.
        classes: How many classes there are.
        penalties: Of each feature's squared weight, for all rows together; larger means smaller weights.
        priors: What each class's weights are taken to be before anything is seen; 0 when not given.
        passes: How often every row is seen.
    """
    counts = [0] * features
    for row in rows:
        for feature in row:
            counts[feature] += 1
    shrink = [penalty / count if count else 0.0 for penalty, count in zip(penalties, counts, strict=True)]
    model = _Model(priors or [[0.0] * features for _ in range(classes)], shrink)
    mean = _Mean(features, classes)
    order = list(range(len(rows)))
    for number in range(passes):
        _shuffle(order, number)
        for index in order:
            model.learn(rows[index], targets[index])
        if number >= passes // 2:
            mean.add(model)
    return mean.fitted()


class _Model:
    def __init__(self, priors: Sequence[Sequence[float]], shrink: list[float]) -> None:
        classes, features = len(priors), len(priors[0])
        self.weights = [list(row) for row in priors]
        self.biases = [0.0] * classes
        self._priors, self._shrink = priors, shrink
        self._squares = [[1e-2] * features for _ in range(classes)]
        self._bias_squares = [1.0] * classes

    def learn(self, row: Row, target: int) -> None:
        shrink = self._shrink
        scores = [
            bias + sum(map(weights.__getitem__, row))
            for weights, bias in zip(self.weights, self.biases, strict=True)
        ]
        for number, probability in enumerate(softmax(scores)):
            error = probability - (number == target)
            if -_SETTLED < error < _SETTLED:
                continue
            weights, squares, priors = self.weights[number], self._squares[number], self._priors[number]
            for feature in row:
                weight = weights[feature]
                gradient = error + shrink[feature] * (weight - priors[feature])
                squares[feature] += gradient * gradient
                weights[feature] = weight - _FIRST_STEP * gradient / math.sqrt(squares[feature])
            self._bias_squares[number] += error * error
            self.biases[number] -= _FIRST_STEP * error / math.sqrt(self._bias_squares[number])


class _Mean:
    def __init__(self, features: int, classes: int) -> None:
        self._weights = [[0.0] * features for _ in range(classes)]
        self._biases = [0.0] * classes
        self._seen = 0

    def add(self, model: _Model) -> None:
        self._seen += 1
        for total, weights in zip(self._weights, model.weights, strict=True):
            total[:] = [old + new for old, new in zip(total, weights, strict=True)]
        self._biases = [old + new for old, new in zip(self._biases, model.biases, strict=True)]

    def fitted(self) -> Fitted:
        return Fitted(
            weights=[[weight / self._seen for weight in weights] for weights in self._weights],
            biases=[bias / self._seen for bias in self._biases],
        )


def softmax(scores: Sequence[float]) -> list[float]:
    """Probabilities that sum to 1."""
    top = max(scores)
    powers = [exponential(score - top) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]


def temperature(scored: Sequence[tuple[Sequence[float], int]], among: Iterable[float]) -> float:
    """The divisor of scores, of those given, that makes the right classes likeliest (Guo et al., ICML 2017).

    `scored` has the scores of each row's classes, from a model that did not see it, and its right class.
    """

    def loss(divisor: float) -> float:
        return -sum(
            math.log(max(1e-12, softmax([score / divisor for score in scores])[target]))
            for scores, target in scored
        )

    return min(among, key=loss)


def exponential(value: float) -> float:
    """The number e to the power of `value`, up to 0, from additions and multiplications alone (to 1e-15)."""
    if value < -60.0:
        return 0.0
    small = value / 64.0
    term = result = 1.0
    for number in range(1, _TAYLOR):
        term *= small / number
        result += term
    for _ in range(6):
        result *= result
    return result


def _shuffle(order: list[int], seed: int) -> None:
    """A fixed shuffle (a linear congruential generator; Numerical Recipes' constants)."""
    state = seed * 2654435761 % 2**32
    for place in range(len(order) - 1, 0, -1):
        state = (1664525 * state + 1013904223) % 2**32
        other = (state >> 8) % (place + 1)
        order[place], order[other] = order[other], order[place]
