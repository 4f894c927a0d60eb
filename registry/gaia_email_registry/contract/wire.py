"""Types for the JSON answers of mail tools. Servers build them, the agent reads them.

They are `TypedDict`s, not classes: a page of a thousand summaries crosses the process boundary without conversion, and
`from` can keep its name. `tools.py` lists the result of each tool. All times are RFC 3339 strings with an offset; all
sizes are bytes; ids are opaque strings.
"""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict  # pydantic needs this one below Python 3.12


class Address(TypedDict):
    """A mailbox (RFC 5322); `name` is empty if there is no display name."""

    name: str
    address: str


Summary = TypedDict(
    "Summary",
    {
        "id": str,
        "account": str,
        "thread_id": str,
        "message_id": str,
        "subject": str,
        "from": Address,
        "to": list[Address],
        "cc": list[Address],
        "date": str,
        "snippet": str,
        "labels": list[str],
        "flags": list[str],
        "size": int,
        "has_attachments": bool,
    },
)
"""One message in a list. `message_id` keeps its angle brackets, `date` is empty if unknown, `labels` are label ids
(Gmail's system names if they apply: INBOX, UNREAD, STARRED, SENT, DRAFT, TRASH, SPAM), `flags` are IMAP system flags
(`\\Seen`, `\\Flagged`, `\\Answered`, `\\Draft`)."""


class AttachmentInfo(TypedDict):
    """An attachment without its bytes; `id` is the argument for `download_attachment` and `get_attachment`."""

    id: str
    filename: str
    content_type: str
    size: int


class Email(Summary):
    """A message in an answer of `read_emails`: the summary, plus fields for the requested `format`.

    `full` adds `headers`, `text`, `html`, `attachments` and `defects`, and `cut` if text or HTML is too long and only
    its beginning is included. `raw` adds `raw` (base64url of the original RFC 5322 bytes, padded), and `defects` if the
    end of a huge message is missing from it.
    """

    headers: NotRequired[dict[str, list[str]]]
    text: NotRequired[str]
    html: NotRequired[str]
    attachments: NotRequired[list[AttachmentInfo]]
    defects: NotRequired[list[str]]
    cut: NotRequired[list[str]]
    raw: NotRequired[str]


class ListEmailsResult(TypedDict):
    """A page of summaries, newest first; `next_cursor` is None on the last page."""

    emails: list[Summary]
    next_cursor: str | None


class SearchEmailsResult(ListEmailsResult):
    """As `ListEmailsResult`; `total_estimate` counts all hits, or is a lower bound if `total_is_exact` is false."""

    total_estimate: int
    total_is_exact: NotRequired[bool]


class ReadEmailsResult(TypedDict):
    """The existing messages in the order requested, and the missing ids; request those in `left_out` again."""

    emails: list[Email]
    missing: list[str]
    left_out: NotRequired[list[str]]


class ThreadResult(TypedDict):
    """A conversation, oldest first; if it is too long, its newest messages, and the ids `left_out`."""

    thread_id: str
    emails: list[Email]
    left_out: NotRequired[list[str]]


class Changed(TypedDict):
    """The new labels and flags of a known message."""

    id: str
    labels: list[str]
    flags: list[str]


class SyncResult(TypedDict):
    """Changes since a cursor. With `reset` the caller must discard its state and start over."""

    cursor: str
    added: list[Summary]
    changed: list[Changed]
    removed: list[str]
    reset: bool
    reason: NotRequired[str]
    more: bool


class WaitResult(TypedDict):
    """`changed` is False on a timeout; `cursor_hint` is the cursor for the next `sync_emails`."""

    changed: bool
    cursor_hint: str


class Failure(TypedDict):
    """An id that a write failed for, and the reason."""

    id: str
    error: str


class Undo(TypedDict):
    """The call that reverses a write; any MCP client can make it."""

    tool: str
    arguments: dict[str, object]


class WriteResult(TypedDict):
    """Outcome of a write. `ok` is False if nothing succeeded; `undo` is absent if the write cannot be reversed."""

    ok: bool
    ids: list[str]
    failed: list[Failure]
    undo: NotRequired[Undo]


class Label(TypedDict):
    """A label or folder. `type` is `system` for the provider's own."""

    id: str
    name: str
    type: Literal["system", "user"]
    messageListVisibility: NotRequired[str]
    labelListVisibility: NotRequired[str]


class Quota(TypedDict):
    """Provider quota in its own units."""

    used: float
    limit: float
    window_s: float


class MailboxSize(TypedDict):
    """Numbers of messages and threads in a mailbox, as counted by its provider."""

    messages: int
    threads: int


class StatusResult(TypedDict):
    """Status of the server and its account."""

    account: str
    provider: str
    connected: bool
    scopes: list[str]
    read_only: bool
    quota: NotRequired[Quota]
    holds: NotRequired[MailboxSize]
    last_sync: str | None
    errors: list[str]


class ErrorBody(TypedDict):
    """An error, for programs to act on (see `gaia_email_registry.errors`)."""

    kind: str
    message: str
    argument: NotRequired[str]
    retry_after_s: NotRequired[float]
    hint: NotRequired[str]


class ErrorResult(TypedDict):
    """The structured content of every failed tool call."""

    error: ErrorBody


class SendResult(WriteResult):
    """A sent message; `ids` contains the id of the copy in SENT. Mail cannot be unsent, so there is no `undo`."""


