"""A thread of the inbox as a listing ranks it: what was decided about it, in one row. Entry: `InboxThreadRow`.

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
class NewInboxThread:
    """A thread as it was looked at. `row.number` counts for nothing; for others see `INBOX_THREADS`."""

    row: InboxThreadRow
    is_taught: bool
    holds_after: float
    holds_until: float
    card: str = ""
    document: str = ""


def by_rank(row: InboxThreadRow) -> tuple[int, float, float, str]:
    """What threads are sorted by: bucket by bucket, the most pressing first, of equals the newest."""
    return (row.bucket or 0, -row.score, float("inf") if row.date is None else -row.date, row.message_id)
