"""Interfaces for reading a mailbox: the account over MCP, or its copy in the ledger.

Entry points: `MailReader`; `FollowedMailbox` adds what only the account can do, `RowReader`, `RefreshableMailbox` and
`IdFinder` what only the copy can.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from gaia_email_registry.contract.wire import (
    EventsResult,
    Label,
    ListEmailsResult,
    ReadEmailsResult,
    StatusResult,
    Summary,
    SyncResult,
    WaitResult,
)

if TYPE_CHECKING:
    from gaia_email.mailbox.contact_graph import ContactGraph
    from gaia_email.policy.inbox_row import InboxVerdict

ANYWHERE = "in:anywhere"
"""The query that lists Spam and Trash, too."""


class MailReader(Protocol):
    """A mailbox as the agent reads it: `gaia_email.mailbox.client.MailClient`, `mail_copy.MailCopy`.

    Every method raises a `MailError` if the mailbox cannot be read.
    """

    async def list_emails(
        self, *, query: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> ListEmailsResult:
        """Return a page of summaries, newest first."""
        ...

    async def read_emails(self, ids: Sequence[str]) -> ReadEmailsResult:
        """Return messages with their raw bytes, and the ids that are gone."""
        ...

    async def labels(self) -> list[Label]:
        """Return every label."""
        ...

    async def status(self) -> StatusResult:
        """Return the mailbox's account and state."""
        ...


class FollowedMailbox(MailReader, Protocol):
    """A mailbox that reports its changes, as accounts do."""

    async def sync_emails(self, cursor: str | None = None, *, limit: int = 500) -> SyncResult:
        """Return the changes since a cursor; without one, a first page of everything."""
        ...

    async def wait_for_changes(self, cursor: str, *, timeout_s: float) -> WaitResult:
        """Wait until something happens after the cursor, or the time is over."""
        ...


@runtime_checkable
class RefreshableMailbox(Protocol):
    """A mailbox that is updated before it is read, as the copy is."""

    async def refresh(self, progress: Callable[[int], None] = lambda done: None) -> None:
        """List what is new; `progress` gets the number listed so far, beginning with 0 if all mail is new."""
        ...


@runtime_checkable
class Remarking(Protocol):
    """A mailbox with limitations that its users should know."""

    @property
    def remarks(self) -> Sequence[str]:
        """Limitations of its server, as far as noticed, a sentence each."""
        ...

    @property
    def poll_s(self) -> float:
        """Seconds between polls if its server does not notify of changes; 0 if it does."""
        ...


@runtime_checkable
class CalendarReader(Protocol):
    """A mailbox that may have a calendar."""

    async def calendar_events(self, start: str, end: str, zone: str, *, limit: int) -> EventsResult | None:
        """Return the events of a time span in order, recurring ones expanded; None if the server has no calendar.

        `start` and `end` are RFC 3339 times, `zone` is an IANA name, empty for the calendar's own.
        """
        ...


@runtime_checkable
class IdFinder(Protocol):
    """A mailbox that finds ids by prefix without a full listing."""

    async def ids_beginning(self, beginning: str, *, limit: int) -> list[str]:
        """Return up to `limit` ids that begin with this text, an exact match first."""
        ...


@runtime_checkable
class ThreadReader(Protocol):
    """A mailbox that finds the messages of a thread without a full listing."""

    def thread(self, thread_id: str) -> list[Summary]:
        """Return all messages of a thread in any folder, unordered."""
        ...


@runtime_checkable
class RowReader(IdFinder, Protocol):
    """A mailbox whose messages are rows, so that a question about some lists no others; the copy is one."""

    def contacts(self, owner: Sequence[str], senders: Collection[str] | None = None) -> ContactGraph:
        """Return who writes to whom in all mail outside Spam and Trash; only for these `senders`, if given.

        Without `owner` the user is the account, if that is an address, or else the most frequent recipient.
        """
        ...

    def inbox(self, threads: Collection[str] | None = None) -> list[Summary]:
        """Return the messages of the inbox, newest first; only of these threads, or all for None."""
        ...

    def samples(self, most_bytes: int) -> list[str]:
        """Return ids of received messages, newest first, without those larger than `most_bytes`."""
        ...

    def summaries(self, ids: Sequence[str]) -> dict[str, Summary]:
        """Return the summaries of those messages that are here, by id."""
        ...

    def verdicts(self, ids: Sequence[str]) -> dict[str, InboxVerdict]:
        """Return the last stored verdicts of these messages, by id."""
        ...

    def store_verdicts(self, verdicts: Sequence[InboxVerdict]) -> None:
        """Store verdicts; silently stores nothing if the disk is full."""
        ...
