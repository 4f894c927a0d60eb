"""The content of an inbox card: `Card`. Entry: `card_of`.

A mailbox has tens of thousands of threads but a card shows a few dozen rows: the others are only counted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from operator import attrgetter
from typing import TYPE_CHECKING, cast

from gaia_email.app.documents.listing import sender_name
from gaia_email.app.documents.mail_types import SECTIONS, PlannedThreadRow, SectionName
from gaia_email.document import Warning_
from gaia_email.policy.inbox_row import by_rank
from gaia_email.policy.model import Mode, PlannedAction
from gaia_email.triage.surveying import RECENT_S

if TYPE_CHECKING:
    from gaia_email.app.documents.listing import InboxListing
    from gaia_email.policy.inbox_row import InboxThreadRow


_KIND = attrgetter("section", "category", "mode", "action")
_FRAUD = frozenset(("phishing", "injection"))


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """One thread on a card.

    `age_s` is the age when the card was made; None without a date. `warned_of` has the senders of the
    thread's other messages that look like fraud.
    """

    account: str
    message_id: str
    sender: str
    subject: str
    messages: int
    age_s: float | None
    score: float
    reason: str
    summary: str
    warnings: tuple[Warning_, ...]
    warned_of: tuple[str, ...]
    unsure: bool
    mode: Mode
    action: PlannedAction
    also_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSection:
    """The threads under one heading.

    Attributes:
        threads: The number of threads.
        recent: The number of recent threads, which `--limit` can show; the others are older.
        categories: The number of threads per kind of content, most frequent first.
        plans: The number of threads per planned action, most frequent first.
        rows: The first of the recent threads.
    """

    threads: int
    recent: int
    categories: tuple[tuple[str, int], ...]
    plans: tuple[tuple[Mode, PlannedAction, int], ...]
    rows: tuple[CardRow, ...]

    @property
    def left_alone(self) -> int:
        """The number of threads with no planned action."""
        return sum(count for mode, _, count in self.plans if mode == "leave")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """An inbox as a card shows it; the counts are those of `gaia_email.triage.inbox.Inbox`.

    `is_merged`: the threads come from several accounts. `older`: the number of messages sorted by another
    version of the program.
    """

    account: str
    total: int
    threads: int
    unreadable: int
    unsure: int
    taken_back: int
    problems: tuple[str, ...]
    is_merged: bool
    older: int
    sections: Mapping[SectionName, CardSection]

    @property
    def rows(self) -> int:
        """The total number of rows."""
        return sum(len(section.rows) for section in self.sections.values())


def card_of(listing: InboxListing, *, now: float, most: int | None) -> Card:
    """Return the card of an inbox with at most `most` recent rows per section; None includes every row of any age."""
    rows = listing.rows
    dates = [row.date for row in rows if row.date is not None]
    recent_from = min(max(dates, default=now), now) - RECENT_S
    recent: dict[str, list[InboxThreadRow]] = {name: [] for name in SECTIONS}
    for row in rows:
        if most is None or row.date is None or row.date >= recent_from:
            recent[row.section].append(row)
    # Counted over all threads here, so that the code below only handles one count per kind.
    kinds = Counter(map(_KIND, rows))
    for row in rows:
        if row.threads > 1:
            kinds[_KIND(row)] += row.threads - 1
    return Card(
        account=listing.account,
        total=listing.total,
        threads=listing.threads,
        unreadable=listing.unreadable,
        unsure=listing.unsure,
        taken_back=listing.taken_back,
        problems=listing.problems,
        is_merged=listing.is_merged,
        older=listing.older,
        sections={name: _section(name, recent[name], kinds, listing, most, now) for name in SECTIONS},
    )


def _section(
    name: SectionName,
    recent: Sequence[InboxThreadRow],
    kinds: Mapping[tuple[str, str, str, str], int],
    listing: InboxListing,
    most: int | None,
    now: float,
) -> CardSection:
    categories, plans = Counter[str](), Counter[tuple[Mode, PlannedAction]]()
    for (section, category, mode, action), count in kinds.items():
        if section == name:
            categories[category] += count
            plans[cast("tuple[Mode, PlannedAction]", (mode, action))] += count
    shown = sorted(recent, key=by_rank) if most is None else nsmallest(most, recent, key=by_rank)
    often = sorted(plans.items(), key=lambda pair: (-pair[1], pair[0]))
    return CardSection(
        threads=categories.total(),
        recent=len(recent),
        categories=tuple(sorted(categories.items(), key=lambda pair: (-pair[1], pair[0]))),
        plans=tuple((mode, action, count) for (mode, action), count in often),
        rows=tuple(
            _row(text, row, listing.other_accounts(row), now)
            for text, row in zip(listing.texts(shown), shown, strict=True)
        ),
    )


def _row(text: str, row: InboxThreadRow, also_in: tuple[str, ...], now: float) -> CardRow:
    found: PlannedThreadRow = json.loads(text)
    others = (one for one in found["others"] if not _FRAUD.isdisjoint(one["warnings"]))
    return CardRow(
        account=found["account"],
        message_id=found["id"],
        sender=sender_name(found["from"]),
        subject=found["subject"],
        messages=found["messages"],
        age_s=None if row.date is None else now - row.date,
        score=row.score,
        reason=found["reason"],
        summary=found["summary"],
        warnings=tuple(found["warnings"]),
        warned_of=tuple(dict.fromkeys(one["from"]["address"] for one in others)),
        unsure=found["unsure"],
        mode=found["plan"]["mode"],
        action=found["plan"]["action"],
        also_in=also_in,
    )
