"""Changes of what the user decided: levels and switches, tried and saved. Entries: `plan_level`, `save_level`, `turn`.

Whether the user agreed is the face's to know; `LevelChange.looser` says whether they have to.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace

from gaia_email.ledger import open_ledger
from gaia_email.pending.inbox import void_all
from gaia_email.policy.backtest import BackTest, backtest, loosens
from gaia_email.policy.document import Policy
from gaia_email.policy.levels import level_text
from gaia_email.policy.switches import Switches
from gaia_email.policy_store import PolicyStore, Stored, stored
from gaia_email.triage.past_mail import past_mail


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelChange:
    """Another level for a cohort, and what it would have meant for past mail."""

    cohort: str
    over: Stored
    after: Policy
    tried: BackTest

    @property
    def looser(self) -> bool:
        """Whether it lets the agent do more by itself."""
        return loosens(self.over.policy, self.after)

    @property
    def levels(self) -> tuple[str, str]:
        """The level before and after, in words."""
        before, after = (policy.cohort(self.cohort).level for policy in (self.over.policy, self.after))
        return level_text(before), level_text(after)


def plan_level(cohort: str, level: int) -> LevelChange:
    """Try another level on past mail; nothing is saved.

    Raises:
        BadArgument: There is no such cohort or level.
        MailError: The ledger cannot be read.
    """
    over = stored(os.environ)
    after = over.policy.with_level(cohort, level)
    tried = backtest(past_mail(os.environ), over.policy, after)
    return LevelChange(cohort=cohort, over=over, after=after, tried=tried)


def save_level(change: LevelChange, *, actor: str) -> Stored:
    """Save it over the policy that was looked at.

    Raises:
        BadArgument: Somebody changed the policy meanwhile.
        MailError: The ledger cannot be written.
    """
    before, after = change.levels
    payload = {"what": "level", "cohort": change.cohort, "from": before, "to": after}
    with open_ledger() as ledger, ledger.write() as tx:
        return PolicyStore(ledger).save_policy(tx, change.after, change.over, change=payload, actor=actor)


def turn(what: str, to: Callable[[Switches, float], Switches], *, actor: str) -> tuple[Switches, Switches]:
    """Turn a switch; the switches before and after.

    Raises:
        MailError: The ledger cannot be written.
    """
    with open_ledger() as ledger, ledger.write() as tx:
        store = PolicyStore(ledger)
        before = store.read_switches(tx)
        switches = to(before.switches, ledger.clock())
        change = {"what": what, "from": before.switches.to_json(), "to": switches.to_json()}
        if switches.stopped_at is not None:
            void_all(ledger, tx)
        return before.switches, store.save_switches(tx, switches, before, change=change, actor=actor).switches


def paused(switches: Switches, now: float) -> Switches:
    """With a pause from now, or as it is where one holds."""
    return switches if switches.paused_at is not None else replace(switches, paused_at=now)


def resumed(switches: Switches, now: float) -> Switches:
    """Without pause and stop."""
    return replace(switches, paused_at=None, stopped_at=None)
