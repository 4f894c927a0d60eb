"""An inbox as a listing shows it: a few figures of every thread, and the words of those that are shown.

The figures are rows of the ledger, or made of an inbox that was just sorted; so a card and a document are made of both
in one way. Entry points: `InboxListing`, `thread_row`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any, cast

from gaia_email.app.documents.mail import SCHEMA_VERSION, planned_row
from gaia_email.app.documents.mail_types import (
    SECTIONS,
    BucketCounts,
    InboxDocument,
    PlannedThreadRow,
    SectionName,
    ThreadRow,
)
from gaia_email.cascade.verdict import BUCKETS
from gaia_email.document import clean
from gaia_email.mailbox.contact_graph import parse_date
from gaia_email.policy.inbox_row import InboxThreadRow, by_rank
from gaia_email.policy.user_rules import TAKEN_BACK

if TYPE_CHECKING:
    from gaia_email.document import NamedAddress
    from gaia_email.triage.inbox import Inbox
    from gaia_email.triage.inbox_item import InboxItem
    from gaia_email_registry.contract.wire import Address

_ACCOUNT, _UNSURE, _TAKEN_BACK, _LISTED, _JUDGED, _THREADS = (
    itemgetter(InboxThreadRow._fields.index(name))
    for name in ("account_id", "unsure", "taken_back", "listed", "judged", "threads")
)

MANY = 1_000
"""Rows from which another library reads them."""

RowName = tuple[str, int]
"""A row's account and number."""

