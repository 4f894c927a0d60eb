"""What the database can decide of a search: `plan_query`. The rest is tested on each message that it finds.

A part of the query becomes words for the full-text index, or a condition on the columns of `message_marks`, or nothing.
The plan finds every message that matches; `rest` is the part of the query that is still to be tested on what it finds.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gaia_email.ledger.cache import first_row
from gaia_email.ledger.full_text import HEADERS, AllWords, AnyWord, Phrase, WordField, WordQuery, matching
from gaia_email.ledger.marks import ATTACHMENT, CATEGORY, OWN, bits_of_name
from gaia_email.ledger.sql import Sql, filled, joined, one_of
from gaia_mail.query.grammar import all_of
from gaia_mail.query.match import (
    ADDRESS_FIELDS,
    HAS_FILES,
    HAS_LINKS,
    NOT_ARCHIVED,
    age_instant,
    hidden_labels,
    is_address,
    system_label,
)
from gaia_mail.query.nodes import Age, And, Date, Field, Near, Node, Not, Or, Query, Size, Text
from gaia_mail.query.words import index_words

FIELD_OF: dict[str, WordField] = {
    "from": "sender",
    "to": "people",
    "cc": "people",
    "bcc": "people",
    "subject": "subject",
    "list": "people",
    "filename": "people",
}

WHOLE = ("from", "subject")
"""Operators for which the index has a field that holds exactly what they look at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryContext:
    """What a query is read with.

    Attributes:
        now: The time (aware).
        me: The user's own addresses.
        names: The names of label ids.
        dialect: The database: `sqlite` or `postgresql`.
    """

    now: dt.datetime
    me: tuple[str, ...] = ()
    names: Mapping[str, str] | None = None
    dialect: str = "sqlite"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryPlan:
    """What a message must be to be looked at; None: no condition.

    Attributes:
        words: What the index must find, and what hits are ranked by.
        where: For the columns of `message_marks`; it may ask the index, too, about words that rank nothing.
        rest: What is still to be tested on the message.
    """

    words: WordQuery | None = None
    where: Sql | None = None
    rest: Node | None = None

    @property
    def says_nothing(self) -> bool:
        """Every message fits."""
        return self.words is None and self.where is None


def plan_query(query: Query, around: QueryContext) -> QueryPlan:
    """The plan of a whole search."""
    planner = _Planner(around)
    plan = planner.plan(query.root) if query.root is not None else QueryPlan()
    hidden = sum(OWN[label] for label in hidden_labels(query))
    # The query's own condition first: it passes fewer rows, and what is tested second is not tested on the others.
    return _all([plan, _none_of(hidden)]) if hidden else plan


class _Planner:
    def __init__(self, around: QueryContext) -> None:
        self._around = around

    def plan(self, node: Node) -> QueryPlan:
        match node:
            case And():
                return _all([self.plan(part) for part in node.parts])
            case Or():
                return self._any(node, [self.plan(part) for part in node.parts])
            case Not(part=Or(parts=parts)):
                return _all([self.plan(Not(part=part)) for part in parts])
            case Not():
                return self._not(node, self.plan(node.part))
            case Text():
                return _text(node)
            case Near():
                return replace(_all([_text(node.left), _text(node.right)]), rest=node)
            case Size():
                sign = ">" if node.comparison == "larger" else "<"
                size = Sql(f"message_marks.size {sign} ?", (node.octets,))
                return QueryPlan(where=size)
            case Date():
                return _since(node.comparison == "after", float(node.instant))
            case Age():
                return _since(node.comparison == "newer", age_instant(node, self._around.now))
            case Field():
                return self._field(node)

    def _field(self, node: Field) -> QueryPlan:
        name, value = node.name, node.value
        me = self._around.me
        if name in ADDRESS_FIELDS and value.lower() == "me" and me and name in FIELD_OF:
            return self._any(node, [_words(node, FIELD_OF[name], own) for own in me])
        if name in FIELD_OF:
            return _words(node, FIELD_OF[name], value)
        if name == "rfc822msgid":
            return QueryPlan(where=Sql(_BY_HEADER, (value, f"<{value}>")), rest=node)
        if name == "has" and value == "attachment":
            return _one_of(ATTACHMENT)
        if name == "has" and value in HAS_LINKS:
            return self._files_and_links(node)
        if name in ("label", "in", "is", "category"):
            return self._labelled(node)
        return QueryPlan(rest=node)

    def _files_and_links(self, node: Field) -> QueryPlan:
        """By the endings of file names and the words of links, which say nothing of how well a message fits."""
        endings = [Phrase(words=(ending,), fields=("people",)) for ending in HAS_FILES.get(node.value, ())]
        links = [
            AllWords(parts=tuple(Phrase(words=(word,)) for word in index_words(link) or ()))
            for link in HAS_LINKS[node.value]
        ]
        return QueryPlan(where=self._among("IN", AnyWord(parts=(*endings, *links))), rest=node)

    def _labelled(self, node: Field) -> QueryPlan:
        value = node.value.lower()
        label = system_label(node)
        if label is not None:
            return _one_of(OWN[label])
        if (node.name, value) == ("is", "read"):
            return _none_of(OWN["UNREAD"])
        if (node.name, value) == ("in", "anywhere"):
            return QueryPlan(where=_ALWAYS)
        if (node.name, value) == ("in", "archive"):
            return _none_of(sum(OWN[one] for one in NOT_ARCHIVED))
        if (node.name, value) == ("category", "primary"):
            inbox = _all([_one_of(OWN["INBOX"]), _none_of(CATEGORY)])
            return self._any(node, [_one_of(OWN["CATEGORY_PERSONAL"]), inbox])
        if node.name == "category":
            return _one_of(OWN[f"CATEGORY_{value.upper()}"])
        return replace(_one_of(bits_of_name(value, self._around.names or {})), rest=node)

    def _any(self, node: Node, plans: list[QueryPlan]) -> QueryPlan:
        """Where one alternative says nothing of what it finds, neither do all of them."""
        if any(plan.says_nothing for plan in plans):
            return QueryPlan(rest=node)
        rest = node if any(plan.rest is not None for plan in plans) else None
        words = [plan.words for plan in plans if plan.words is not None and plan.where is None]
        if len(words) == len(plans):
            return QueryPlan(words=_joined(AnyWord, words), rest=rest)
        return QueryPlan(where=one_of([self._condition(plan) for plan in plans]), rest=rest)

    def _not(self, node: Not, plan: QueryPlan) -> QueryPlan:
        """Only a whole and exact condition can be turned round."""
        if plan.rest is not None or plan.says_nothing:
            return QueryPlan(rest=node)
        return QueryPlan(where=filled("NOT {}", self._condition(plan)))

    def _condition(self, plan: QueryPlan) -> Sql:
        """A plan that says something as one condition; never unknown (NULL)."""
        pieces: list[Sql] = [] if plan.where is None else [plan.where]
        if plan.words is not None:
            pieces.append(self._among("IN", plan.words))
        return filled("({})", joined(" AND ", pieces))

    def _among(self, which: str, words: WordQuery) -> Sql:
        found = matching(words, self._around.dialect)
        subquery = Sql(
            f"SELECT {found.row} FROM message_words WHERE {found.condition.text}", found.condition.values
        )
        return filled(f"message_marks.row {which} ({{}})", subquery)


