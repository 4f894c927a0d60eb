"""What a decision is made from, `MessageFacts` and `PolicyVerdict`, and what it is: `Decision` of `Ruling`s."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from gaia_email.cascade.verdict import Bucket, Category, Cohort, Verdict, trusts_sender
from gaia_email.document import Document
from gaia_email.policy.levels import AgentAction

YES = 0.5
"""A suspicion counts from here on."""

PlannedAction = Literal["reply", "do", "label", "archive", "warn", "keep"]
Mode = Literal["apply", "review", "suggest", "leave"]
RulingOutcome = Literal["permitted", "ask", "refused"]
Cause = Literal[
    "level",
    "bucket",
    "schedule",
    "always_asks",
    "opt_in",
    "protected",
    "flagged",
    "stopped",
    "paused",
    "quiet_hours",
    "travel",
]
"""What a ruling follows from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageFacts:
    """What rules may look at in one message.

    Attributes:
        account: The account it is in.
        message_id: The id that the mail server gives it.
        thread_id: Its conversation's id.
        sender: The address of From, lower case.
        sender_name: Its display name, as written.
        recipients: The addresses of To and Cc, lower case.
        list_id: The List-Id without its brackets, lower case (RFC 2919).
        subject: As decoded.
        labels: Names and ids of its labels, folded for comparing.
        headers: Values of the header fields that rules ask for, by lower-case name.
    """

    account: str = ""
    message_id: str = ""
    thread_id: str = ""
    sender: str = ""
    sender_name: str = ""
    recipients: tuple[str, ...] = ()
    list_id: str = ""
    subject: str = ""
    labels: frozenset[str] = frozenset()
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyVerdict:
    """What a policy needs of a verdict; a stored row of the ledger gives the same.

    Attributes:
        bucket: Where the message ended; a thread's may differ from the message's own.
        category: Its content category.
        cohort: The first built-in cohort that holds.
        withheld: Built-in cohorts that would hold, were the sender's name to be relied upon.
        confidence: 0 to 1.
        needs_reply: A person waits for an answer.
        phishing: It is held to be phishing.
        injection: It speaks to a machine.
        listed: It can be unsubscribed from (List-Unsubscribe).
        one_click: It can be unsubscribed from by RFC 8058.
        forged: Why the name in From cannot be relied upon; empty when nothing speaks against it.
    """

    bucket: Bucket
    category: Category = "primary"
    cohort: Cohort = "default"
    withheld: tuple[Cohort, ...] = ()
    confidence: float = 1.0
    needs_reply: bool = False
    phishing: bool = False
    injection: bool = False
    listed: bool = False
    one_click: bool = False
    forged: str = ""

    @staticmethod
    def of(verdict: Verdict, bucket: Bucket | None = None) -> PolicyVerdict:
        """From a verdict; `bucket` where the thread's decides."""
        flags = verdict.flags
        return PolicyVerdict(
            bucket=bucket or verdict.bucket,
            category=verdict.content_category,
            cohort=verdict.cohort,
            withheld=flags.withheld,
            confidence=verdict.confidence,
            needs_reply=verdict.needs_reply,
            phishing=flags.phishing.score >= YES,
            injection=flags.injection.score >= YES,
            listed=flags.unsubscribe is not None,
            one_click=flags.unsubscribe is not None and flags.unsubscribe.one_click,
            forged=_forged(verdict),
        )


def _forged(verdict: Verdict) -> str:
    flags = verdict.flags
    if trusts_sender(flags.authentication, bool(flags.imitates)):
        return ""
    if flags.imitates:
        return f"its domain looks like {flags.imitates}"
    return "it fails DMARC, so anybody may have written it"


class Ruling(Document, frozen=True, kw_only=True):
    """Whether the agent may do `action` by itself, has to ask first, or may not; `reason` is one sentence."""

    action: AgentAction
    outcome: RulingOutcome
    cause: Cause
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the policy says about one message.

    Attributes:
        cohort: The name of the cohort it belongs to.
        matched: Why it does, as a sentence.
        withheld: Sentences on rules that did not fire since the sender cannot be relied upon.
        level: The cohort's level.
        effective_level: After `limits`.
        limits: Why the effective level is lower, a sentence each.
        unsure: The verdict is below the confidence that the user asks for.
        action: What a triage would do.
        label: The label it would set.
        mode: `apply` it with undo, put it up for `review`, `suggest` it, or `leave` the message alone.
        rulings: One for every action, in the order of `levels.ACTIONS`.
    """

    cohort: str
    matched: str
    withheld: tuple[str, ...]
    level: int
    effective_level: int
    limits: tuple[str, ...]
    unsure: bool
    action: PlannedAction
    label: str
    mode: Mode
    rulings: tuple[Ruling, ...]

    def ruling(self, action: AgentAction) -> Ruling:
        """The ruling on one action."""
        return next(ruling for ruling in self.rulings if ruling.action == action)

    @property
    def permitted(self) -> tuple[Ruling, ...]:
        """What the agent may do without asking."""
        return tuple(ruling for ruling in self.rulings if ruling.outcome == "permitted")

    @property
    def asks(self) -> tuple[Ruling, ...]:
        """What it may propose, to be approved."""
        return tuple(ruling for ruling in self.rulings if ruling.outcome == "ask")

    @property
    def refused(self) -> tuple[Ruling, ...]:
        """What it may neither do nor propose."""
        return tuple(ruling for ruling in self.rulings if ruling.outcome == "refused")
