"""The types of what the reading commands print. Entry points: `MAIL_DOCUMENTS`, `ClassifyLine`, `ThreadRow`."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict, get_args

from gaia_email.cascade.verdict import SPEECH_ACTS, Bucket, Category, Cohort, SpeechAct
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


class SignalRow(TypedDict):
    """Something that moved the priority, with the words it rests on."""

    name: str
    weight: float
    evidence: str


class PriorityRow(TypedDict):
    """How pressing a message is, and why."""

    score: Stated
    reason: str
    signals: list[SignalRow]


class JudgementRow(TypedDict):
    """A suspicion, from 0.5 on a warning."""

    score: Ratio
    reasons: list[str]


class UnsubscribeRow(TypedDict):
    """Where one leaves the list (RFC 2369, RFC 8058)."""

    one_click: bool
    url: str | None
    mailto: str | None


class AuthenticationRow(TypedDict):
    """SPF, DKIM and DMARC as Authentication-Results states them (RFC 8601)."""

    spf: str
    dkim: str
    dmarc: str
    trusted: bool


class FlagsRow(TypedDict):
    """What the sender and the headers give away."""

    bulk: bool
    spam: Ratio
    phishing: JudgementRow
    injection: JudgementRow
    unsubscribe: UnsubscribeRow | None
    authentication: AuthenticationRow


class AttachmentRow(TypedDict):
    """A file that comes with it; `size` in bytes."""

    filename: str
    content_type: str
    size: Count


class TextRow(TypedDict):
    """The text, taken apart."""

    normalized: str
    quoted: str
    signature: str
    hidden: str
    language: str


class DateRow(TypedDict):
    """A day or time that is named (ISO 8601)."""

    text: str
    value: str
    deadline: bool


class MoneyRow(TypedDict):
    """A sum; `currency` as ISO 4217."""

    text: str
    amount: str
    currency: str


class ActionItemRow(TypedDict):
    """Something to do, for whom and by when."""

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
    """A parcel under way."""

    carrier: str
    number: str


class EntitiesRow(TypedDict):
    """What stands in a message."""

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
    """What names a message; `date` is RFC 3339."""

    message_id: str
    thread_id: str
    subject: str
    date: str | None


class JudgedRow(TypedDict):
    """What a message was understood as."""

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
    """What `classify` prints for each message."""

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
    """What triage would do, for which cohort of the policy, at which level, and whether by itself."""

    action: PlanAction
    label: str
    cohort: str
    level: Level
    level_name: str
    mode: PlanMode
    why: str


class OtherMessage(FromAddress):
    """Another message of a thread, with what the person should be warned of in it."""

    id: str
    subject: str
    date: str | None
    warnings: list[Warning_]


class MessagePlanRow(TypedDict):
    """What triage would do with another message of a thread."""

    id: str
    action: PlanAction
    mode: PlanMode
    label: str


class ThreadRow(FromAddress):
    """One thread; `date` (RFC 3339) and `age_s` are null when the message has no readable date.

    `warnings` are those of all its messages, `others` its messages besides the one that stands for it.
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
    """The same with what triage would do, also with the `others`."""

    plan: TriagePlanRow
    other_plans: list[MessagePlanRow]


SectionName = Literal["urgent", "actionable", "informational", "suspicious", "low_priority"]
SECTIONS: tuple[SectionName, ...] = get_args(SectionName)
"""The four buckets and, apart from them, what looks like fraud; in the order in which they are shown everywhere."""


class BucketCounts(TypedDict):
    """How many threads a section has, and how many of them are unread."""

    threads: Count
    unread: Count


class InboxHead(TypedDict):
    """An inbox, counted; `shown` counts the threads that the document holds."""

    schema_version: Version
    account: str
    total: Count
    unreadable: Count
    unsure: Count
    threads: Count
    shown: Count
    counts: Annotated[dict[SectionName, BucketCounts], ObjectKeys(SECTIONS)]


class InboxDocument(InboxHead):
    """What `inbox` prints."""

    buckets: Annotated[dict[SectionName, list[ThreadRow]], ObjectKeys(SECTIONS)]


class TriageDocument(InboxHead):
    """What `triage` prints."""

    buckets: Annotated[dict[SectionName, list[PlannedThreadRow]], ObjectKeys(SECTIONS)]


class WatchRow(Header, JudgedRow):
    """What `watch` prints for each new message; `plan` is null where it could not be understood."""

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
    """What a language model said beside the rules."""

    tier: Literal["T1", "T2"]
    prompt: str
    by_rules: Bucket
    by_model: Bucket
    stands: Literal["rules", "model"]
    model: str
    evidence: str
    sentence: str


class RemovalRow(TypedDict):
    """Text that was taken out, by which step and how."""

    step: str
    how: str
    chars: Count


class RemovedText(RemovalRow):
    """The same with the text."""

    text: str


class WhyDocument(Header, JudgedRow):
    """What `why` prints; the first `walk_to_plan` sentences of `walk` say what a triage would do.

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
    """A link: what it says, and where it leads."""

    text: str
    url: str


class ShowDocument(Header):
    """What `show` prints; `others` are the other messages of the conversation."""

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
    """What stands in one message."""

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
"""By command; of `classify` and `watch` one line."""