_BY_HEADER = (
    "message_marks.row IN (SELECT messages.row FROM messages WHERE messages.header_message_id IN (?, ?))"
)
_ALWAYS = Sql("1 = 1")


def _one_of(bits: int) -> QueryPlan:
    return QueryPlan(where=Sql("message_marks.marks & ? != 0", (bits,)))


def _none_of(bits: int) -> QueryPlan:
    return QueryPlan(where=Sql("message_marks.marks & ? = 0", (bits,)))


def _since(newer: bool, instant: float) -> QueryPlan:
    """Rows grow with the date, which bounds them; a row can lie a little above its second. Never unknown (NULL)."""
    date, row = "message_marks.date", "message_marks.row"
    if newer and instant >= 1:  # so that a row in question has a date
        return QueryPlan(where=Sql(f"({date} >= ? AND {row} >= ?)", (instant, first_row(instant))))
    if newer:
        return QueryPlan(where=Sql(f"({date} IS NOT NULL AND {date} >= ?)", (instant,)))
    last = first_row(max(instant, 0.0) + 2)
    return QueryPlan(where=Sql(f"({date} IS NOT NULL AND {date} < ? AND {row} <= ?)", (instant, last)))


def _words(node: Field, field: WordField, value: str) -> QueryPlan:
    """The index knows the words, not how they are joined in an address."""
    words = index_words(value)
    if words is None:
        return QueryPlan(rest=node)
    exact = node.name in WHOLE and _is_plain(words) and not (node.name == "from" and is_address(value))
    return QueryPlan(words=Phrase(words=tuple(words), fields=(field,)), rest=None if exact else node)


def _text(node: Text) -> QueryPlan:
    """Words anywhere. A phrase may run from one header into the next, where the index knows no neighbours."""
    words = index_words(node.value)
    if words is None:
        return QueryPlan(rest=node)
    phrase = Phrase(words=tuple(words))
    if len(words) == 1:
        return QueryPlan(words=phrase, rest=None if _is_plain(words) else node)
    across = AllWords(parts=tuple(Phrase(words=(word,), fields=HEADERS) for word in words))
    return QueryPlan(words=AnyWord(parts=(phrase, across)), rest=node)


def _is_plain(words: list[str]) -> bool:
    """One word which index and grammar take for the same."""
    return len(words) == 1 and words[0].isascii()


def _joined(kind: type[AllWords | AnyWord], words: list[WordQuery]) -> WordQuery | None:
    if len(words) > 1:
        return kind(parts=tuple(words))
    return words[0] if words else None


def _all(plans: Sequence[QueryPlan]) -> QueryPlan:
    """What fits all of the plans."""
    conditions = [plan.where for plan in plans if plan.where is not None]
    return QueryPlan(
        words=_joined(AllWords, [plan.words for plan in plans if plan.words is not None]),
        where=joined(" AND ", conditions) if conditions else None,
        rest=all_of([plan.rest for plan in plans if plan.rest is not None]),
    )
