"""The document types of the reading commands. Entry points: `MAIL_DOCUMENTS`, `ClassifyLine`, `ThreadRow`."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict, get_args

from gaia_email.document import (
    Count,
    FromAddress,
    FromAddressOrNone,
    Level,
    NamedAddress,
    ObjectKeys,
    OneOf,
    PlanAction,
    PlanMode,
    Ratio,
    Stated,
    Version,
    Warning_,
)
from gaia_understanding.cascade.verdict import SPEECH_ACTS, Bucket, Category, Cohort, SpeechAct


class SignalRow(TypedDict):
    """A reason that changed the priority, with the text that supports it."""

    name: str
    weight: float
    evidence: str


class PriorityRow(TypedDict):
    """The priority of a message, and the reason."""

    score: Stated
    reason: str
    signals: list[SignalRow]


class JudgementRow(TypedDict):
    """A suspicion; scores of 0.5 and above are a warning."""

    score: Ratio
    reasons: list[str]


class UnsubscribeRow(TypedDict):
    """The ways to unsubscribe from the list (RFC 2369, RFC 8058)."""

    one_click: bool
    url: str | None
    mailto: str | None


class AuthenticationRow(TypedDict):
    """SPF, DKIM and DMARC results from Authentication-Results (RFC 8601)."""

    spf: str
    dkim: str
    dmarc: str
    trusted: bool


class FlagsRow(TypedDict):
    """Facts derived from the sender and the headers."""

    bulk: bool
    spam: Ratio
    phishing: JudgementRow
    injection: JudgementRow
    unsubscribe: UnsubscribeRow | None
    authentication: AuthenticationRow


class AttachmentRow(TypedDict):
    """An attachment; `size` is in bytes."""

    filename: str
    content_type: str
    size: Count


class TextRow(TypedDict):
    """The text of a message, split into its parts."""

    normalized: str
    quoted: str
    signature: str
    hidden: str
    language: str


class DateRow(TypedDict):
    """A day or time mentioned in a message (ISO 8601)."""

    text: str
    value: str
    deadline: bool


class MoneyRow(TypedDict):
    """An amount of money; `currency` is an ISO 4217 code."""

    text: str
    amount: str
    currency: str


class ActionItemRow(TypedDict):
    """A task, its owner and its deadline."""

    text: str
    description: str
    owner: str
    due: str | None


class MeetingRow(TypedDict):
    """A meeting, from a calendar part (RFC 5545) or the text."""

    summary: str
    start: str
    end: str
    location: str
    organizer: str
    method: str
    uid: str
    source: str
    recurrence: str


class ReceiptRow(TypedDict):
    """A purchase."""

    merchant: str
    total: str
    currency: str
    date: str
    order_number: str


class ItineraryRow(TypedDict):
    """A journey or a stay."""

    kind: str
    reference: str
    origin: str
    destination: str
    departs: str
    arrives: str
    provider: str


class ParcelRow(TypedDict):
    """A parcel in transit."""

    carrier: str
    number: str


class EntitiesRow(TypedDict):
    """Entities found in a message."""

    dates: list[DateRow]
    people: list[str]
    money: list[MoneyRow]
    urls: list[str]
    phones: list[str]
    codes: list[str]
    action_items: list[ActionItemRow]
    meeting: MeetingRow | None
    receipt: ReceiptRow | None
    itinerary: ItineraryRow | None
    tracking: list[ParcelRow]


class Header(FromAddressOrNone):
    """Fields that identify a message; `date` is RFC 3339."""

    message_id: str
    thread_id: str
    subject: str
    date: str | None


class JudgedRow(TypedDict):
    """The verdict on a message."""

    bucket: Bucket
    content_category: Category
    speech_act: SpeechAct
    speech_acts: Annotated[dict[SpeechAct, Ratio], ObjectKeys(SPEECH_ACTS)]
    cohort: Cohort
    needs_reply: bool
    confidence: Stated
    tier: Annotated[str, OneOf(("T0", "T1", "T2", "T3"))]
    priority: PriorityRow


class ClassifyLine(Header, JudgedRow):
    """One line of `classify`, for each message."""

    schema_version: Version
    path: str
    index: Count
    labels: list[str]
    text: TextRow
    entities: EntitiesRow
    flags: FlagsRow
    attachments: list[AttachmentRow]
    defects: list[str]
    elapsed_ms: float


class TriagePlanRow(TypedDict):
    """The triage plan: the action, the policy's cohort and level, and whether it is applied automatically."""

    action: PlanAction
    label: str
    cohort: str
    level: Level
    level_name: str
    mode: PlanMode
    why: str


