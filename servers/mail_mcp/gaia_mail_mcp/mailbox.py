"""The `Mailbox` protocol: the interface between providers and the tool surface.

All providers use Gmail's labels: a message is in the inbox if it has `INBOX`, and unread if it has `UNREAD`; an IMAP or
Maildir provider translates folders and flags to labels and back. Methods raise only `MailError`s of
`gaia_email_registry.errors`. Ids are opaque, stable strings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import (
        Changed,
        Failure,
        Filter,
        FilterAction,
        FilterCriteria,
        Label,
        MailboxSize,
        Quota,
        SendAs,
        Summary,
        Vacation,
    )
    from gaia_mail.query.grammar import Query

SYSTEM_LABELS = ("INBOX", "UNREAD", "STARRED", "IMPORTANT", "SENT", "DRAFT", "SPAM", "TRASH")
"""Label ids with a meaning of their own, as in the Gmail API."""


NO_MESSAGE = "there is no such message"
"""Error for a change to a message that does not exist (any more); all other errors come from the provider."""


class Capability(StrEnum):
    """Abilities of a provider beyond reading; tools whose capability is missing are not listed."""

    MODIFY = "modify"
    """Change labels and flags, trash and untrash."""
    DELETE = "delete"
    """Delete messages permanently."""
    LABELS = "labels"
    """Create, rename and delete labels."""
    DRAFTS = "drafts"
    SEND = "send"
    FILTERS = "filters"
    SNOOZE = "snooze"
    CALENDAR = "calendar"
    """Read a calendar; the mailbox is a `CalendarStore`."""
    CALENDAR_WRITE = "calendar_write"
    """Change the calendar."""
    PUSH = "push"
    """Push notifications; the mailbox is `Watchable`."""
    REPORT_SPAM = "report_spam"
    REPORT_PHISHING = "report_phishing"
    """Report phishing to the provider, in addition to moving it to Spam."""
    UNSUBSCRIBE = "unsubscribe"
    SEND_AS = "send_as"
    """Other addresses, display names, signatures."""
    VACATION = "vacation"


@dataclass(frozen=True, slots=True, kw_only=True)
class IdPage:
    """Ids of a search, newest first. `total` counts all hits, or is a lower bound if `exact` is False."""

    ids: tuple[str, ...]
    next_cursor: str | None
    total: int
    exact: bool = True


class OriginalHeaders(NamedTuple):
    """Headers of a message as its sender wrote them, with encoded words decoded; empty if missing."""

    sender: str
    date: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMessage:
    """A message as stored by the provider. `raw` is None if only the summary was requested.

    `snoozed_until` is the RFC 3339 time at which a snoozed message returns to the inbox. `left_out` is the number of
    bytes missing at the end of `raw` in a huge message. `written` is None if the provider keeps only the summary.
    """

    summary: Summary
    raw: bytes | None
    snoozed_until: str | None = None
    left_out: int = 0
    written: OriginalHeaders | None = None

    def within(self, most: int | None) -> StoredMessage:
        """Return a copy with at most this many bytes; None keeps all of them."""
        raw = self.raw
        if most is None or raw is None or len(raw) <= most:
            return self
        return replace(self, raw=raw[:most], left_out=self.left_out + len(raw) - most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Changes since a cursor, in the form of the `sync_emails` tool."""

    cursor: str
    added: tuple[Summary, ...]
    changed: tuple[Changed, ...]
    removed: tuple[str, ...]
    reset: bool
    reason: str
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOutcome:
    """The ids that a write changed, and its failures."""

    ids: tuple[str, ...]
    failed: tuple[Failure, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A draft: its own id, and the message with its current content."""

    id: str
    message_id: str
    thread_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxStatus:
    """State of the account's connection."""

    connected: bool
    scopes: tuple[str, ...] = ()
    quota: Quota | None = None
    holds: MailboxSize | None = None
    last_sync: str | None = None
    errors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsubscribed:
    """Response of a list's server: its host, the HTTP status, and the time (RFC 3339)."""

    host: str
    status: int
    at: str


class Mailbox(Protocol):
    """One account's mail. Reading always works; other methods depend on `capabilities`."""

    @property
    def account(self) -> str:
        """The mailbox's address, or a name for local files."""
        ...

    @property
    def provider(self) -> str:
        """`gmail`, `graph`, `imap`, `local` or `memory`."""
        ...

    @property
    def capabilities(self) -> frozenset[Capability]:
        """Capabilities of this mailbox, fixed for its lifetime."""
        ...

    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> IdPage:
        """Return ids that match, newest first. An empty query matches all mail except Spam and Trash, as in Gmail."""
        ...

    async def read(self, ids: Sequence[str], *, raw: bool, most: int | None = None) -> list[StoredMessage]:
        """Return the messages among `ids` that exist, in order; `raw` adds their bytes, at most `most` of each."""
        ...

    async def thread(self, thread_id: str) -> list[str]:
        """Return the ids of a conversation, oldest first; raises `NotFound` if there is none."""
        ...

    async def attachment(self, message_id: str, attachment_id: str) -> tuple[str, str, bytes]:
        """Return the filename, content type and bytes; raises `NotFound` if either id is unknown."""
        ...

    async def labels(self) -> list[Label]:
        """Return all labels, system labels first."""
        ...

    async def create_label(self, name: str, visibility: dict[str, str]) -> Label:
        """Create a label; raises `BadArgument` if the name exists (in any case) or is reserved."""
        ...

    async def update_label(self, label_id: str, name: str | None, visibility: dict[str, str]) -> Label:
        """Rename, show or hide a label, which messages keep. Raises `NotFound`, or `BadArgument` for a system label."""
        ...

    async def delete_label(self, label_id: str) -> Label:
        """Delete a label from all messages and return it as it was; raises `BadArgument` for a system label."""
        ...

    async def modify(self, ids: Sequence[str], *, add: Sequence[str], remove: Sequence[str]) -> WriteOutcome:
        """Add and remove label ids. Idempotent; a label in both lists is added.

        Unknown labels raise `BadArgument` and nothing is changed; unknown ids are in `failed`, all others are changed.
        """
        ...

    async def trash(self, ids: Sequence[str]) -> WriteOutcome:
        """Move to Trash, and remember where the messages were."""
        ...

    async def untrash(self, ids: Sequence[str]) -> WriteOutcome:
        """Take out of Trash, back to where the messages were."""
        ...

    async def delete(self, ids: Sequence[str]) -> WriteOutcome:
        """Delete permanently."""
        ...

    async def snooze(self, ids: Sequence[str], until: str) -> WriteOutcome:
        """Take messages out of the inbox until `until` (RFC 3339); then they return unread.

        A later `modify` that adds or removes `INBOX` ends the snooze. Messages in Trash or Spam do not return.
        """
        ...

    async def create_draft(self, raw: bytes, thread_id: str | None) -> Draft:
        """Store a draft from RFC 5322 bytes, in the given thread or the one its headers refer to."""
        ...

    async def update_draft(self, draft_id: str, raw: bytes) -> Draft:
        """Replace a draft's content; its id stays the same, and the old content is removed."""
        ...

    async def drafts(self, *, limit: int) -> list[Draft]:
        """Return the drafts, newest first."""
        ...

    async def delete_draft(self, draft_id: str) -> bytes:
        """Delete a draft permanently and return its bytes, so that it can be restored."""
        ...

    async def send_draft(self, draft_id: str, raw: bytes | None = None) -> str:
        """Send a draft and return the id of the sent message.

        `raw` is the draft as the user approved it: exactly these bytes are sent, or `NeedsApproval` is raised.
        """
        ...

    async def send(self, raw: bytes, thread_id: str | None) -> str:
        """Send RFC 5322 bytes, without Bcc for the recipients; return the id of the copy in SENT."""
        ...

    async def changes(self, cursor: str | None, *, limit: int) -> Changes:
        """Return the changes since `cursor`; without a cursor, a first page of all messages.

        Applied in order, the changes lead to the mailbox's exact state; `removed` may contain ids that were never in
        `added`. A cursor that is too old, damaged or from another mailbox starts over, with `reset` and a `reason`.
        """
        ...

    async def cursor(self) -> str:
        """Return the current cursor, for callers that need only later changes; reads no messages."""
        ...

    async def wait(self, cursor: str, *, timeout_s: float) -> bool:
        """Wait until something happens after `cursor`; return False on timeout. No change is missed.

        Returns True at once for a cursor that makes `changes` start over.
        """
        ...

    async def status(self) -> MailboxStatus:
        """Return the connection state, quota, last sync and last errors."""
        ...

    async def aclose(self) -> None:
        """Release files, sockets and watchers; harmless if called twice."""
        ...


@runtime_checkable
class Connecting(Protocol):
    """A mailbox that learns its own address on first connection."""

    async def connect(self) -> object:
        """Connect on first use; `account` is correct afterwards.

        Raises:
            MailError: The provider cannot be reached, or there is no login.
        """
        ...


@runtime_checkable
class FilterStore(Protocol):
    """A mailbox with `Capability.FILTERS`."""

    async def filters(self) -> list[Filter]:
        """Return all filters."""
        ...

    async def create_filter(self, criteria: FilterCriteria, action: FilterAction) -> Filter:
        """Create a filter; raises `BadArgument` if the provider refuses it."""
        ...

    async def delete_filter(self, filter_id: str) -> Filter:
        """Delete a filter and return it as it was; raises `NotFound` if there is none."""
        ...


@runtime_checkable
class Unsubscriber(Protocol):
    """A mailbox with `Capability.UNSUBSCRIBE`."""

    async def unsubscribe(self, message_id: str) -> Unsubscribed:
        """Unsubscribe with one click (RFC 8058) from the message's list; raises `BadArgument` if it offers none."""
        ...


@runtime_checkable
class PhishingReporter(Protocol):
    """A mailbox with `Capability.REPORT_PHISHING`."""

    async def report_phishing(self, ids: Sequence[str]) -> None:
        """Report messages to the provider as phishing; their labels stay."""
        ...


@runtime_checkable
class OwnAddressMailbox(Protocol):
    """A mailbox whose name is not an address, but whose mail reveals the owner's address."""

    async def own_address(self) -> str:
        """Return the address that most sent mail is from, else that most mail went to; empty if unknown."""
        ...


@runtime_checkable
class SendAsMailbox(Protocol):
    """A mailbox with `Capability.SEND_AS`."""

    async def send_as(self) -> list[SendAs]:
        """Return all addresses that can be sent from, the default first."""
        ...


@runtime_checkable
class VacationStore(Protocol):
    """A mailbox with `Capability.VACATION`."""

    async def vacation(self) -> Vacation:
        """Return the automatic answer."""
        ...

    async def set_vacation(self, vacation: Vacation) -> Vacation:
        """Replace the automatic answer; raises `BadArgument` if the provider refuses it."""
        ...


ReadFormat = Literal["summary", "full", "raw"]
"""Detail of the messages that `read_emails` returns."""
