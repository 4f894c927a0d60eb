"""A ledger in a home of its own, with a clock that stands until it is moved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from gaia_email.ledger import Ledger, open_ledger
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.prepare.model import Prepared
from gaia_understanding.steps import Steps

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


@pytest.fixture(name="judged")
def count_judged(monkeypatch: pytest.MonkeyPatch) -> list[Context]:
    """The contexts in which messages are judged, as that happens."""
    seen: list[Context] = []
    real = BuiltinTier.judging

    def judging(self: BuiltinTier, prepared: Prepared, context: Context) -> Steps[Verdict]:
        seen.append(context)
        return real(self, prepared, context)

    monkeypatch.setattr(BuiltinTier, "judging", judging)
    return seen
