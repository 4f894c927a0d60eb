"""Work on a message in steps, so that many messages can take each step together. Entries: `together`, `last`.

While one message after the other takes the same step, its code and tables stay in the processor's cache; a message
that takes all steps at once finds them cold every time, which costs a third more.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Generic, TypeVar

T = TypeVar("T")

Steps = Generator[None, None, T]
"""Stops after each step and yields nothing; what it returns is the outcome."""


def last(steps: Steps[T]) -> T:
    """Take all steps at once and give the outcome: for who has one message only."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            outcome: T = end.value
            return outcome


@dataclass(slots=True)
class StepsOutcome(Generic[T]):
    """The outcome of one work: a value, or the error that ended it, and the seconds it took."""

    value: T | None = None
    error: Exception | None = None
    elapsed_s: float = 0.0


def together(works: Sequence[Steps[T]]) -> list[StepsOutcome[T]]:
    """Take every step for all works before the next one; an error ends only the work that raised it."""
    outcomes = [StepsOutcome[T]() for _ in works]
    going = list(zip(works, outcomes, strict=True))
    while going:
        still: list[tuple[Steps[T], StepsOutcome[T]]] = []
        now = perf_counter()
        for work, outcome in going:
            try:
                next(work)
            except StopIteration as end:
                outcome.value = end.value
            except Exception as error:
                outcome.error = error
            else:
                still.append((work, outcome))
            before, now = now, perf_counter()
            outcome.elapsed_s += now - before
        going = still
    return outcomes
