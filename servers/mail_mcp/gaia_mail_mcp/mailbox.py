"""The `Mailbox` protocol: what a provider implements, and all that the tool surface knows of it.

Label vocabulary is Gmail's for every provider: a message is in the inbox when it carries `INBOX`, unread
when it carries `UNREAD`; an IMAP or Maildir provider translates folders and flags into labels and back.
A method raises only `gaia_email_registry.errors.MailError`s. Ids are opaque, stable strings.
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
"""Why a change did not reach a message that is not there (any more); any other reason is one of the provider's."""


class Capability(StrEnum):
    """What a provider can do beyond reading; a tool whose capability is missing is not listed."""

    MODIFY = "modify"
    """Change labels and flags, trash and untrash."""
    DELETE = "delete"
    """Remove messages for good."""
    LABELS = "labels"
    """Create, rename and delete labels."""
    DRAFTS = "drafts"
    SEND = "send"
    FILTERS = "filters"
    SNOOZE = "snooze"
    CALENDAR = "calendar"
    """See a calendar; a `CalendarStore` too."""
    CALENDAR_WRITE = "calendar_write"
    """Change it."""
    PUSH = "push"
    """Have the provider push news; `Watchable` too."""
    REPORT_SPAM = "report_spam"
    REPORT_PHISHING = "report_phishing"
    """Tell the provider of phishing, beside moving it to Spam."""
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
    """Header fields of a message as its sender wrote them, encoded words decoded; empty where they are missing."""

    sender: str
    date: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMessage:
    """A message as the provider holds it. `raw` is None when only the summary was asked for.

    `snoozed_until` is when a snoozed message comes back to the inbox, RFC 3339. `left_out` is how many bytes at the
    end of a huge message are not in `raw`. `written` is None where the provider keeps no more than the summary.
    """

    summary: Summary
    raw: bytes | None
    snoozed_until: str | None = None
    left_out: int = 0
    written: OriginalHeaders | None = None

    def within(self, most: int | None) -> StoredMessage:
        """The same with at most so many of its bytes; None for all of them."""
        raw = self.raw
        if most is None or raw is None or len(raw) <= most:
            return self
        return replace(self, raw=raw[:most], left_out=self.left_out + len(raw) - most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What happened after a cursor; the structure of the `sync_emails` tool."""

    cursor: str
    added: tuple[Summary, ...]
    changed: tuple[Changed, ...]
    removed: tuple[str, ...]
    reset: bool
    reason: str
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOutcome:
    """Which ids a write reached, and which it did not."""

    ids: tuple[str, ...]
    failed: tuple[Failure, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A draft: its own id, and the message it currently consists of."""

    id: str
    message_id: str
    thread_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MailboxStatus:
    """How the account is doing."""

    connected: bool
    scopes: tuple[str, ...] = ()
    quota: Quota | None = None
    holds: MailboxSize | None = None
    last_sync: str | None = None
    errors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsubscribed:
    """What the server of a list answered: its host, the HTTP status, and when (RFC 3339)."""

    host: str
    status: int
    at: str


class Mailbox(Protocol):
    """One account's mail. Reading is always there; the rest as `capabilities` says."""

    @property
    def account(self) -> str:
        """Whose mailbox this is: an address, or a name for local files."""
        ...

    @property
    def provider(self) -> str:
        """`gmail`, `graph`, `imap`, `local` or `memory`."""
        ...

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What this mailbox can do; fixed for its lifetime."""
        ...

    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> IdPage:
        """Ids matching `query`, newest first. The empty query matches all but Spam and Trash, as in Gmail."""
        ...

    async def read(self, ids: Sequence[str], *, raw: bool, most: int | None = None) -> list[StoredMessage]:
        """Those of `ids` that exist, in that order; with their bytes when `raw`, of each at most the `most` first."""
        ...

    async def thread(self, thread_id: str) -> list[str]:
        """Ids of a conversation, oldest first; `NotFound` when there is none."""
        ...

    async def attachment(self, message_id: str, attachment_id: str) -> tuple[str, str, bytes]:
        """Filename, content type and bytes; `NotFound` when either id is unknown."""
        ...

    async def labels(self) -> list[Label]:
        """Every label, system ones first."""
        ...

    async def create_label(self, name: str, visibility: dict[str, str]) -> Label:
        """A new label; `BadArgument` when the name exists (whatever its case) or is reserved."""
        ...

    async def update_label(self, label_id: str, name: str | None, visibility: dict[str, str]) -> Label:
        """Rename or show/hide; messages keep it. `NotFound`, or `BadArgument` for a system label."""
        ...

    async def delete_label(self, label_id: str) -> Label:
        """Remove the label from every message; answers what it was. `BadArgument` for a system label."""
        ...

    async def modify(self, ids: Sequence[str], *, add: Sequence[str], remove: Sequence[str]) -> WriteOutcome:
        """Add and remove label ids; idempotent; a label in both is added.

        Unknown labels are a `BadArgument` and change nothing; unknown ids are `failed`, the others are done.
        """
        ...

    async def trash(self, ids: Sequence[str]) -> WriteOutcome:
        """Move to Trash, remembering where they were."""
        ...

    async def untrash(self, ids: Sequence[str]) -> WriteOutcome:
        """Take out of Trash, back to where they were."""
        ...

    async def delete(self, ids: Sequence[str]) -> WriteOutcome:
        """Remove for good."""
        ...

    async def snooze(self, ids: Sequence[str], until: str) -> WriteOutcome:
        """Out of the inbox until `until` (RFC 3339), then back in it and unread.

        A later `modify` that adds or removes `INBOX` ends the snooze; in Trash or Spam it does not come back.
        """
        ...

    async def create_draft(self, raw: bytes, thread_id: str | None) -> Draft:
        """Store a draft from RFC 5322 bytes, in the given thread or the one its headers say."""
        ...

    async def update_draft(self, draft_id: str, raw: bytes) -> Draft:
        """Replace a draft's content; the draft id stays, no ghost copy remains."""
        ...

    async def drafts(self, *, limit: int) -> list[Draft]:
        """Drafts, newest first."""
        ...

    async def delete_draft(self, draft_id: str) -> bytes:
        """Remove a draft for good; answers what it was, so that it can be made again."""
        ...

    async def send_draft(self, draft_id: str, raw: bytes | None = None) -> str:
        """Send it; the id of the sent message.

        `raw` is the draft as it was shown: exactly these bytes are sent, or `NeedsApproval` and nothing is.
        """
        ...

    async def send(self, raw: bytes, thread_id: str | None) -> str:
        """Send RFC 5322 bytes (Bcc is removed from what recipients get); the id of the copy in SENT."""
        ...

    async def changes(self, cursor: str | None, *, limit: int) -> Changes:
        """What happened since `cursor`; without one, a first page of everything.

        Replayed in order it leads to the mailbox's exact state; `removed` may name ids never told as added.
        A cursor that is too old, damaged or another mailbox's starts over, with `reset` and a `reason`.
        """
        ...

    async def cursor(self) -> str:
        """The cursor of now, for who wants to hear only of what comes; no message is summarised for it."""
        ...

    async def wait(self, cursor: str, *, timeout_s: float) -> bool:
        """True as soon as something happened after `cursor`, False when the time ran out. Loses no wake-up.

        True at once for a cursor that `changes` would answer with a reset.
        """
        ...

    async def status(self) -> MailboxStatus:
        """Connection, quota, last sync and last errors."""
        ...

    async def aclose(self) -> None:
        """Release files, sockets and watchers; harmless when called twice."""
        ...


@runtime_checkable
class Connecting(Protocol):
    """What a mailbox has besides that learns only from its provider whose it is."""

    async def connect(self) -> object:
        """Do so, once; what `account` says is right from then on.

        Raises:
            MailError: It cannot be reached, or there is no login.
        """
        ...


@runtime_checkable
class FilterStore(Protocol):
    """What a mailbox with `Capability.FILTERS` has besides."""

    async def filters(self) -> list[Filter]:
        """Every filter."""
        ...

    async def create_filter(self, criteria: FilterCriteria, action: FilterAction) -> Filter:
        """A new filter; `BadArgument` when the provider refuses it."""
        ...

    async def delete_filter(self, filter_id: str) -> Filter:
        """Remove a filter; answers what it was. `NotFound` when there is none."""
        ...


@runtime_checkable
class Unsubscriber(Protocol):
    """What a mailbox with `Capability.UNSUBSCRIBE` has besides."""

    async def unsubscribe(self, message_id: str) -> Unsubscribed:
        """One-click unsubscribe (RFC 8058) from the list of that message; `BadArgument` when it has none."""
        ...


@runtime_checkable
class PhishingReporter(Protocol):
    """What a mailbox with `Capability.REPORT_PHISHING` has besides."""

    async def report_phishing(self, ids: Sequence[str]) -> None:
        """Tell the provider that these are phishing; their labels stay."""
        ...


@runtime_checkable
class OwnAddressMailbox(Protocol):
    """A mailbox whose name is no address, and which can tell from its mail whose it is."""

    async def own_address(self) -> str:
        """The address that most of its sent mail is from, else that most of its mail went to; empty if unknown."""
        ...


@runtime_checkable
class SendAsMailbox(Protocol):
    """What a mailbox with `Capability.SEND_AS` has besides."""

    async def send_as(self) -> list[SendAs]:
        """Every address that mail can be sent as, the default first."""
        ...


@runtime_checkable
class VacationStore(Protocol):
    """What a mailbox with `Capability.VACATION` has besides."""

    async def vacation(self) -> Vacation:
        """The automatic answer."""
        ...

    async def set_vacation(self, vacation: Vacation) -> Vacation:
        """Replace it; `BadArgument` when the provider refuses it."""
        ...


ReadFormat = Literal["summary", "full", "raw"]
"""What `read_emails` returns of each message."""
