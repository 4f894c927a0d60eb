"""The user's rules, as used while going through a mailbox. Entry point: `UserRules`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gaia_email.policy.decide import decide
from gaia_email.policy.document import Policy
from gaia_email.policy.model import Decision, MessageFacts, PolicyVerdict
from gaia_email.policy.owner_says import OwnerSays
from gaia_email.policy.reading import facts_of
from gaia_email.policy.switches import Switches
from gaia_email_registry.contract.wire import Label, Summary
from gaia_understanding.cascade.lessons import apply_lessons
from gaia_understanding.cascade.verdict import USUAL, Bucket, Context, Verdict

if TYPE_CHECKING:
    from gaia_understanding.cascade.model.owner import Owners
    from gaia_understanding.cascade.understand import Understood


TAKEN_BACK = (
    "You took back what a triage had done with it, so it is left alone; triage --again does it once more."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UserRules:
    """The policy, switches and corrections that apply to mail; without arguments, those of a new user.

    Attributes:
        policy: The user's policy.
        switches: The user's switches.
        says: The user's corrections.
        taken_back: Account and message IDs for which the user undid a triage.
        again: True to process messages in `taken_back` as if nothing had been done.
        owners: What the user taught by corrections, by account; None for nothing.
        label_names: Label ID → name, if a rule names labels.
        scheduled: True if a schedule started the run, not the user.
        run_started_at: Start of the run in epoch seconds; a pause lets an older run finish.
    """

    policy: Policy = field(default_factory=Policy)
    switches: Switches = field(default_factory=Switches)
    says: OwnerSays = field(default_factory=OwnerSays)
    taken_back: frozenset[tuple[str, str]] = frozenset()
    again: bool = False
    owners: Owners | None = None
    label_names: Mapping[str, str] = field(default_factory=dict[str, str])
    scheduled: bool = False
    run_started_at: float | None = None

    async def at(self, labels: Callable[[], Awaitable[Sequence[Label]]]) -> UserRules:
        """Return the rules for one mailbox; calls `labels` only if a rule names a label."""
        if not self.policy.names_labels():
            return self
        return replace(self, label_names={label["id"]: label["name"] for label in await labels()})

    def context(self, context: Context, sender: str) -> Context:
        """Return the context of a message with the user's VIPs and conventions applied."""
        vip = self.policy.is_vip(sender.lower())
        conventions = None if self.policy.conventions == USUAL else self.policy.conventions
        if not vip and conventions is None:
            return context
        return replace(context, vip=vip, conventions=conventions)

    def apply_lessons(self, summary: Summary, verdict: Verdict) -> Verdict:
        """Return the verdict after applying lessons, which can also move mail similar to corrected mail."""
        model = self.owners.of(summary["account"]) if self.owners else None
        return apply_lessons(verdict, model, summary["from"]["address"])

    def correct(self, summary: Summary, verdict: Verdict) -> Verdict:
        """Return the verdict after applying lessons and then the user's explicit corrections."""
        return self.apply_corrections(summary, self.apply_lessons(summary, verdict))

    def apply_corrections(self, summary: Summary, learned: Verdict) -> Verdict:
        """Return the `learned` verdict after applying the user's corrections of this message or its sender."""
        account, sender = summary["account"], summary["from"]["address"]
        return self.says.judge(account, summary["id"], sender, learned)

    def leaves_open(self, summary: Summary, facts: MessageFacts, verdict: Verdict) -> bool:
        """Return True if a language model may be asked: the message is not protected, and no correction covers it."""
        account, sender = summary["account"], summary["from"]["address"]
        return not self.policy.protected.over(facts) and not self.says.covers(
            account, summary["id"], sender, verdict.bucket
        )

    def facts(self, summary: Summary, understood: Understood) -> MessageFacts:
        """Return the facts of a message that the policy can match."""
        return facts_of(
            summary,
            understood.message.headers,
            wanted=self.policy.header_names(),
            label_names=self.label_names,
        )

    def facts_again(self, summary: Summary, list_id: str, headers: Mapping[str, str]) -> MessageFacts:
        """Return the facts of a message whose headers were read before, with the current labels of `summary`."""
        return replace(
            facts_of(summary, None, label_names=self.label_names), list_id=list_id, headers=headers
        )

    def decide(self, facts: MessageFacts, verdict: Verdict, bucket: Bucket, now: float) -> Decision:
        """Decide about a message that ended in `bucket`; leave it alone if the user undid an earlier triage of it."""
        decision = decide(
            facts,
            PolicyVerdict.of(verdict, bucket),
            self.policy,
            self.switches,
            now=now,
            scheduled=self.scheduled,
            run_started_at=self.run_started_at,
        )
        if self.again or (facts.account, facts.message_id) not in self.taken_back:
            return decision
        return replace(decision, mode="leave", limits=(*decision.limits, TAKEN_BACK))
