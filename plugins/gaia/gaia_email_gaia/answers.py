"""Answers of the peer's endpoints, as types; every key is always present. Names follow its contract 2.14."""

from __future__ import annotations

from typing import Literal, TypedDict

from gaia_email.document import Count, FromText
from gaia_email_gaia.buckets import PeerCategory, SuggestedAction

AttentionKind = Literal[
    "meeting_request", "waiting_on_you", "needs_review", "action_item", "urgent", "needs_response"
]


class AddressAnswer(TypedDict):
    """An address with an optional name."""

    email: str
    name: str | None


class FileAnswer(TypedDict):
    """A file attached to a message."""

    filename: str
    mime_type: str
    size_bytes: Count
    attachment_id: str | None


class ActionItemAnswer(TypedDict):
    """A task; links are never followed, so the type is never `link`."""

    description: str
    due_hint: str | None
    type: Literal["text", "link"]
    url: str | None


class ScaffoldAnswer(TypedDict):
    """The recipients of a possible reply, and its subject."""

    to: list[AddressAnswer]
    subject: str


class TriageResultAnswer(TypedDict):
    """The classification of a message or thread. `usage` is null, since no language model is used."""

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
    """Answer of `triage`."""

    schema_version: str
    request_kind: Literal["single", "thread"]
    result: TriageResultAnswer


class ItemErrorAnswer(TypedDict):
    """The reason that an item could not be classified."""

    message: str


class BatchItemAnswer(TypedDict):
    """One item; either `result` or `error` is null."""

    index: Count
    result: TriageResultAnswer | None
    error: ItemErrorAnswer | None


class BatchAnswer(TypedDict):
    """Answer of `triage/batch`, in the order of the request."""

    schema_version: str
    results: list[BatchItemAnswer]


class SearchRowAnswer(FromText):
    """A message found by a search."""

    id: str
    thread_id: str | None
    subject: str
    to: str
    date: str
    snippet: str
    label_ids: list[str]


class SearchAnswer(TypedDict):
    """Answer of `search`."""

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
    """Something that needs the user, with the reason."""

    kind: AttentionKind
    why: str
    message_id: str | None
    thread_id: str | None
    sender: str
    subject: str
    mailbox: str | None
    due_hint: str | None


class NeedsYouRow(AttentionRow):
    """An `AttentionRow` in a numbered list."""

    ref: int
    age_seconds: int | None
    detail: list[str]


class BulkAnswer(TypedDict):
    """The number of threads left out, and their buckets."""

    count: int
    filter_tests: list[str]


class PreferencesAnswer(TypedDict):
    """Preferences; always empty, since lessons and levels are already part of the verdicts."""

    priority_senders: list[str]
    low_priority_senders: list[str]
    category_defaults: dict[str, str]


class TotalsAnswer(TypedDict):
    """Total counts, before lists are cut."""

    urgent: int
    actionable: int
    informational: int
    needs_review: int
    suggested_archives: int


class PreScanResultAnswer(TypedDict):
    """A summary of the inbox."""

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
    """Answer of `prescan`."""

    schema_version: str
    result: PreScanResultAnswer


class BriefingAnswer(TypedDict):
    """Answer of `briefing`."""

    schema_version: str
    generated_at: str
    briefing: PreScanResultAnswer


class CoverageAnswer(TypedDict):
    """The extent of a scan."""

    scanned: int
    scan_truncated: bool
    total_unread: int | None
    degraded: bool
    mailbox_errors: list[MailboxErrorAnswer] | None
    message_errors: list[MessageErrorAnswer] | None


class AttentionResultAnswer(TypedDict):
    """Everything that needs the user."""

    kind: Literal["email_attention"]
    generated_at: str
    cache_age_seconds: float
    stale: bool
    items: list[AttentionRow]
    coverage: CoverageAnswer


class AttentionAnswer(TypedDict):
    """Answer of `attention`."""

    schema_version: str
    result: AttentionResultAnswer


class DraftReplyAnswer(TypedDict):
    """The mail to be sent."""

    to: list[AddressAnswer]
    subject: str
    body: str
    attachments: list[FileAnswer]


class DraftAnswer(TypedDict):
    """Answer of `draft`."""

    draft: DraftReplyAnswer
    confirmation_token: str


class SendAnswer(TypedDict):
    """Answer of `send`."""

    sent: bool
    sent_id: str
    to: list[AddressAnswer]
    subject: str
    attachments: list[FileAnswer]


class ConfirmAnswer(TypedDict):
    """Answer of `confirm`."""

    schema_version: str
    action: Literal["archive", "quarantine"]
    message_id: str
    confirmation_token: str


class ArchiveAnswer(TypedDict):
    """Answer of `archive`."""

    schema_version: str
    archived: bool
    message_id: str
    post_archive_id: str
    action_id: str
    batch_id: str
    undo_window_seconds: int


class QuarantineAnswer(TypedDict):
    """Answer of `quarantine`."""

    schema_version: str
    quarantined: bool
    message_id: str
    action_id: str
    quarantine_label_id: str
    prior_labels: list[str]
    undo_window_seconds: int


class UnarchivedAnswer(TypedDict):
    """A message moved back to the inbox."""

    message_id: str
    action_id: str


class UnarchiveAnswer(TypedDict):
    """Answer of `unarchive`."""

    schema_version: str
    undone: bool
    batch_id: str
    restored: int
    messages: list[UnarchivedAnswer]
    failed: list[MessageErrorAnswer]


class UnquarantineAnswer(TypedDict):
    """Answer of `unquarantine`."""

    schema_version: str
    restored: bool
    message_id: str
    action_id: str


class CancelAnswer(TypedDict):
    """Answer of `query/{run_id}/cancel`."""

    status: str
    run_id: str
    cancelled: bool


class RespondAnswer(TypedDict):
    """Answer of `query/{run_id}/respond`."""

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
    """Answer of `/v1/connections`."""

    schema_version: str
    connections: list[ConnectionAnswer]


class WithdrawnAnswer(TypedDict):
    """Answer for a withdrawn login."""

    provider: str
    withdrawn: bool


class EventAnswer(TypedDict):
    """A calendar event."""

    id: str | None
    summary: str
    start: str | None
    end: str | None
    location: str | None
    organizer: str | None


class EventsAnswer(TypedDict):
    """Answer of `calendar/events`."""

    schema_version: str
    events: list[EventAnswer]


class HealthAnswer(TypedDict):
    """Answer of `health`."""

    status: Literal["ok"]
    service: Literal["gaia-agent-email"]


class VersionAnswer(TypedDict):
    """Answer of `version`."""

    apiVersion: str
    agentVersion: str


class ModelServerAnswer(TypedDict):
    """The language model server; the peer calls the field that contains it `lemonade`."""

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
    """Answer of `init`."""

    ready: bool
    hint: str | None
    lemonade: ModelServerAnswer
    model: InitModelAnswer


class InvalidPart(TypedDict):
    """An invalid part of a request, with its location and the rule it violates."""

    loc: list[str | int]
    msg: str
    type: str


class InvalidAnswer(TypedDict):
    """Answer with status 422."""

    detail: list[InvalidPart]


class RefusedAnswer(TypedDict):
    """Answer with any other error status."""

    detail: str
