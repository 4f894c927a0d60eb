"""Intervals and tests for figures from few messages. Entries: `wilson`, `Resamples`, `mcnemar`.

All results have the same digits on every machine and Python version: own random numbers, exact sums.
"""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

_Z = 1.959963984540054
"""The normal distribution's 97.5 % point, for intervals of 95 %."""

ROUNDS = 1000
FEW_GROUPS = 30
"""Below this number of groups, single messages are drawn: an interval from a few groups would be meaningless."""


def wilson(count: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share, after Wilson (1927).

    It stays within 0 and 1 and is accurate for few messages.
    """
    if not of:
        return 0.0, 1.0
    share = count / of
    spread = _Z * math.sqrt(share * (1 - share) / of + _Z * _Z / (4 * of * of))
    middle, scale = share + _Z * _Z / (2 * of), 1 + _Z * _Z / of
    low = 0.0 if count == 0 else (middle - spread) / scale
    high = 1.0 if count == of else (middle + spread) / scale
    return low, high


def mcnemar(first: int, second: int) -> float:
    """Return the exact two-sided p-value of McNemar's test.

    Args:
        first: Messages that only one run got right.
        second: Messages that only the other run got right.
    """
    of = first + second
    if not of:
        return 1.0
    tail = sum(math.comb(of, k) for k in range(min(first, second) + 1))
    return min(1.0, 2 * tail / (1 << of))


@dataclass(frozen=True, slots=True)
class Resamples:
    """Bootstrap samples of messages, as lists of their numbers; whole groups are drawn, not single messages.

    The same groups always yield the same samples.
    """

    members: Sequence[Sequence[int]]
    rounds: int = ROUNDS

    @classmethod
    def of(cls, groups: Sequence[str]) -> Resamples:
        """Make samples of messages; `groups[i]` is the group of message `i`."""
        found: dict[str, list[int]] = {}
        for number, group in enumerate(groups):
            found.setdefault(group, []).append(number)
        if len(found) < FEW_GROUPS:
            return cls([[number] for number in range(len(groups))])
        return cls(list(found.values()))

    def __iter__(self) -> Iterator[list[int]]:
        """Yield one list of message numbers per round."""
        size = len(self.members)
        form = struct.Struct(f"<{size}I")
        for number in range(self.rounds):
            drawn: tuple[int, ...] = form.unpack(hashlib.shake_128(b"%d" % number).digest(form.size))
            yield [message for draw in drawn for message in self.members[draw * size >> 32]]

    def values(self, statistic: Callable[[list[int]], float]) -> list[float]:
        """Return the statistic of every sample, in ascending order."""
        return sorted(statistic(sample) for sample in self)


def middle_95(values: Sequence[float]) -> tuple[float, float]:
    """Return the 2.5 % and 97.5 % quantiles; `values` must be in ascending order."""
    if not values:
        return 0.0, 0.0
    last = len(values) - 1
    return values[round(0.025 * last)], values[round(0.975 * last)]


def mean(values: Sequence[float]) -> float:
    """Return the mean, or 0 of no values."""
    return math.fsum(values) / len(values) if values else 0.0
