"""An inbox listing: a few figures for every thread, and the text of those shown.

The figures come from rows of the ledger or from an inbox that was just sorted, so cards and documents are
built from both in the same way. Entry points: `InboxListing`, `thread_row`.
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
from gaia_email.document import clean
from gaia_email.mailbox.contact_graph import parse_date
from gaia_email.policy.inbox_row import InboxThreadRow, by_rank
from gaia_email.policy.user_rules import TAKEN_BACK
from gaia_understanding.cascade.verdict import BUCKETS

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
"""Number of rows above which a faster JSON library is loaded."""

RowName = tuple[str, int]
"""The account and number of a row."""

Texts = Callable[[Iterable[int]], Mapping[int, str]]
"""Returns the JSON shown for threads, by row number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxPart:
    """The inbox of one account.

    Attributes:
        rows: Its threads, unordered, including those in which only the owner wrote; one row may stand for several old
            threads.
        problems: One sentence per unreadable file; each counts as a message.
        older: Messages sorted by another version of the program.
        documents: Returns the `PlannedThreadRow` for each row number.
    """

    account: str
    rows: Sequence[InboxThreadRow]
    problems: tuple[str, ...]
    older: int
    documents: Texts

    @staticmethod
    def of(inbox: Inbox) -> InboxPart:
        """Make a part from an inbox that was just sorted."""
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
        """Merge with another part of the same account that has other threads."""
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
    """The inboxes of one or more accounts as one.

    `rows` are the threads in which others wrote, unordered. A message received by two accounts (same
    Message-ID, RFC 5322 section 3.6.4, sender and subject) is one row, the more pressing one, unless only the
    other looks like fraud; `also_in` names the other accounts. Counts of messages cover all accounts. In a
    freshly sorted inbox, a row's number is unique only within its account.
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
        """Combine the inboxes of several accounts; `problems` of other accounts do not count as messages."""
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
        """The number of threads in which others wrote."""
        return sum(map(_THREADS, self.rows))

    @property
    def unsure(self) -> int:
        """The number of threads that the user should check."""
        return sum(map(_UNSURE, self.rows))

    @property
    def taken_back(self) -> int:
        """The number of messages left alone because the user undid an action on them."""
        return sum(map(_TAKEN_BACK, self.rows))

    @property
    def is_merged(self) -> bool:
        """True if threads of several accounts are included."""
        return len(set(map(_ACCOUNT, self.rows))) > 1

    @property
    def counts(self) -> dict[SectionName, BucketCounts]:
        """The number of threads in each section, and of unread ones."""
        found: dict[SectionName, BucketCounts] = {name: {"threads": 0, "unread": 0} for name in SECTIONS}
        for row in self.rows:
            counts = found[_section(row)]
            counts["threads"] += row.threads
            counts["unread"] += row.unread
        return found

    def texts(self, rows: Sequence[InboxThreadRow]) -> list[str]:
        """Return the JSON of each thread's `PlannedThreadRow`."""
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
        """Return the other accounts that received the newest message of a thread."""
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
        """Return the threads of each section, or of `only` one; `with_plan` makes each a `PlannedThreadRow`.

        Returns at most `limit` threads per section, after skipping `offset`.
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
            from msgspec.json import decode  # slower to load than a few rows are to read

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
    """Return the figures of a thread; `item` is None if only the owner wrote in it or nothing can be read."""
    from gaia_email.triage.inbox_item import same_message  # imported late: reading from rows sorts nothing

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
    """Return the section of a row; without one, that of its bucket."""
    for name in SECTIONS:
        if name == row.section:
            return name
    return BUCKETS[row.bucket or 0]


def suspicious(item: InboxItem) -> bool:
    """Return True for a thread that looks like fraud and is therefore listed separately.

    If the thread is urgent or actionable, only the warnings of its own message count: those of its other
    messages leave it in its bucket, so that nobody can hide a request by writing into its thread.
    """
    needed = item.bucket in ("urgent", "actionable")
    return any(name != "spam" for name in (item.verdict.flags.warnings if needed else item.warnings))


def sender_name(sender: Address | NamedAddress) -> str:
    """Return the display name of a sender, or the address if there is none."""
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
    """Yield the threads of all buckets."""
    for bucket in BUCKETS:
        yield from inbox.buckets[bucket]


def document_text(item: InboxItem) -> str:
    """Return a thread's `PlannedThreadRow` as JSON; its age is updated when it is shown."""
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
