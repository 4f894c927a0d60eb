"""A scorecard's figures as one flat list, for tables and for comparing runs. Entry: `figures`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gaia_email_evals.model import Choice, ComparisonOutcome, Estimate, Flag, Section, Share, YesNo

HEADLINES = (
    "buckets right",
    "buckets within one",
    "buckets macro-F1",
    "category right",
    "act right",
    "needs reply F1",
)
"""The most important figures; published values must match to within a point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure with its 95 % interval.

    Attributes:
        of: The number of messages, for a share; otherwise 0.
        good_is_low: True for errors and false alarms.
    """

    name: str
    value: float
    low: float
    high: float
    of: int = 0
    good_is_low: bool = False

    def compare(self, value: float) -> ComparisonOutcome:
        """Return whether another value is outside the interval, and on which side."""
        if self.low <= value <= self.high:
            return "no difference"
        return "better" if (value < self.low) == self.good_is_low else "worse"


def figures(section: Section) -> list[Figure]:
    """Return all figures of the section with an interval, most important first; without baselines and slices."""
    found: list[Figure] = []
    if section.buckets:
        found += _choice("buckets", section.buckets)
        found.insert(1, _figure("buckets within one", section.buckets.within_one))
    for name, choice in (
        ("category", section.category),
        ("act", section.act),
        ("cohort", section.cohort),
    ):
        found += _choice(name, choice) if choice else ()
    for name, yes_no in (("needs reply", section.needs_reply), ("intent", section.intent)):
        found += _yes_no(name, yes_no) if yes_no else ()
    for name, flag in (
        ("spam", section.spam),
        ("phishing", section.phishing),
        ("injection", section.injection),
    ):
        found += _flag(name, flag) if flag else ()
    if section.calibration:
        found.append(_figure("calibration error", section.calibration.error, good_is_low=True))
        found.append(_figure("Brier score", section.calibration.brier, good_is_low=True))
    return found


def _figure(name: str, value: Share | Estimate, *, good_is_low: bool = False) -> Figure:
    return Figure(
        name=name,
        value=value.value,
        low=value.low,
        high=value.high,
        of=value.of if isinstance(value, Share) else 0,
        good_is_low=good_is_low,
    )


def _choice(name: str, scored: Choice) -> Iterator[Figure]:
    yield _figure(f"{name} right", scored.accuracy)
    yield _figure(f"{name} macro-F1", scored.macro_f1)
    for kind, one in scored.classes.items():
        yield _figure(f"{name} F1 {kind}", one.f1)


def _yes_no(name: str, scored: YesNo) -> Iterator[Figure]:
    if scored.f1:
        yield _figure(f"{name} F1", scored.f1)
    if scored.precision:
        yield _figure(f"{name} precision", scored.precision)
    if scored.recall:
        yield _figure(f"{name} recall", scored.recall)
    yield _figure(f"{name} right", scored.accuracy)


def _flag(name: str, scored: Flag) -> Iterator[Figure]:
    if scored.found:
        yield _figure(f"{name} found", scored.found)
    if scored.false_alarms:
        yield _figure(f"{name} false alarms", scored.false_alarms, good_is_low=True)
