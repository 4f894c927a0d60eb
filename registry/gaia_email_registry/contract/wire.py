"""The JSON that mail tools answer with, as types. Servers build these, the agent reads them.

They are `TypedDict`s, not classes: a page of a thousand summaries crosses the seam without being
converted, and `from` can keep its name. `tools.py` beside this file says which tool returns which.
All times are RFC 3339 strings with an offset; all sizes are bytes; ids are opaque strings.
"""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict  # pydantic needs this one below Python 3.12


class Address(TypedDict):
    """A mailbox as RFC 5322 writes it; `name` is empty when there is no display name."""

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
"""One message in a list. `message_id` keeps its angle brackets, `date` is empty when unknown, `labels`
are label ids (Gmail's system names where they apply: INBOX, UNREAD, STARRED, SENT, DRAFT, TRASH, SPAM),
`flags` are IMAP system flags (`\\Seen`, `\\Flagged`, `\\Answered`, `\\Draft`)."""


class AttachmentInfo(TypedDict):
    """An attachment without its bytes; `id` is what `download_attachment` and `get_attachment` take."""

    id: str
    filename: str
    content_type: str
    size: int


class Email(Summary):
    """A message as `read_emails` answers it: the summary, and what `format` asked for.

    `headers`, `text`, `html`, `attachments` and `defects` come with `full`, and `cut` where text or HTML is too long
    and only its beginning is given; `raw` (base64url of the original RFC 5322 bytes, without padding stripped) with
    `raw`, and `defects`, too, when the end of a huge message is missing from it.
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
    """The messages that exist, in the order asked for, and the ids that do not; `left_out` had no room: ask again."""

    emails: list[Email]
    missing: list[str]
    left_out: NotRequired[list[str]]


class ThreadResult(TypedDict):
    """A conversation, oldest first; of one that is too long the newest, and the ids of those `left_out`."""

    thread_id: str
    emails: list[Email]
    left_out: NotRequired[list[str]]


class Changed(TypedDict):
    """The new labels and flags of a message that was known before."""

    id: str
    labels: list[str]
    flags: list[str]


class SyncResult(TypedDict):
    """What happened since a cursor. With `reset` the caller must forget what it knew and start over."""

    cursor: str
    added: list[Summary]
    changed: list[Changed]
    removed: list[str]
    reset: bool
    reason: NotRequired[str]
    more: bool


class WaitResult(TypedDict):
    """`changed` is False when the time ran out; the cursor to give `sync_emails` next is `cursor_hint`."""

    changed: bool
    cursor_hint: str


class Failure(TypedDict):
    """One id that a write could not be applied to, and why."""

    id: str
    error: str


class Undo(TypedDict):
    """The call that takes a write back: any MCP client can make it."""

    tool: str
    arguments: dict[str, object]


class WriteResult(TypedDict):
    """What a write did. `ok` is False when nothing succeeded; no `undo` where nothing can reverse it."""

    ok: bool
    ids: list[str]
    failed: list[Failure]
    undo: NotRequired[Undo]


class Label(TypedDict):
    """A label or folder. `type` is `system` for those the provider owns."""

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
    """How much there is in a mailbox, as its provider counts it."""

    messages: int
    threads: int


class StatusResult(TypedDict):
    """How the server and its account are doing."""

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
    """What went wrong, for a program to act on (see `gaia_email_registry.errors`)."""

    kind: str
    message: str
    argument: NotRequired[str]
    retry_after_s: NotRequired[float]
    hint: NotRequired[str]


class ErrorResult(TypedDict):
    """The structured content of every failed tool call."""

    error: ErrorBody


class SendResult(WriteResult):
    """A sent message; `ids` holds the id of the copy in SENT. A mail cannot be unsent, so no `undo`."""


class DraftResult(WriteResult):
    """A stored draft; `ids` holds the draft id, `message_id` the id of the message it consists of now."""

    message_id: NotRequired[str]
    thread_id: NotRequired[str]


class DraftSummary(TypedDict):
    """A draft in a list: its own id, and the message it currently consists of."""

    id: str
    email: Summary


class DraftsResult(TypedDict):
    """Drafts, newest first."""

    drafts: list[DraftSummary]


class LabelsResult(TypedDict):
    """Every label, system ones first."""

    labels: list[Label]


class LabelResult(WriteResult):
    """A label as it is after a write, or as it was before it was deleted."""

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
"""What a filter matches; the keys of the Gmail API's `users.settings.filters` resource."""


