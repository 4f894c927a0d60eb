"""Rows of the inbox: `InboxThreadRow` is a thread as ranked in listings, `InboxVerdict` the verdict on a message.

They are separate from the ledger that stores them (`gaia_email.ledger.inbox_rows`), because listing mail files needs
no ledger, and importing its library takes a fifth of a second.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple


class InboxThreadRow(NamedTuple):
    """A row of `inbox_threads`, with the columns that a listing needs for every thread."""

    number: int
    account_id: str
    thread_id: str
    bucket: int | None
    section: str
    score: float
    date: float | None
    message_id: str
    header_message_id: str
    category: str
    mode: str
    action: str
    unsure: int
    unread: int
    taken_back: int
    listed: int
    judged: int
    oldest: float
    newest: float
    threads: int = 1
    """Number of threads counted. If more than one, only the counts and the newest `date` are meaningful."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxState:
    """State that an account's inbox rows are based on, with the owner's addresses; each write increments `version`."""

    version: int
    owner: Collection[str]
    value: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxVerdict:
    """The verdict on a message, as stored in its row.

    Attributes:
        version: Version of the program that judged the message.
        basis: Digest of everything the verdict depends on except time.
        age: Age of the message in seconds when it was judged.
        after: Age above which (exclusive) the verdict is valid.
        until: Age below which (exclusive) the verdict is valid.
        look: Features of the message that lessons compare, packed; None if unknown.
        value: The verdict (`gaia_email.triage.verdict_rows`).
    """

    message_id: str
    version: str
    basis: str
    age: float
    after: float
    until: float
    look: bytes | None = None
    value: bytes

    def holds(self, basis: str, age: float) -> bool:
        """Return True if the same program would give the same verdict now."""
        return self.basis == basis and (age == self.age or self.after < age < self.until)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewInboxThread:
    """A thread to be stored. `row.number` is ignored; for the other fields, see `INBOX_THREADS`."""

    row: InboxThreadRow
    is_taught: bool
    holds_after: float
    holds_until: float
    document: str = ""


def by_rank(row: InboxThreadRow) -> tuple[int, float, float, str]:
    """Return the sort key of a thread: bucket, then highest score, then newest."""
    return (row.bucket or 0, -row.score, float("inf") if row.date is None else -row.date, row.message_id)
