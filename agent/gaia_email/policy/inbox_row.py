"""The rows of the inbox: `InboxThreadRow` is a thread as a listing ranks it, `InboxVerdict` the verdict on a message.

Apart from the ledger that keeps the rows (`gaia_email.ledger.inbox_rows`): mail files that are only named are listed
without it, and its library takes a fifth of a second to import.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple


class InboxThreadRow(NamedTuple):
    """A row of `inbox_threads`; of what a listing needs of every thread."""

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
    """How many threads it counts; of several of a kind only the counts mean anything, and the newest `date`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxState:
    """What the rows of an account's inbox rest on, and the owner's addresses; `version` grows by one a write."""

    version: int
    owner: Collection[str]
    value: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxVerdict:
    """The verdict on a message as it stands in its row.

    Attributes:
        version: The version of the program that gave it.
        basis: A digest of all else that it depends on but time.
        age: The age of the message when it was judged, in seconds.
        after: The age from which, excluded, it holds.
        until: The age up to which, excluded, it holds.
        look: What the message looks like to lessons, packed; None where it is not given.
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
        """Whether judging now would give the same, were the program the same."""
        return self.basis == basis and (age == self.age or self.after < age < self.until)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewInboxThread:
    """A thread as it was looked at. `row.number` counts for nothing; for others see `INBOX_THREADS`."""

    row: InboxThreadRow
    is_taught: bool
    holds_after: float
    holds_until: float
    document: str = ""


def by_rank(row: InboxThreadRow) -> tuple[int, float, float, str]:
    """What threads are sorted by: bucket by bucket, the most pressing first, of equals the newest."""
    return (row.bucket or 0, -row.score, float("inf") if row.date is None else -row.date, row.message_id)
