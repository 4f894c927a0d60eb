"""The parsed form of a search: an immutable tree of terms. Entry: `Query`.

Providers compile it (to IMAP SEARCH, to Graph's `$search`), `match.py` evaluates it on a message, and `canonical.py`
writes it as text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

TextField = Literal[
    "from",
    "to",
    "cc",
    "bcc",
    "deliveredto",
    "subject",
    "label",
    "in",
    "is",
    "has",
    "category",
    "filename",
    "list",
    "rfc822msgid",
]
"""Operators with a text value, by Gmail's names."""

AgeUnit = Literal["h", "d", "m", "y"]
"""Hours, days, calendar months, calendar years."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Words to find anywhere in the message; several words form a phrase."""

    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """`operator:value` for operators with a text value. `rfc822msgid` has no angle brackets."""

    name: TextField
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Strictly larger or smaller than `octets` bytes."""

    comparison: Literal["larger", "smaller"]
    octets: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Date:
    """At or after, or strictly before, `instant` (seconds since the epoch).

    `is_day` is True if the query named a day; `instant` is then its midnight in UTC, so that `after:` includes the day
    and `before:` does not, as in Gmail.
    """

    comparison: Literal["after", "before"]
    instant: int
    is_day: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Age:
    """Newer or older than `amount` units before the time of matching."""

    comparison: Literal["newer", "older"]
    amount: int
    unit: AgeUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """Both texts with at most `distance` words between them, in either order."""

    left: Text
    right: Text
    distance: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Not:
    """Messages that do not match `part`."""

    part: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class And:
    """Messages that match all of two or more parts."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Or:
    """Messages that match at least one of two or more parts."""

    parts: tuple[Node, ...]


Term: TypeAlias = Text | Field | Size | Date | Age | Near
"""A node without children."""

Node: TypeAlias = Term | Not | And | Or
"""Any part of a query."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A whole search; `root` is None for the empty one, which matches everything except Spam and Trash."""

    root: Node | None = None

    @property
    def is_empty(self) -> bool:
        """True if the query has no terms."""
        return self.root is None
