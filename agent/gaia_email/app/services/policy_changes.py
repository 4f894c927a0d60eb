"""Changes of the policy: tried on past mail, then saved. Entries: `read_policy`, `plan_change`, `save_change`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.app.documents.policy_change import ChangeDocument, ChangedSetting, change_document
from gaia_email.ledger.policy_store import PolicyStore, StoredPolicy, open_proposals, stored
from gaia_email.policy.backtest import BackTest, backtest, loosens
from gaia_email.policy.document import Policy
from gaia_email.policy.earned import LevelProposal, accept
from gaia_email.policy.levels import level_text
from gaia_email.triage.past_mail import past_mail, past_of_inbox
from gaia_email_registry.errors import NeedsApproval

if TYPE_CHECKING:
    from gaia_email.policy.model import MessageFacts, PolicyVerdict
    from gaia_email.triage.inbox import Inbox

Edit = Callable[[Policy], Policy]
"""Gives the policy as it is to be."""

Naming = Callable[[Policy, Policy], ChangedSetting]
"""Says in words what a change is, from the policy before and after."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyChange:
    """A change that was worked out and not saved.

    Attributes:
        over: The policy as it was read.
        after: The policy as it is to be.
        change: The same in words.
        tried: What it would have meant for past mail.
        looser: Whether it lets the agent do more by itself.
    """

    over: StoredPolicy
    after: Policy
    change: ChangedSetting
    tried: BackTest
    looser: bool

    @property
    def changes_nothing(self) -> bool:
        """Whether the policy is as it is to be."""
        return self.after == self.over.policy


def read_policy(app: App) -> tuple[StoredPolicy, tuple[LevelProposal, ...]]:
    """Everything the user decided, and the steps up that could be offered.

    Raises:
        MailError: The ledger cannot be read.
    """
    found = stored(app.environ)
    return found, open_proposals(app.environ, found.policy)


def plan_change(app: App, edit: Edit, name_it: Naming, *, inbox: Inbox | None = None) -> PolicyChange:
    """Work out a change and try it, on the mail of the ledger or on an inbox; nothing is saved.

    Raises:
        BadArgument: The change cannot be.
        MailError: The ledger cannot be read.
    """
    over = stored(app.environ)
    after = edit(over.policy)
    past: Iterable[tuple[MessageFacts, PolicyVerdict]]
    past = past_mail(app.environ) if inbox is None else past_of_inbox(inbox)
    return PolicyChange(
        over=over,
        after=after,
        change=name_it(over.policy, after),
        tried=backtest(past, over.policy, after),
        looser=loosens(over.policy, after),
    )


def planned_document(planned: PolicyChange) -> ChangeDocument:
    """A change that is not saved, as a document."""
    return change_document(
        planned.change,
        planned.tried,
        version=planned.over.policy_version,
        needs_yes=planned.looser,
        same=planned.changes_nothing,
    )


def plan_level(app: App, cohort: str, level: int) -> PolicyChange:
    """Work out another level for a cohort and try it on the mail of the ledger; nothing is saved.

    Raises:
        BadArgument: There is no such cohort or level.
        MailError: The ledger cannot be read.
    """
    return plan_change(
        app,
        lambda policy: with_level(app, policy, cohort, level),
        lambda before, after: level_change(before, after, cohort),
    )


def save_change(app: App, planned: PolicyChange, *, agreed: bool, actor: str = "user") -> StoredPolicy:
    """Save it; the policy as it is now. One that changes nothing is not saved.

    Args:
        app: The running program.
        planned: The change.
        agreed: Whether the user said yes to it.
        actor: Who made it, for the event log.

    Raises:
        NeedsApproval: It lets the agent do more by itself, and the user did not agree.
        BadArgument: Somebody changed the policy meanwhile.
    """
    if planned.looser and not agreed:
        raise NeedsApproval(
            "This lets the agent do more by itself, so it needs your yes; nothing was saved.",
            hint="the same command with --yes.",
        )
    if planned.changes_nothing:
        return planned.over

    with app.ledger() as ledger, ledger.write() as tx:
        store = PolicyStore(ledger)
        return store.save_policy(tx, planned.after, planned.over, change=planned.change.payload, actor=actor)


def with_level(app: App, policy: Policy, cohort: str, level: int) -> Policy:
    """The policy with another level; a step that was proposed counts as earned, and goes with a correction.

    Raises:
        BadArgument: There is no such cohort or level.
    """
    for proposal in open_proposals(app.environ, policy):
        if (proposal.cohort, proposal.to_level) == (cohort, level):
            return accept(policy, proposal)
    return policy.with_level(cohort, level)


def level_change(before: Policy, after: Policy, cohort: str) -> ChangedSetting:
    """The change of a cohort's level in words."""
    levels = [level_text(policy.cohort(cohort).level) for policy in (before, after)]
    return ChangedSetting(what="level", name=cohort, before=levels[0], after=levels[1], of_cohort=True)