Texts = Callable[[Iterable[int]], Mapping[int, str]]
"""What is shown of threads, JSON, by the numbers of their rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxPart:
    """The inbox of one account.

    Attributes:
        rows: Its threads, in no order, also those in which only the owner wrote; old ones may be counted in one row.
        problems: Files that cannot be read, a sentence each; each counts as a message.
        older: Messages that stand as another version of the program sorted them.
        documents: The `PlannedThreadRow` of a row.
    """

    account: str
    rows: Sequence[InboxThreadRow]
    problems: tuple[str, ...]
    older: int
    documents: Texts

    @staticmethod
    def of(inbox: Inbox) -> InboxPart:
        """An inbox that was just sorted."""
        items = {item.summary["thread_id"]: item for item in every_item(inbox)}
        judged = Counter(one.summary["thread_id"] for one in inbox.judged)
        rows = [
            thread_row(inbox, thread, items.get(thread), judged[thread], -at)
            for at, thread in enumerate(inbox.listed, 1)
        ]
        shown = {row.number: items[row.thread_id] for row in rows if row.bucket is not None}
        return InboxPart(
            account=inbox.account,
            rows=rows,
            problems=inbox.problems,
            older=inbox.older,
            documents=lambda numbers: {one: document_text(shown[one]) for one in numbers},
        )

    def beside(self, other: InboxPart) -> InboxPart:
        """Both, of one account; `other` has other threads."""
        theirs = {row.number for row in other.rows}

        def documents(numbers: Iterable[int]) -> Mapping[int, str]:
            wanted = list(numbers)
            return {
                **self.documents([number for number in wanted if number not in theirs]),
                **other.documents([number for number in wanted if number in theirs]),
            }

        return replace(
            self,
            rows=(*self.rows, *other.rows),
            older=self.older + other.older,
            documents=documents,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxListing:
    """The inboxes of one or several accounts as one; `rows` are the threads that others wrote in, in no order.

    A message that came to two accounts (the same Message-ID, RFC 5322 section 3.6.4, sender and subject) is one row,
    the more pressing one, unless only the other looks like fraud; `also_in` names the other accounts. Counts of
    messages are of all accounts. A row's number tells it apart in its account only, where it was just sorted.
    """

    account: str
    rows: Sequence[InboxThreadRow]
    total: int
    unreadable: int
    problems: tuple[str, ...]
    older: int
    also_in: Mapping[RowName, tuple[str, ...]] = field(default_factory=dict[RowName, tuple[str, ...]])
    parts: Sequence[InboxPart]

    @staticmethod
    def of(parts: Sequence[InboxPart], problems: tuple[str, ...] = ()) -> InboxListing:
        """These accounts' inboxes together; `problems` are those of others, which count as no message."""
        every = [row for part in parts for row in part.rows]
        rows = [row for row in every if row.bucket is not None]
        also_in: dict[RowName, tuple[str, ...]] = {}
        if len(parts) > 1:
            rows, also_in = _each_once(sorted(rows, key=by_rank))
        broken = sum(len(part.problems) for part in parts)
        listed = sum(map(_LISTED, every))
        return InboxListing(
            account=", ".join(part.account for part in parts),
            rows=rows,
            total=broken + listed,
            unreadable=broken + listed - sum(map(_JUDGED, every)),
            problems=(*problems, *(problem for part in parts for problem in part.problems)),
            older=sum(part.older for part in parts),
            also_in=also_in,
            parts=parts,
        )

    @property
    def threads(self) -> int:
        """How many threads others wrote in."""
        return sum(map(_THREADS, self.rows))

    @property
    def unsure(self) -> int:
        """How many threads the person should look at themselves."""
        return sum(map(_UNSURE, self.rows))

    @property
    def taken_back(self) -> int:
        """How many messages are left alone since the user took back what was done with them."""
        return sum(map(_TAKEN_BACK, self.rows))

    @property
    def is_merged(self) -> bool:
        """Whether threads of several accounts are in it."""
        return len(set(map(_ACCOUNT, self.rows))) > 1

    @property
    def counts(self) -> dict[SectionName, BucketCounts]:
        """How many threads each section has, and how many of them are unread."""
        found: dict[SectionName, BucketCounts] = {name: {"threads": 0, "unread": 0} for name in SECTIONS}
        for row in self.rows:
            counts = found[_section(row)]
            counts["threads"] += row.threads
            counts["unread"] += row.unread
        return found

    def texts(self, rows: Sequence[InboxThreadRow]) -> list[str]:
        """Return the `PlannedThreadRow` of each of these threads, JSON."""
        numbers: dict[str, list[int]] = {}
        for row in rows:
            numbers.setdefault(row.account_id, []).append(row.number)
        found = {
            (part.account, number): text
            for part in self.parts
            for number, text in part.documents(numbers.get(part.account, ())).items()
        }
        return [found[_name(row)] for row in rows]

    def other_accounts(self, row: InboxThreadRow) -> tuple[str, ...]:
        """Return the other accounts that the newest message of a thread came to."""
        return self.also_in.get(_name(row), ())

    def documents(
        self,
        *,
        now: float,
        limit: int | None = None,
        with_plan: bool = False,
        only: SectionName | None = None,
        offset: int = 0,
    ) -> dict[SectionName, list[ThreadRow]]:
        """The threads of each section, or of `only` one; with `with_plan` each is a `PlannedThreadRow`.

        At most `limit` of a section are given, after the first `offset` of it.
        """
        by_section: dict[SectionName, list[InboxThreadRow]] = {name: [] for name in SECTIONS}
        for row in sorted(self.rows, key=by_rank):
            by_section[_section(row)].append(row)
        end = None if limit is None else offset + limit
        shown: dict[SectionName, list[InboxThreadRow]] = {
            name: rows[offset:end] if only in (None, name) else [] for name, rows in by_section.items()
        }
        read: Callable[[str], Any] = json.loads
        if sum(map(len, shown.values())) > MANY:
            from msgspec.json import decode  # takes longer to load than a few rows to read

            read = decode
        texts = iter(self.texts([row for rows in shown.values() for row in rows]))
        return {
            name: [
                _document(read(next(texts)), row, self.other_accounts(row), now, with_plan) for row in rows
            ]
            for name, rows in shown.items()
        }


