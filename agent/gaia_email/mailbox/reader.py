"""What reads a mailbox, whoever answers: the account over MCP, or its copy in the ledger.

Entry points: `MailReader`; `FollowedMailbox` for what the account can besides, `RowReader`, `RefreshableMailbox` and
`IdFinder` for what the copy can.
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

    Every method raises a `MailError` where the mailbox cannot be asked.
    """

    async def list_emails(
        self, *, query: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> ListEmailsResult:
        """A page of summaries, newest first."""
        ...

    async def read_emails(self, ids: Sequence[str]) -> ReadEmailsResult:
        """Messages with their raw bytes, and the ids that are gone."""
        ...

    async def labels(self) -> list[Label]:
        """Every label."""
        ...

    async def status(self) -> StatusResult:
        """Whose mailbox it is."""
        ...


class FollowedMailbox(MailReader, Protocol):
    """A mailbox that says what has changed in it, as accounts do."""

    async def sync_emails(self, cursor: str | None = None, *, limit: int = 500) -> SyncResult:
        """What happened since a cursor; without one, a first page of everything."""
        ...

    async def wait_for_changes(self, cursor: str, *, timeout_s: float) -> WaitResult:
        """Until something happened after the cursor, or the time is over."""
        ...


@runtime_checkable
class RefreshableMailbox(Protocol):
    """A mailbox that is brought up to date before it is read, as the copy is."""

    async def refresh(self, progress: Callable[[int], None] = lambda done: None) -> None:
        """List what is new; `progress` is told at once where all of it is, and how many messages were listed so far."""
        ...


@runtime_checkable
class Remarking(Protocol):
    """A mailbox of which whoever waits for it should know something."""

    @property
    def remarks(self) -> Sequence[str]:
        """What its server cannot show of it, as far as that was seen, a sentence each."""
        ...

    @property
    def poll_s(self) -> float:
        """Seconds between two looks where its server tells nobody of news; 0 where it does."""
        ...


@runtime_checkable
class CalendarReader(Protocol):
    """A mailbox that may have a calendar."""

    async def calendar_events(self, start: str, end: str, zone: str, *, limit: int) -> EventsResult | None:
        """Events of a span in order, recurring ones one by one; None where its server has no calendar.

        `start` and `end` are RFC 3339 times, `zone` an IANA name, empty for the calendar's own.
        """
        ...


@runtime_checkable
class IdFinder(Protocol):
    """A mailbox that finds ids by their beginning without being listed whole."""

    async def ids_beginning(self, beginning: str, *, limit: int) -> list[str]:
        """At most so many, an exact one first."""
        ...


@runtime_checkable
class ThreadReader(Protocol):
    """A mailbox that finds the messages of a thread without being listed whole."""

    def thread(self, thread_id: str) -> list[Summary]:
        """The messages of a thread wherever they are, in no order."""
        ...


@runtime_checkable
class RowReader(IdFinder, Protocol):
    """A mailbox whose messages are rows, so that a question about some of them lists no others; as the copy is."""

    def contacts(self, owner: Sequence[str], senders: Collection[str] | None = None) -> ContactGraph:
        """Who writes to whom, of all mail outside Spam and Trash; `senders` for what concerns these alone.

        Without `owner` the user is the account, where that is an address, else the most frequent recipient.
        """
        ...

    def inbox(self, threads: Collection[str] | None = None) -> list[Summary]:
        """The messages of the inbox, newest first; of these threads, None for all."""
        ...

    def samples(self, most_bytes: int) -> list[str]:
        """Ids of what came to the inbox, newest first, without what is larger than so many bytes."""
        ...

    def summaries(self, ids: Sequence[str]) -> dict[str, Summary]:
        """Those of the messages that are here, by id."""
        ...

    def verdicts(self, ids: Sequence[str]) -> dict[str, InboxVerdict]:
        """What was made of these messages when they were judged last, by id."""
        ...

    def store_verdicts(self, verdicts: Sequence[InboxVerdict]) -> None:
        """Store these; a disk that is full keeps none, and nobody is told."""
        ...