class OtherMessage(FromAddress):
    """Another message of a thread, with its warnings."""

    id: str
    subject: str
    date: str | None
    warnings: list[Warning_]


class MessagePlanRow(TypedDict):
    """The triage plan for another message of a thread."""

    id: str
    action: PlanAction
    mode: PlanMode
    label: str


class ThreadRow(FromAddress):
    """One thread; `date` (RFC 3339) and `age_s` are null if the message has no readable date.

    `warnings` covers all its messages; `others` lists all but the message that represents the thread.
    """

    id: str
    account: str
    also_in: list[str]
    message_id: str
    thread_id: str
    subject: str
    summary: str
    date: str | None
    age_s: int | None
    priority: Stated
    reason: str
    confidence: Stated
    unsure: bool
    messages: Count
    unread: bool
    content_category: Category
    speech_act: SpeechAct
    cohort: Cohort
    needs_reply: bool
    evidence: list[str]
    warnings: list[Warning_]
    others: list[OtherMessage]


class PlannedThreadRow(ThreadRow):
    """A thread with its triage plan, and the plans for `others`."""

    plan: TriagePlanRow
    other_plans: list[MessagePlanRow]


SectionName = Literal["urgent", "actionable", "informational", "suspicious", "low_priority"]
SECTIONS: tuple[SectionName, ...] = get_args(SectionName)
"""The four buckets and, separately, suspected fraud, in display order."""


class BucketCounts(TypedDict):
    """The number of threads in a section, and of unread ones."""

    threads: Count
    unread: Count


class InboxHead(TypedDict):
    """The counts of an inbox; `shown` counts the threads in the document."""

    schema_version: Version
    account: str
    total: Count
    unreadable: Count
    unsure: Count
    threads: Count
    shown: Count
    counts: Annotated[dict[SectionName, BucketCounts], ObjectKeys(SECTIONS)]


class InboxDocument(InboxHead):
    """The document of `inbox`."""

    buckets: Annotated[dict[SectionName, list[ThreadRow]], ObjectKeys(SECTIONS)]


class TriageDocument(InboxHead):
    """The document of `triage`."""

    buckets: Annotated[dict[SectionName, list[PlannedThreadRow]], ObjectKeys(SECTIONS)]


class WatchRow(Header, JudgedRow):
    """One line of `watch`, for each new message; `plan` is null if the message was unreadable."""

    schema_version: Version
    account: str
    id: str
    at: str
    labels: list[str]
    summary: str
    flags: FlagsRow
    warnings: list[Warning_]
    defects: list[str]
    unsure: bool
    plan: TriagePlanRow | None


class SecondRow(TypedDict):
    """The opinion of a language model, next to that of the rules."""

    tier: Literal["T1", "T2"]
    prompt: str
    by_rules: Bucket
    by_model: Bucket
    stands: Literal["rules", "model"]
    model: str
    evidence: str
    sentence: str


class RemovalRow(TypedDict):
    """A text that was removed, by which step and how."""

    step: str
    how: str
    chars: Count


class RemovedText(RemovalRow):
    """A removed text, including the text itself."""

    text: str


class WhyDocument(Header, JudgedRow):
    """The document of `why`; the first `walk_to_plan` sentences of `walk` explain the triage plan.

    `others` are the other messages of the conversation.
    """

    schema_version: Version
    id: str
    flags: FlagsRow
    warnings: list[Warning_]
    defects: list[str]
    second: SecondRow | None
    unsure: bool
    plan: TriagePlanRow
    walk: list[str]
    walk_to_plan: Count
    removed: list[RemovalRow]
    others: list[OtherMessage]


class LinkRow(TypedDict):
    """A link: its text and its target."""

    text: str
    url: str


class ShowDocument(Header):
    """The document of `show`; `others` are the other messages of the conversation."""

    schema_version: Version
    id: str
    to: list[NamedAddress]
    cc: list[NamedAddress]
    labels: list[str]
    bucket: Bucket
    text: TextRow
    entities: EntitiesRow
    attachments: list[AttachmentRow]
    flags: FlagsRow
    warnings: list[Warning_]
    defects: list[str]
    links: list[LinkRow]
    removed: list[RemovedText]
    others: list[OtherMessage]


class ExtractDocument(Header):
    """The document of `extract`: the entities of one message."""

    schema_version: Version
    id: str
    entities: EntitiesRow


MAIL_DOCUMENTS: dict[str, object] = {
    "classify": ClassifyLine,
    "inbox": InboxDocument,
    "triage": TriageDocument,
    "watch": WatchRow,
    "why": WhyDocument,
    "show": ShowDocument,
    "extract": ExtractDocument,
}
"""Document types by command; for `classify` and `watch`, the type of one line."""
