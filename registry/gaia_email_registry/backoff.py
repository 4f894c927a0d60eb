"""The pause before a failed operation is retried. Entry: `pause_s`."""

from __future__ import annotations

import random
from collections.abc import Callable

_MOST_DOUBLINGS = 60
"""Limit for the exponent: the number of consecutive failures is unbounded, a float is not."""


def pause_s(
    failures: int, *, first_s: float, longest_s: float, jitter: Callable[[], float] = random.random
) -> float:
    """Return the truncated exponential backoff in seconds: `first_s`, doubled per failure up to `longest_s`, ±25 %."""
    pause = min(first_s * 2.0 ** min(failures - 1, _MOST_DOUBLINGS), longest_s)
    return pause * (0.75 + 0.5 * jitter())