def thread_row(
    inbox: Inbox, thread_id: str, item: InboxItem | None, judged: int, number: int
) -> InboxThreadRow:
    """The figures of a thread; without an item, of one in which only the owner wrote or nothing can be read."""
    from gaia_email.triage.inbox_item import same_message  # late: what is read from rows sorts nothing

    listed, oldest, newest = inbox.listed[thread_id]
    return InboxThreadRow(
        number=number,
        account_id=inbox.account,
        thread_id=thread_id,
        bucket=None if item is None else BUCKETS.index(item.bucket),
        section="" if item is None else "suspicious" if suspicious(item) else item.bucket,
        score=item.verdict.priority.score if item else 0.0,
        date=parse_date(item.summary["date"]) if item else None,
        message_id=item.summary["id"] if item else "",
        header_message_id=same_message(item.summary) if item else "",
        category=item.verdict.content_category if item else "",
        mode=item.decision.mode if item else "",
        action=item.decision.action if item else "",
        unsure=int(item is not None and item.unsure),
        unread=int(item is not None and "UNREAD" in item.summary["labels"]),
        taken_back=sum(TAKEN_BACK in one.decision.limits for one in item.members) if item else 0,
        listed=listed,
        judged=judged,
        oldest=oldest,
        newest=newest,
    )


def _section(row: InboxThreadRow) -> SectionName:
    """The section of a row; a row without one is in that of its bucket."""
    for name in SECTIONS:
        if name == row.section:
            return name
    return BUCKETS[row.bucket or 0]


def suspicious(item: InboxItem) -> bool:
    """Return True for a thread that looks like fraud and is therefore listed apart.

    A thread whose own people need the user stays in its bucket and carries the warning, so that nobody can hide their
    request by writing into the thread.
    """
    needed = item.bucket in ("urgent", "actionable")
    return any(name != "spam" for name in (item.verdict.flags.warnings if needed else item.warnings))


def sender_name(sender: Address | NamedAddress) -> str:
    """Return how a person would call a sender: the display name, else the address."""
    return " ".join(sender["name"].split()) or sender["address"] or "(no sender)"


def inbox_document(inbox: InboxListing, buckets: dict[SectionName, list[ThreadRow]]) -> InboxDocument:
    """The inbox as one document around the rows of `InboxListing.documents`; `shown` counts those rows."""
    return {
        "schema_version": SCHEMA_VERSION,
        "account": clean(inbox.account),
        "total": inbox.total,
        "unreadable": inbox.unreadable,
        "unsure": inbox.unsure,
        "threads": inbox.threads,
        "shown": sum(len(rows) for rows in buckets.values()),
        "counts": inbox.counts,
        "buckets": buckets,
    }


def every_item(inbox: Inbox) -> Iterator[InboxItem]:
    """The threads of all buckets."""
    for bucket in BUCKETS:
        yield from inbox.buckets[bucket]


def document_text(item: InboxItem) -> str:
    """What a document shows of a thread at any time, JSON: a `PlannedThreadRow`, whose age is made anew."""
    return json.dumps(planned_row(item), ensure_ascii=False, separators=(",", ":"))


def _document(
    found: PlannedThreadRow, row: InboxThreadRow, also_in: tuple[str, ...], now: float, with_plan: bool
) -> ThreadRow:
    found["age_s"] = None if row.date is None else int(now - row.date)
    if also_in:
        found["also_in"] = list(also_in)
    if with_plan:
        return found
    shown = cast(dict[str, object], found)
    del shown["plan"], shown["other_plans"]
    return cast(ThreadRow, shown)


def _name(row: InboxThreadRow) -> RowName:
    return row.account_id, row.number


def _each_once(rows: Sequence[InboxThreadRow]) -> tuple[list[InboxThreadRow], dict[RowName, tuple[str, ...]]]:
    first: dict[str, InboxThreadRow] = {}
    found: list[InboxThreadRow] = []
    also_in: dict[RowName, tuple[str, ...]] = {}
    for row in rows:
        header = row.header_message_id
        known = first.get(header) if header else None
        is_warned = row.section == "suspicious" and known is not None and known.section != row.section
        if known is None or known.account_id == row.account_id or is_warned:
            first.setdefault(header, row)
            found.append(row)
            continue
        others = also_in.get(_name(known), ())
        if row.account_id not in others:
            also_in[_name(known)] = (*others, row.account_id)
    return found, also_in
