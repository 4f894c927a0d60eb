"""How long to wait before what failed is tried again. Entry: `pause_s`."""

from __future__ import annotations

import random
from collections.abc import Callable

_MOST_DOUBLINGS = 60
"""A number of failures in a row has no bound, a float has."""


def pause_s(
    failures: int, *, first_s: float, longest_s: float, jitter: Callable[[], float] = random.random
) -> float:
    """Truncated exponential backoff after so many failures: `first_s`, twice that, up to `longest_s`, each ±25 %."""
    pause = min(first_s * 2.0 ** min(failures - 1, _MOST_DOUBLINGS), longest_s)
    return pause * (0.75 + 0.5 * jitter())
