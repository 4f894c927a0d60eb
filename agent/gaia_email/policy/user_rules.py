"""The user's rules as who goes through a mailbox needs them. Entry point: `UserRules`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gaia_email.cascade.lessons import taught
from gaia_email.cascade.verdict import USUAL, Bucket, Context, Verdict
from gaia_email.policy.decide import decide
from gaia_email.policy.document import Policy
from gaia_email.policy.model import Decision, MessageFacts, PolicyVerdict
from gaia_email.policy.owner_says import OwnerSays
from gaia_email.policy.reading import facts_of
from gaia_email.policy.switches import Switches
from gaia_email_registry.contract.wire import Label, Summary

if TYPE_CHECKING:
    from gaia_email.cascade.model.owner import Owners
    from gaia_email.cascade.understand import Understood


TAKEN_BACK = (
    "You took back what a triage had done with it, so it is left alone; triage --again does it once more."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UserRules:
    """The policy and switches under which mail is looked at; without arguments, those of a new user.

    Attributes:
        policy: What the user decided beforehand.
        switches: What the user has switched.
        says: Where the user said that mail belongs.
        taken_back: Account and message of all on which the user took back what a triage had done.
        again: These are gone through once more, as if nothing had been done.
        owners: What the user taught by corrections, by account; None for nothing.
        label_names: Label id → name, where a rule names labels.
        scheduled: A schedule started the run, not the user.
        run_started_at: When the run started (epoch seconds); a pause lets one finish that began before it.
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
        """The same for one mailbox, whose `labels` are asked for only where a rule names one."""
        if not self.policy.names_labels():
            return self
        return replace(self, label_names={label["id"]: label["name"] for label in await labels()})

    def context(self, context: Context, sender: str) -> Context:
        """What the mailbox knows of a message, whether the user named its sender a VIP, and what they set for mail."""
        vip = self.policy.is_vip(sender.lower())
        conventions = None if self.policy.conventions == USUAL else self.policy.conventions
        if not vip and conventions is None:
            return context
        return replace(context, vip=vip, conventions=conventions)

    def learned(self, summary: Summary, verdict: Verdict) -> Verdict:
        """A verdict after what the user taught: other mail like the corrected may have moved."""
        model = self.owners.of(summary["account"]) if self.owners else None
        return taught(verdict, model, summary["from"]["address"])

    def corrected(self, summary: Summary, verdict: Verdict) -> Verdict:
        """A verdict as the user's corrections would have it: what they taught, and above it what they said."""
        return self.said(summary, self.learned(summary, verdict))

    def said(self, summary: Summary, learned: Verdict) -> Verdict:
        """What `learned` gave, as the user said of this message or its sender."""
        account, sender = summary["account"], summary["from"]["address"]
        return self.says.judge(account, summary["id"], sender, learned)

    def leaves_open(self, summary: Summary, facts: MessageFacts, verdict: Verdict) -> bool:
        """Whether a language model may be asked about it: not protected, and not where the user said it belongs."""
        account, sender = summary["account"], summary["from"]["address"]
        return not self.policy.protected.over(facts) and not self.says.covers(
            account, summary["id"], sender, verdict.bucket
        )

    def facts(self, summary: Summary, understood: Understood) -> MessageFacts:
        """What the policy may look at in a message."""
        return facts_of(
            summary,
            understood.message.headers,
            wanted=self.policy.header_names(),
            label_names=self.label_names,
        )

    def facts_again(self, summary: Summary, list_id: str, headers: Mapping[str, str]) -> MessageFacts:
        """The same of a message whose headers were read before; its labels are those of `summary`."""
        return replace(
            facts_of(summary, None, label_names=self.label_names), list_id=list_id, headers=headers
        )

    def decide(self, facts: MessageFacts, verdict: Verdict, bucket: Bucket, now: float) -> Decision:
        """What may be done with a message that ended in `bucket`; nothing where that was taken back before."""
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