class DraftResult(WriteResult):
    """A stored draft; `ids` contains the draft id, `message_id` is the id of its current message."""

    message_id: NotRequired[str]
    thread_id: NotRequired[str]


class DraftSummary(TypedDict):
    """A draft in a list: its own id, and its current message."""

    id: str
    email: Summary


class DraftsResult(TypedDict):
    """Drafts, newest first."""

    drafts: list[DraftSummary]


class LabelsResult(TypedDict):
    """Every label, system ones first."""

    labels: list[Label]


class LabelResult(WriteResult):
    """A label after a write, or before its deletion."""

    label: NotRequired[Label]


FilterCriteria = TypedDict(
    "FilterCriteria",
    {
        "from": str,
        "to": str,
        "subject": str,
        "query": str,
        "negatedQuery": str,
        "hasAttachment": bool,
        "excludeChats": bool,
        "size": int,
        "sizeComparison": str,
    },
    total=False,
)
"""Criteria of a filter; the keys of the Gmail API's `users.settings.filters` resource."""


class FilterAction(TypedDict, total=False):
    """Action of a filter; `forward` is an address."""

    addLabelIds: list[str]
    removeLabelIds: list[str]
    forward: str


class Filter(TypedDict):
    """A filter that the provider applies to new mail."""

    id: str
    criteria: FilterCriteria
    action: FilterAction


class FiltersResult(TypedDict):
    """Every filter."""

    filters: list[Filter]


class FilterFound(TypedDict):
    """One filter."""

    filter: Filter


class FilterResult(WriteResult):
    """A filter after a write, or before its deletion.

    A dry run changes nothing and returns `matches`, the number of messages that the filter would have matched, or a
    lower bound if `exact` is False.
    """

    filter: NotRequired[Filter]
    matches: NotRequired[int]
    exact: NotRequired[bool]


class SpamResult(WriteResult):
    """`phishing` is True if the provider also accepted the messages as a phishing report."""

    phishing: bool


class UnsubscribeResult(WriteResult):
    """The answer of the list's server `host`: an HTTP `status`, and the time."""

    host: str
    status: int
    at: str


class SendAs(TypedDict):
    """An address that mail can be sent as. `signature` is HTML; exactly one address is the `default`."""

    address: str
    name: str
    signature: str
    default: bool


class SendAsResult(TypedDict):
    """Every address that mail can be sent as, the default first."""

    addresses: list[SendAs]


class Vacation(TypedDict):
    """An automatic answer. `html_body` takes precedence over `body`; an empty `start` or `end` means none."""

    enabled: bool
    subject: str
    body: str
    html_body: str
    start: str
    end: str
    contacts_only: bool
    domain_only: bool


class VacationFound(TypedDict):
    """The current automatic answer."""

    vacation: Vacation


class VacationResult(WriteResult):
    """The automatic answer after a write; `ids` is empty."""

    vacation: Vacation


class AttachmentResult(TypedDict):
    """An attachment's content: `text` if it is text, else `data` in base64url.

    `truncated` is True if only the first bytes are included; `size` always counts all of them.
    """

    filename: str
    content_type: str
    size: int
    truncated: bool
    text: NotRequired[str]
    data: NotRequired[str]


class DownloadResult(WriteResult):
    """Path of a saved attachment. `ids` contains the message id."""

    path: str
    filename: str
    size: int


class Attendee(Address):
    """An invited person; `response` is accepted, declined, tentative or needsAction."""

    response: str
    optional: bool
    me: bool


class CalendarEvent(TypedDict):
    """An event, or one instance of a recurring one (`recurring_id` is then the id of the series).

    `start` and `end` are RFC 3339 times with an offset, or dates if `all_day`; the end is exclusive. `busy` is False
    for an event that blocks no time: marked as free, cancelled, or declined by the account's owner. `response` is the
    owner's own, empty if they are not invited.
    """

    id: str
    uid: str
    title: str
    start: str
    end: str
    all_day: bool
    time_zone: str
    status: str
    busy: bool
    location: str
    description: str
    organizer: Address
    attendees: list[Attendee]
    response: str
    recurring_id: NotRequired[str]
    link: NotRequired[str]


class Overlap(TypedDict):
    """Events that block the same time, and that time."""

    ids: list[str]
    start: str
    end: str


class EventsResult(TypedDict):
    """Events sorted by start. `time_zone` is the zone of their times.

    `conflicts` cover the whole list, so those on a page may involve events on other pages; `conflicts_note` explains
    which of them may be missing.
    """

    events: list[CalendarEvent]
    conflicts: list[Overlap]
    conflicts_note: NotRequired[str]
    time_zone: str
    next_cursor: str | None


class Span(TypedDict):
    """A time span; the end is exclusive."""

    start: str
    end: str


class BusyCalendar(TypedDict):
    """Busy times of one calendar; `error` is the reason if they are unknown."""

    calendar: str
    busy: list[Span]
    error: NotRequired[str]


class FreeBusyResult(TypedDict):
    """Busy times by calendar, and the times when every known calendar is free."""

    calendars: list[BusyCalendar]
    free: list[Span]
    time_zone: str


class EventResult(WriteResult):
    """An event after a write, or before its deletion, and its overlaps."""

    event: NotRequired[CalendarEvent]
    conflicts: NotRequired[list[Overlap]]


class WatchResult(WriteResult):
    """State of push notifications, with their expiry; they are renewed in time while a client waits."""

    watching: bool
    until: str | None