class FilterAction(TypedDict, total=False):
    """What a filter does; `forward` is an address."""

    addLabelIds: list[str]
    removeLabelIds: list[str]
    forward: str


class Filter(TypedDict):
    """A filter the provider applies to new mail."""

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
    """A filter as it is after a write, or as it was before it was deleted.

    A dry run changes nothing and answers `matches`, the number of messages that the filter would have matched,
    or a lower bound of it where `exact` is False.
    """

    filter: NotRequired[Filter]
    matches: NotRequired[int]
    exact: NotRequired[bool]


class SpamResult(WriteResult):
    """`phishing` says whether the provider took the messages as a phishing report as well."""

    phishing: bool


class UnsubscribeResult(WriteResult):
    """What the list's server, at `host`, answered: an HTTP `status`, at a time."""

    host: str
    status: int
    at: str


class SendAs(TypedDict):
    """An address that mail can be sent as. `signature` is HTML; of several one is the `default`."""

    address: str
    name: str
    signature: str
    default: bool


class SendAsResult(TypedDict):
    """Every address that mail can be sent as, the default first."""

    addresses: list[SendAs]


class Vacation(TypedDict):
    """An automatic answer. `html_body` wins over `body`; an empty `start` or `end` is none."""

    enabled: bool
    subject: str
    body: str
    html_body: str
    start: str
    end: str
    contacts_only: bool
    domain_only: bool


class VacationFound(TypedDict):
    """The automatic answer as it is."""

    vacation: Vacation


class VacationResult(WriteResult):
    """The automatic answer as it is after a write; `ids` is empty."""

    vacation: Vacation


class AttachmentResult(TypedDict):
    """An attachment's content: `text` where it is text, else `data` in base64url.

    `truncated` says that only the first bytes are here; `size` always counts all of them.
    """

    filename: str
    content_type: str
    size: int
    truncated: bool
    text: NotRequired[str]
    data: NotRequired[str]


class DownloadResult(WriteResult):
    """Where an attachment was saved. `ids` holds the message id."""

    path: str
    filename: str
    size: int


class Attendee(Address):
    """Somebody invited; `response` is accepted, declined, tentative or needsAction."""

    response: str
    optional: bool
    me: bool


class CalendarEvent(TypedDict):
    """An event, or one instance of a recurring one (`recurring_id` is then the id of the whole series).

    `start` and `end` are RFC 3339 times with an offset, or dates where `all_day`; the end is exclusive. `busy` is
    False for what blocks no time: marked as free, cancelled, or declined by the account's owner. `response` is
    the owner's own, empty where they are not invited.
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
    """Events by their start. `time_zone` is what their times are shown in.

    `conflicts` are between these and all that the whole list has, so of a page also with events of other pages;
    `conflicts_note` says which of them may be missing.
    """

    events: list[CalendarEvent]
    conflicts: list[Overlap]
    conflicts_note: NotRequired[str]
    time_zone: str
    next_cursor: str | None


class Span(TypedDict):
    """A time, end exclusive."""

    start: str
    end: str


class BusyCalendar(TypedDict):
    """When one calendar is busy; `error` says why it is not known."""

    calendar: str
    busy: list[Span]
    error: NotRequired[str]


class FreeBusyResult(TypedDict):
    """Busy times by calendar, and when none of those that are known is busy."""

    calendars: list[BusyCalendar]
    free: list[Span]
    time_zone: str


class EventResult(WriteResult):
    """An event as it is after a write, or was before it was deleted; what it overlaps."""

    event: NotRequired[CalendarEvent]
    conflicts: NotRequired[list[Overlap]]


class WatchResult(WriteResult):
    """Whether news is pushed, and until when; it is renewed in time while somebody waits."""

    watching: bool
    until: str | None
