"""What an inbox card prints of an inbox, and no more, so that it can be kept: `Card`. Entries: `card_of`, `aged`.

A mailbox has tens of thousands of threads and a card a few dozen rows; with these and the counts, a second look at a
mailbox in which nothing is new sorts nothing (`gaia_email.services.inbox_card`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from gaia_email.cascade.verdict import BUCKETS
from gaia_email.documents.mail import warnings
from gaia_email.documents.typed import Warning_
from gaia_email.policy.model import Mode, PlannedAction
from gaia_email.triage.surveying import RECENT_S

if TYPE_CHECKING:
    from gaia_email.triage.inbox import Inbox, InboxItem

SectionName = Literal["urgent", "actionable", "informational", "suspicious", "low_priority"]
SECTIONS: tuple[SectionName, ...] = get_args(SectionName)
"""In the order in which they are printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """One thread, as a card tells of it. `age_s` is its age when the card was made; None without a date."""

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
    unsure: bool
    mode: Mode
    action: PlannedAction
    also_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSection:
    """The threads under one heading.

    Attributes:
        threads: How many they are.
        recent: How many of these are shown or could be by `--limit`; the others are older.
        categories: How many of each kind of content, the most frequent first.
        plans: What would be done with how many, the most frequent first.
        rows: The first of the recent ones.
    """

    threads: int
    recent: int
    categories: tuple[tuple[str, int], ...]
    plans: tuple[tuple[Mode, PlannedAction, int], ...]
    rows: tuple[CardRow, ...]

    @property
    def left_alone(self) -> int:
        """With how many nothing would be done."""
        return sum(count for mode, _, count in self.plans if mode == "leave")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """An inbox, as a card tells of it; the counts are those of `gaia_email.triage.inbox.Inbox`.

    `is_merged`: its threads are of several accounts. `older`: how many messages stand as another version of the program
    sorted them.
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
        """How many rows it has in all."""
        return sum(len(section.rows) for section in self.sections.values())


def suspicious(item: InboxItem) -> bool:
    """Whether a thread looks like fraud and is listed apart, whatever bucket it is in."""
    return any(name != "spam" for name in warnings(item.verdict))


def sender_name(item: InboxItem) -> str:
    """Who a thread is from, as a person would say it: the display name, else the address."""
    sender = item.summary["from"]
    return " ".join(sender["name"].split()) or sender["address"] or "(no sender)"


def card_of(inbox: Inbox, *, most: int | None) -> Card:
    """The card of an inbox, with at most so many recent rows a section; None for every row, of any age."""
    every = [item for items in inbox.buckets.values() for item in items]
    newest_s = max(0.0, min((item.age_s for item in every if item.age_s is not None), default=0.0))
    listed: dict[SectionName, list[InboxItem]] = {name: [] for name in SECTIONS}
    for bucket in BUCKETS:
        for item in inbox.buckets[bucket]:
            listed["suspicious" if suspicious(item) else bucket].append(item)
    return Card(
        account=inbox.account,
        total=inbox.total,
        threads=inbox.threads,
        unreadable=inbox.unreadable,
        unsure=inbox.unsure,
        taken_back=inbox.taken_back,
        problems=inbox.problems,
        is_merged=len({item.summary["account"] for item in every}) > 1,
        older=inbox.older,
        sections={name: _section(items, newest_s, most) for name, items in listed.items()},
    )


def _section(items: Sequence[InboxItem], newest_s: float, most: int | None) -> CardSection:
    recent = [
        item for item in items if most is None or item.age_s is None or item.age_s - newest_s <= RECENT_S
    ]
    categories = Counter(item.verdict.content_category for item in items)
    plans: Counter[tuple[Mode, PlannedAction]] = Counter(
        (item.decision.mode, item.decision.action) for item in items
    )
    often = sorted(plans.items(), key=lambda pair: (-pair[1], pair[0]))
    return CardSection(
        threads=len(items),
        recent=len(recent),
        categories=tuple(sorted(categories.items(), key=lambda pair: (-pair[1], pair[0]))),
        plans=tuple((mode, action, count) for (mode, action), count in often),
        rows=tuple(map(_row, recent[:most])),
    )


def _row(item: InboxItem) -> CardRow:
    return CardRow(
        account=item.summary["account"],
        message_id=item.summary["id"],
        sender=sender_name(item),
        subject=item.summary["subject"],
        messages=item.messages,
        age_s=item.age_s,
        score=item.verdict.priority.score,
        reason=item.verdict.priority.reason,
        summary=item.verdict.summary,
        warnings=tuple(warnings(item.verdict)),
        unsure=item.unsure,
        mode=item.decision.mode,
        action=item.decision.action,
        also_in=item.also_in,
    )


def aged(card: Card, seconds: float) -> Card:
    """The same card so much later."""

    def older(row: CardRow) -> CardRow:
        return row if row.age_s is None else replace(row, age_s=row.age_s + seconds)

    return replace(
        card,
        sections={
            name: replace(section, rows=tuple(map(older, section.rows)))
            for name, section in card.sections.items()
        },
    )


def card_to_json(card: Card) -> dict[str, object]:
    """As the ledger keeps it."""
    return asdict(card)


def card_from_json(value: object) -> Card:
    """What `card_to_json` gave.

    Raises:
        ValueError, TypeError, KeyError: It gave nothing of the kind.
    """
    found: Any = value
    sections = {name: _section_from(found["sections"][name]) for name in SECTIONS}
    fields: dict[str, Any] = {**found, "problems": tuple(found["problems"]), "sections": sections}
    return Card(**fields)


def _section_from(found: Any) -> CardSection:
    return CardSection(
        threads=found["threads"],
        recent=found["recent"],
        categories=tuple((name, count) for name, count in found["categories"]),
        plans=tuple((mode, action, count) for mode, action, count in found["plans"]),
        rows=tuple(map(_row_from, found["rows"])),
    )


def _row_from(found: Any) -> CardRow:
    fields: dict[str, Any] = {
        **found,
        "warnings": tuple(found["warnings"]),
        "also_in": tuple(found["also_in"]),
    }
    return CardRow(**fields)
