"""Policy changes: tested on past mail, then saved. Entries: `read_policy`, `plan_change`, `save_change`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.app.documents.classify import Json
from gaia_email.document import Count, Document, Level, NamedAddress, Stated
from gaia_email.ledger.policy_store import PolicyStore, StoredPolicy, load_policy, open_proposals
from gaia_email.policy.backtest import BackTest, BacktestDifference, backtest, loosens
from gaia_email.policy.document import Policy
from gaia_email.policy.earned import LevelProposal, accept
from gaia_email.policy.levels import level_text
from gaia_email.policy.model import Decision, Mode, PlannedAction
from gaia_email.triage.past_mail import past_mail, past_of_inbox
from gaia_email_registry.errors import NeedsApproval
from gaia_understanding.cascade.verdict import Bucket
from gaia_understanding.cascade.wording.certainty import cap_confidence

if TYPE_CHECKING:
    from collections import Counter

    from gaia_email.policy.model import MessageFacts, PolicyVerdict
    from gaia_email.triage.inbox import Inbox

_OF_COHORTS = frozenset({"level", "cohort_added", "cohort_removed"})
"""Changes that concern a cohort."""


class ChangedSetting(Document, frozen=True, kw_only=True):
    """A change in words: the kind of setting (`what`), its name, the old and the new value."""

    what: str
    name: str = ""
    from_: str = ""
    to: str = ""

    @property
    def payload(self) -> Json:
        """The change as a payload for the event log."""
        about = "cohort" if self.what in _OF_COHORTS else "name"
        return {"what": self.what, about: self.name, "from": self.from_, "to": self.to}


class ModeCount(Document, frozen=True, kw_only=True):
    """The number of messages for which an action would be planned in a mode."""

    mode: Mode
    action: PlannedAction
    count: Count


class WouldBeDone(Document, frozen=True, kw_only=True):
    """The planned handling of a message."""

    cohort: str
    level: Level
    mode: Mode
    action: PlannedAction

    @staticmethod
    def of(decision: Decision) -> WouldBeDone:
        """Describe a decision."""
        return WouldBeDone(
            cohort=decision.cohort,
            level=decision.effective_level,
            mode=decision.mode,
            action=decision.action,
        )


class BacktestExample(Document, frozen=True, kw_only=True):
    """A past message that would be handled differently."""

    id: str
    from_: NamedAddress
    subject: str
    confidence: Stated
    bucket: Bucket
    before: WouldBeDone
    after: WouldBeDone

    @staticmethod
    def of(one: BacktestDifference) -> BacktestExample:
        """Describe a difference."""
        return BacktestExample(
            id=one.facts.message_id,
            from_={"name": one.facts.sender_name, "address": one.facts.sender},
            subject=one.facts.subject,
            confidence=cap_confidence(one.judged.confidence),
            bucket=one.judged.bucket,
            before=WouldBeDone.of(one.before),
            after=WouldBeDone.of(one.after),
        )


class BacktestDetails(Document, frozen=True, kw_only=True):
    """The effect that a change would have had on past mail."""

    total: Count
    changed: Count
    newly_applied: Count
    moved: Count
    unknown: Count
    before: list[ModeCount]
    after: list[ModeCount]
    borderline: list[BacktestExample]

    @staticmethod
    def of(tried: BackTest) -> BacktestDetails:
        """Describe the result of a backtest."""
        return BacktestDetails(
            total=tried.total,
            changed=tried.changed,
            newly_applied=tried.newly_applied,
            moved=tried.moved,
            unknown=tried.unknown,
            before=_counts(tried.before),
            after=_counts(tried.after),
            borderline=[BacktestExample.of(one) for one in tried.borderline],
        )


def _counts(counted: Counter[tuple[Mode, PlannedAction]]) -> list[ModeCount]:
    return [
        ModeCount(mode=mode, action=action, count=count)
        for (mode, action), count in sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    ]


class PolicyChangeDetails(Document, frozen=True, kw_only=True):
    """A change of the policy and its effect on past mail; `same` is True if it changes nothing."""

    saved: bool
    version: Count
    needs_yes: bool
    same: bool
    change: ChangedSetting
    backtest: BacktestDetails


Edit = Callable[[Policy], Policy]
"""Returns the changed policy."""

Naming = Callable[[Policy, Policy], ChangedSetting]
"""Describes a change in words, from the policy before and after."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyChange:
    """A change that was prepared but not saved.

    Attributes:
        over: The policy that was read.
        after: The changed policy.
        change: The change in words.
        tried: Its effect on past mail.
        looser: True if it lets the agent do more on its own.
    """

    over: StoredPolicy
    after: Policy
    change: ChangedSetting
    tried: BackTest
    looser: bool

    @property
    def changes_nothing(self) -> bool:
        """True if the policy would stay as it is."""
        return self.after == self.over.policy


def read_policy(app: App) -> tuple[StoredPolicy, tuple[LevelProposal, ...]]:
    """Return all decisions of the user, and the level increases that could be proposed."""
    found = load_policy(app.environ)
    return found, open_proposals(app.environ, found.policy)


def plan_change(app: App, edit: Edit, name_it: Naming, *, inbox: Inbox | None = None) -> PolicyChange:
    """Prepare a change and test it on the mail of the ledger or on an inbox; nothing is saved.

    Raises:
        BadArgument: The change is invalid.
        MailError: The ledger cannot be read.
    """
    over = load_policy(app.environ)
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


def change_details(planned: PolicyChange) -> PolicyChangeDetails:
    """Describe an unsaved change; `version` is that of the current policy."""
    return PolicyChangeDetails(
        saved=False,
        version=planned.over.policy_version,
        needs_yes=planned.looser,
        same=planned.changes_nothing,
        change=planned.change,
        backtest=BacktestDetails.of(planned.tried),
    )


def plan_level(app: App, cohort: str, level: int) -> PolicyChange:
    """Prepare another level for a cohort and test it on the mail of the ledger; nothing is saved.

    Raises:
        BadArgument: The cohort or level does not exist.
        MailError: The ledger cannot be read.
    """
    return plan_change(
        app,
        lambda policy: with_level(app, policy, cohort, level),
        lambda before, after: level_change(before, after, cohort),
    )


def save_change(app: App, planned: PolicyChange, *, agreed: bool, actor: str = "user") -> StoredPolicy:
    """Save a change, unless it changes nothing; return the current policy.

    Args:
        app: The running program.
        planned: The change.
        agreed: True if the user approved it.
        actor: The author of the change, for the event log.

    Raises:
        NeedsApproval: It lets the agent do more on its own, and the user did not approve it.
        BadArgument: The policy was changed in the meantime.
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
    """Return the policy with another level; a proposed level counts as earned and is lost after a correction.

    Raises:
        BadArgument: The cohort or level does not exist.
    """
    for proposal in open_proposals(app.environ, policy):
        if (proposal.cohort, proposal.to_level) == (cohort, level):
            return accept(policy, proposal)
    return policy.with_level(cohort, level)


def level_change(before: Policy, after: Policy, cohort: str) -> ChangedSetting:
    """Return the change of a cohort's level in words."""
    levels = [level_text(policy.cohort(cohort).level) for policy in (before, after)]
    return ChangedSetting(what="level", name=cohort, from_=levels[0], to=levels[1])
