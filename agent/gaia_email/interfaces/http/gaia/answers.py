"""What the peer's endpoints answer, as types; every key is always there. Names are those of its contract 2.14."""

from __future__ import annotations

from typing import Literal, TypedDict

from gaia_email.document import Count, FromText
from gaia_email.interfaces.http.gaia.buckets import PeerCategory, SuggestedAction

AttentionKind = Literal[
    "meeting_request", "waiting_on_you", "needs_review", "action_item", "urgent", "needs_response"
]


class AddressAnswer(TypedDict):
    """A mailbox."""

    email: str
    name: str | None


class FileAnswer(TypedDict):
    """A file that comes with a message."""

    filename: str
    mime_type: str
    size_bytes: Count
    attachment_id: str | None


class ActionItemAnswer(TypedDict):
    """Something that is to be done; a link is never followed, so there is none of type `link`."""

    description: str
    due_hint: str | None
    type: Literal["text", "link"]
    url: str | None


class ScaffoldAnswer(TypedDict):
    """Whom a reply would go to, and its subject."""

    to: list[AddressAnswer]
    subject: str


class TriageResultAnswer(TypedDict):
    """What a message or thread is. `usage` is null, since no language model is asked."""

    category: PeerCategory
    summary: str
    action_items: list[ActionItemAnswer]
    attachments: list[FileAnswer]
    draft: ScaffoldAnswer | None
    is_phishing: bool
    is_spam: bool
    message_id: str | None
    suggested_action: SuggestedAction
    usage: None


class TriageAnswer(TypedDict):
    """Of `triage`."""

    schema_version: str
    request_kind: Literal["single", "thread"]
    result: TriageResultAnswer


class ItemErrorAnswer(TypedDict):
    """Why an item could not be judged."""

    message: str


class BatchItemAnswer(TypedDict):
    """One item; either is null."""

    index: Count
    result: TriageResultAnswer | None
    error: ItemErrorAnswer | None


class BatchAnswer(TypedDict):
    """Of `triage/batch`, in the order of the request."""

    schema_version: str
    results: list[BatchItemAnswer]


class SearchRowAnswer(FromText):
    """A message that was found."""

    id: str
    thread_id: str | None
    subject: str
    to: str
    date: str
    snippet: str
    label_ids: list[str]


class SearchAnswer(TypedDict):
    """Of `search`."""

    schema_version: str
    query: str | None
    count: Count
    messages: list[SearchRowAnswer]
    next_page_token: str | None


class MailboxErrorAnswer(TypedDict):
    """A mailbox that could not be read."""

    mailbox: str
    error: str


class MessageErrorAnswer(TypedDict):
    """A message that could not be read."""

    message_id: str
    error: str


class PreScanRow(TypedDict):
    """A thread of the inbox."""

    message_id: str
    thread_id: str | None
    sender: str
    subject: str
    why: str | None
    reason: str | None
    is_meeting_request: bool
    is_phishing: bool
    is_spam: bool


class AttentionRow(TypedDict):
    """Something that needs the user, and why."""

    kind: AttentionKind
    why: str
    message_id: str | None
    thread_id: str | None
    sender: str
    subject: str
    mailbox: str | None
    due_hint: str | None


class NeedsYouRow(AttentionRow):
    """The same in a list with numbers."""

    ref: int
    age_seconds: int | None
    detail: list[str]


class BulkAnswer(TypedDict):
    """How much was left out, and by which buckets."""

    count: int
    filter_tests: list[str]


class PreferencesAnswer(TypedDict):
    """Always empty: lessons and levels are in the verdicts already."""

    priority_senders: list[str]
    low_priority_senders: list[str]
    category_defaults: dict[str, str]


class TotalsAnswer(TypedDict):
    """How many there are, before lists are cut."""

    urgent: int
    actionable: int
    informational: int
    needs_review: int
    suggested_archives: int


class PreScanResultAnswer(TypedDict):
    """The inbox at a glance."""

    kind: Literal["email_pre_scan"]
    scanned: int
    total_inbox: int | None
    total_unread: int | None
    degraded: bool
    mailbox_errors: list[MailboxErrorAnswer] | None
    urgent: list[PreScanRow]
    actionable: list[PreScanRow]
    needs_review: list[PreScanRow]
    informational: list[PreScanRow]
    informational_count: int
    suggested_archives: list[PreScanRow]
    suggested_drafts: list[str]
    suspicious: list[PreScanRow]
    suspicious_total: int
    needs_you: list[NeedsYouRow]
    needs_you_total: int
    bulk: BulkAnswer | None
    totals: TotalsAnswer | None
    preferences_applied: PreferencesAnswer | None


class PreScanAnswer(TypedDict):
    """Of `prescan`."""

    schema_version: str
    result: PreScanResultAnswer


