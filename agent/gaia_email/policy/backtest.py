"""Tries policy changes on past mail before they are saved. Entry points: `backtest`, `loosens`.

All figures shown to the user ("Would have archived 41 of 2,310; here are five borderline") are counted here, by code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from heapq import nsmallest

from gaia_email.policy.decide import decide
from gaia_email.policy.document import Policy
from gaia_email.policy.levels import TOP
from gaia_email.policy.model import Decision, MessageFacts, Mode, PlannedAction, PolicyVerdict
from gaia_email.policy.protection import PROTECTED_KINDS

BORDERLINE = 5
"""Number of borderline messages that are shown."""

WITHOUT_ASKING_FROM = 4
"""Lowest level at which the agent changes anything without asking."""

ModeAndAction = tuple[Mode, PlannedAction]
"""The mode in which an action is planned, and the action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BacktestDifference:
    """A past message that the changed policy would have treated differently."""

    facts: MessageFacts
    judged: PolicyVerdict
    before: Decision
    after: Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class BackTest:
    """Effects that a policy change would have had on past mail.

    Attributes:
        total: Number of past messages the change was tried on.
        before: Messages per mode and action (`apply archive`, `suggest label`, …) under the current policy.
        after: The same counts under the changed policy.
        moved: Number of messages that would have changed cohort.
        changed: Number of messages whose mode or action would have changed.
        newly_applied: Those of `changed` that would now be done without asking.
        unknown: Messages without a known sender and subject, to which rules about these could not apply.
        borderline: The changed messages with the least confident verdicts, at most `BORDERLINE`.
    """

    total: int
    before: Counter[ModeAndAction]
    after: Counter[ModeAndAction]
    moved: int
    changed: int
    newly_applied: int
    unknown: int
    borderline: tuple[BacktestDifference, ...]


def backtest(past: Iterable[tuple[MessageFacts, PolicyVerdict]], before: Policy, after: Policy) -> BackTest:
    """Decide about every past message under both policies, ignoring switches and quiet hours.

    Args:
        past: Facts and verdicts of past messages; iterated once and not stored.
        before: The current policy.
        after: The changed policy.
    """
    total = Counter[str]()
    counts: tuple[Counter[ModeAndAction], Counter[ModeAndAction]] = (Counter(), Counter())

    def differences() -> Iterator[BacktestDifference]:
        for facts, judged in past:
            total["messages"] += 1
            total["unknown"] += not (facts.sender or facts.subject)
            old = decide(facts, judged, before, now=0.0)
            new = decide(facts, _as_of(after, before, facts, judged), after, now=0.0)
            for counter, decision in zip(counts, (old, new), strict=True):
                counter[decision.mode, decision.action] += 1
            total["moved"] += old.cohort != new.cohort
            if (old.mode, old.action) != (new.mode, new.action):
                total["changed"] += 1
                total["newly_applied"] += new.mode == "apply"
                yield BacktestDifference(facts=facts, judged=judged, before=old, after=new)

    borderline = nsmallest(BORDERLINE, differences(), key=_sureness)
    return BackTest(
        total=total["messages"],
        before=counts[0],
        after=counts[1],
        moved=total["moved"],
        changed=total["changed"],
        newly_applied=total["newly_applied"],
        unknown=total["unknown"],
        borderline=tuple(borderline),
    )


def _sureness(difference: BacktestDifference) -> tuple[float, str]:
    return (difference.judged.confidence, difference.facts.message_id)


def _as_of(after: Policy, before: Policy, facts: MessageFacts, judged: PolicyVerdict) -> PolicyVerdict:
    """Return the verdict, without the cohort `vip` if only the old policy made the sender a VIP."""
    if judged.cohort == "vip" and before.is_vip(facts.sender) and not after.is_vip(facts.sender):
        return replace(judged, cohort="default")
    return judged


def loosens(before: Policy, after: Policy) -> bool:
    """Return True if a change could let the agent do more by itself with any possible message.

    A raised level always counts, because the user is asked about levels.
    """
    old = {cohort.name: cohort.level for cohort in before.cohorts}
    new = {cohort.name: cohort.level for cohort in after.cohorts}
    return (
        any(level > old.get(name, 0) for name, level in new.items())
        or any(level < TOP for name, level in old.items() if name not in new)
        or [name for name in old if name in new] != [name for name in new if name in old]
        or bool(set(before.vips) - set(after.vips))
        or (set(after.vips) != set(before.vips) and new["vip"] >= WITHOUT_ASKING_FROM)
        or any(
            set(before.protected.entries(kind)) - set(after.protected.entries(kind))
            for kind in PROTECTED_KINDS
        )
        or (after.unsubscribe and not before.unsubscribe)
        or after.unsure_below < before.unsure_below
        or (before.quiet_hours is not None and after.quiet_hours != before.quiet_hours)
    )
