"""A ledger in a home of its own, with a clock that stands until it is moved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from gaia_email.ledger import Ledger, open_ledger

START = 1_790_000_000.0


@dataclass
class Clock:
    now: float = START

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ledger(clock: Clock) -> Iterator[Ledger]:
    with open_ledger(clock=clock) as opened:
        yield opened
