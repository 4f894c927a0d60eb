"""Inputs of a decision, `MessageFacts` and `PolicyVerdict`, and its result: a `Decision` with its `Ruling`s."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from gaia_email.document import Document
from gaia_email.policy.levels import AgentAction
from gaia_understanding.cascade.verdict import Bucket, Category, Cohort, Verdict, trusts_sender

YES = 0.5
"""Score from which a suspicion counts."""

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
"""Reasons for a ruling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageFacts:
    """Properties of a message that rules can match.

    Attributes:
        account: The account that holds it.
        message_id: Its ID at the mail server.
        thread_id: The ID of its conversation.
        sender: The From address, lower case.
        sender_name: The display name in From, as written.
        recipients: Addresses in To and Cc, lower case.
        list_id: The List-Id without brackets, lower case (RFC 2919).
        subject: The decoded subject.
        labels: Names and IDs of its labels, case-folded.
        headers: Values of the header fields that rules match, by lower-case name.
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
    """The parts of a verdict that a policy needs; also read from a stored row of the ledger.

    Attributes:
        bucket: The final bucket; a thread's may differ from the message's own.
        category: The content category.
        cohort: The first built-in cohort that applies.
        withheld: Built-in cohorts that would apply if the sender were authenticated.
        confidence: 0 to 1.
        needs_reply: True if a person is waiting for an answer.
        phishing: True if it is judged to be phishing.
        injection: True if it contains text addressed to a machine.
        listed: True if it has a List-Unsubscribe header.
        one_click: True if it can be unsubscribed from by RFC 8058.
        forged: Why the name in From cannot be trusted; empty if nothing speaks against it.
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
        """Take these parts from a verdict; `bucket` overrides its own, for instance with the thread's."""
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
    """A ruling on one action: permitted, needs approval, or refused. `reason` is one sentence."""

    action: AgentAction
    outcome: RulingOutcome
    cause: Cause
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The policy's decision about one message.

    Attributes:
        cohort: The name of the message's cohort.
        matched: A sentence with the reason for the cohort.
        withheld: Sentences about rules that did not apply because the sender cannot be trusted.
        level: The cohort's level.
        effective_level: The level after `limits`.
        limits: Reasons for a lower effective level, a sentence each.
        unsure: True if the confidence is below the user's threshold.
        action: The action a triage would take.
        label: The label it would set.
        mode: `apply` it with undo, put it up for `review`, `suggest` it, or `leave` the message alone.
        rulings: One per action, in the order of `levels.ACTIONS`.
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
        """Return the ruling on one action."""
        return next(ruling for ruling in self.rulings if ruling.action == action)

    @property
    def permitted(self) -> tuple[Ruling, ...]:
        """Rulings on actions that the agent may do without asking."""
        return tuple(ruling for ruling in self.rulings if ruling.outcome == "permitted")

    @property
    def asks(self) -> tuple[Ruling, ...]:
        """Rulings on actions that it may propose for approval."""
        return tuple(ruling for ruling in self.rulings if ruling.outcome == "ask")

    @property
    def refused(self) -> tuple[Ruling, ...]:
        """Rulings on actions that it may neither do nor propose."""
        return tuple(ruling for ruling in self.rulings if ruling.outcome == "refused")