class BriefingAnswer(TypedDict):
    """Of `briefing`."""

    schema_version: str
    generated_at: str
    briefing: PreScanResultAnswer


class CoverageAnswer(TypedDict):
    """How much was looked at."""

    scanned: int
    scan_truncated: bool
    total_unread: int | None
    degraded: bool
    mailbox_errors: list[MailboxErrorAnswer] | None
    message_errors: list[MessageErrorAnswer] | None


class AttentionResultAnswer(TypedDict):
    """What needs the user."""

    kind: Literal["email_attention"]
    generated_at: str
    cache_age_seconds: float
    stale: bool
    items: list[AttentionRow]
    coverage: CoverageAnswer


class AttentionAnswer(TypedDict):
    """Of `attention`."""

    schema_version: str
    result: AttentionResultAnswer


class DraftReplyAnswer(TypedDict):
    """The mail that would go out."""

    to: list[AddressAnswer]
    subject: str
    body: str
    attachments: list[FileAnswer]


class DraftAnswer(TypedDict):
    """Of `draft`."""

    draft: DraftReplyAnswer
    confirmation_token: str


class SendAnswer(TypedDict):
    """Of `send`."""

    sent: bool
    sent_id: str
    to: list[AddressAnswer]
    subject: str
    attachments: list[FileAnswer]


class ConfirmAnswer(TypedDict):
    """Of `confirm`."""

    schema_version: str
    action: Literal["archive", "quarantine"]
    message_id: str
    confirmation_token: str


class ArchiveAnswer(TypedDict):
    """Of `archive`."""

    schema_version: str
    archived: bool
    message_id: str
    post_archive_id: str
    action_id: str
    batch_id: str
    undo_window_seconds: int


class QuarantineAnswer(TypedDict):
    """Of `quarantine`."""

    schema_version: str
    quarantined: bool
    message_id: str
    action_id: str
    quarantine_label_id: str
    prior_labels: list[str]
    undo_window_seconds: int


class UnarchivedAnswer(TypedDict):
    """A message that is in the inbox again."""

    message_id: str
    action_id: str


class UnarchiveAnswer(TypedDict):
    """Of `unarchive`."""

    schema_version: str
    undone: bool
    batch_id: str
    restored: int
    messages: list[UnarchivedAnswer]
    failed: list[MessageErrorAnswer]


class UnquarantineAnswer(TypedDict):
    """Of `unquarantine`."""

    schema_version: str
    restored: bool
    message_id: str
    action_id: str


class CancelAnswer(TypedDict):
    """Of `query/{run_id}/cancel`."""

    status: str
    run_id: str
    cancelled: bool


class RespondAnswer(TypedDict):
    """Of `query/{run_id}/respond`."""

    status: str
    run_id: str
    request_id: str
    accepted: bool


class ConnectionAnswer(TypedDict):
    """A forwarded login, without its token."""

    provider: str
    account_email: str | None
    expires_at: float
    scopes: list[str]
    forwarded: bool


class ConnectionsAnswer(TypedDict):
    """Of `/v1/connections`."""

    schema_version: str
    connections: list[ConnectionAnswer]


class WithdrawnAnswer(TypedDict):
    """Of a login that was taken back."""

    provider: str
    withdrawn: bool


class EventAnswer(TypedDict):
    """An event of a calendar."""

    id: str | None
    summary: str
    start: str | None
    end: str | None
    location: str | None
    organizer: str | None


class EventsAnswer(TypedDict):
    """Of `calendar/events`."""

    schema_version: str
    events: list[EventAnswer]


class HealthAnswer(TypedDict):
    """Of `health`."""

    status: Literal["ok"]
    service: Literal["gaia-agent-email"]


class VersionAnswer(TypedDict):
    """Of `version`."""

    apiVersion: str
    agentVersion: str


class ModelServerAnswer(TypedDict):
    """The language model server; the field of the peer's that holds it is called `lemonade`."""

    base_url: str
    reachable: bool
    version: str | None
    min_version: str
    compatible: bool | None


class InitModelAnswer(TypedDict):
    """The language model; `ctx_size` in tokens."""

    id: str
    present: bool
    loadable: bool | None
    ctx_size: int | None


class InitAnswer(TypedDict):
    """Of `init`."""

    ready: bool
    hint: str | None
    lemonade: ModelServerAnswer
    model: InitModelAnswer


class InvalidPart(TypedDict):
    """What did not fit, where it stands, and which rule it broke."""

    loc: list[str | int]
    msg: str
    type: str


class InvalidAnswer(TypedDict):
    """Of status 422."""

    detail: list[InvalidPart]


class RefusedAnswer(TypedDict):
    """Of every other status that is no success."""

    detail: str
