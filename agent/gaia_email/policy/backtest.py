"""A change of the policy, tried on past mail before it is saved. Entry points: `backtest`, `loosens`.

"Would have archived 41 of 2,310; here are five borderline": every figure is counted here, by code.
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
"""How many messages are shown."""

WITHOUT_ASKING_FROM = 4
"""The level from which anything is changed without asking."""

ModeAndAction = tuple[Mode, PlannedAction]
"""How an action is planned, and which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BacktestDifference:
    """A past message with which the change would have done something else."""

    facts: MessageFacts
    judged: PolicyVerdict
    before: Decision
    after: Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class BackTest:
    """What a change would have meant.

    Attributes:
        total: Past messages it was tried on.
        before: How many the policy as it is would have `apply archive`d, `suggest label`led and so on.
        after: The same with the change.
        moved: Messages that would have come into another cohort.
        changed: Messages with which something else would have been done, or in another way.
        newly_applied: Of those, the ones with which it would newly have been done without asking.
        unknown: Messages of which only the verdict is known, so that no rule on senders or subjects could hold.
        borderline: The changed ones about which the verdict was least sure, `BORDERLINE` at most.
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
    """Decide about every past message under both policies; switches and quiet hours are left out.

    Args:
        past: What is known of past messages; read once, kept by none.
        before: The policy as it is.
        after: The policy as it would be.
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
    """A stored verdict knows the VIPs of its time; who is one no longer is not one because it says so."""
    if judged.cohort == "vip" and before.is_vip(facts.sender) and not after.is_vip(facts.sender):
        return replace(judged, cohort="default")
    return judged


def loosens(before: Policy, after: Policy) -> bool:
    """Whether a change could let the agent do more by itself with some message there may ever be.

    A higher level counts in any case, since that is what the user is asked about.
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
