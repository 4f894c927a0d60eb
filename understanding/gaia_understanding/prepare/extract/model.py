"""The results of extraction. Entry: `Entities`. Every `text` occurs in the message; an unknown is None or empty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class DateMention(NamedTuple):
    """A date in the text, resolved against the message's own date.

    `value` is ISO 8601: a date, or a date and time with the message's offset. `deadline` is True if the words
    around it say that something is due then.
    """

    text: str
    value: str
    deadline: bool


class Money(NamedTuple):
    """An amount as decimal text (`"1249.00"`) and its ISO 4217 code (`""` if the sign is ambiguous)."""

    text: str
    amount: str
    currency: str


class ActionItem(NamedTuple):
    """A task that someone is asked to do. `text` is the sentence; `owner` is `user`, a name, or `""`."""

    text: str
    description: str
    owner: str
    due: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """An invitation (ICS, exact) or a meeting proposed in prose. Times are ISO 8601, `""` if unknown.

    `method` is the iTIP method (`REQUEST`, `CANCEL`, `REPLY` …), `""` for prose.
    """

    summary: str
    start: str
    end: str
    location: str
    organizer: str
    method: str
    uid: str
    source: str
    """`ics`, `json-ld` or `text`."""
    recurrence: str = ""
    """The repetition (`every week`); `""` if there is none. `start` and `end` are then those of its next date."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """A purchase; `total` and `currency` as in `Money`."""

    merchant: str
    total: str
    currency: str
    date: str
    order_number: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Itinerary:
    """A journey or stay: `kind` is `flight`, `train`, `bus`, `hotel`, `car` or `event`."""

    kind: str
    reference: str
    origin: str
    destination: str
    departs: str
    arrives: str
    provider: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracking:
    """A parcel: carrier (`""` if the number's form does not show it) and number."""

    carrier: str
    number: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entities:
    """The entities of a message, each kind in order of appearance and without repeats."""

    dates: tuple[DateMention, ...] = ()
    people: tuple[str, ...] = ()
    money: tuple[Money, ...] = ()
    urls: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    action_items: tuple[ActionItem, ...] = ()
    meeting: Meeting | None = None
    receipt: Receipt | None = None
    itinerary: Itinerary | None = None
    tracking: tuple[Tracking, ...] = ()
