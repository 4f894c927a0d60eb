"""What the database can decide of a search: `plan_query`. The rest is tested on each message that it finds.

A part of the query becomes words for the full-text index, or a condition on the columns of `message_marks`, or nothing.
The plan finds every message that matches; `rest` is the part of the query that is still to be tested on what it finds.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlalchemy import BindParameter, ColumnElement, and_, bindparam, not_, or_, select, true

from gaia_email.ledger.cache import first_row
from gaia_email.ledger.full_text import HEADERS, Every, Phrase, Some, WordField, Words, matching
from gaia_email.ledger.marks import ATTACHMENT, CATEGORY, OWN, bits_of_name
from gaia_email.ledger.tables import MESSAGE_MARKS, MESSAGES
from gaia_mail_mcp.query.grammar import all_of
from gaia_mail_mcp.query.match import (
    ADDRESS_FIELDS,
    NOT_ARCHIVED,
    age_moment,
    hidden_labels,
    is_address,
    system_label,
)
from gaia_mail_mcp.query.nodes import Age, And, Date, Field, Near, Node, Not, Or, Query, Size, Text
from gaia_mail_mcp.query.words import index_words

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

_MARKS = MESSAGE_MARKS.c

LOW: BindParameter[int] = bindparam("low")
HIGH: BindParameter[int] = bindparam("high")
"""The rows that are looked at: from `low` on, below `high`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
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
class Plan:
    """`words` for the index, `where` for the columns, `rest` for a test; None: no condition.

    `nested`: `where` asks the index, too, for the rows between `LOW` and `HIGH`.
    """

    words: Words | None = None
    where: ColumnElement[bool] | None = None
    rest: Node | None = None
    nested: bool = False


def plan_query(query: Query, around: Around) -> Plan:
    """The plan of a whole search."""
    hidden = sum(OWN[label] for label in hidden_labels(query))
    plan = _Planner(around).plan(query.root) if query.root is not None else Plan()
    if not hidden:
        return plan
    shown = _none_of(hidden)
    # The query's own condition first: it passes fewer rows, and what is tested second is not tested on the others.
    return replace(plan, where=shown if plan.where is None else and_(plan.where, shown))


class _Planner:
    def __init__(self, around: Around) -> None:
        self._around = around

    def plan(self, node: Node) -> Plan:
        match node:
            case And():
                return _all([self.plan(part) for part in node.parts])
            case Or():
                return self._any(node, [self.plan(part) for part in node.parts])
            case Not():
                return self._not(node, self.plan(node.part))
            case Text():
                return _text(node)
            case Near():
                return replace(_all([_text(node.left), _text(node.right)]), rest=node)
            case Size():
                size = _MARKS.size
                return Plan(where=size > node.octets if node.comparison == "larger" else size < node.octets)
            case Date():
                return _since(node.comparison == "after", float(node.moment))
            case Age():
                return _since(node.comparison == "newer", age_moment(node, self._around.now))
            case Field():
                return self._field(node)

    def _field(self, node: Field) -> Plan:
        name, value = node.name, node.value
        me = self._around.me
        if name in ADDRESS_FIELDS and value.lower() == "me" and me and name in FIELD_OF:
            return self._any(node, [_words(node, FIELD_OF[name], own) for own in me])
        if name in FIELD_OF:
            return _words(node, FIELD_OF[name], value)
        if name == "rfc822msgid":
            known = select(MESSAGES.c.row).where(MESSAGES.c.header_message_id.in_([value, f"<{value}>"]))
            return Plan(where=_MARKS.row.in_(known), rest=node)
        if name == "has" and value == "attachment":
            return Plan(where=_one_of(ATTACHMENT))
        if name in ("label", "in", "is", "category"):
            return self._labelled(node)
        return Plan(rest=node)

    def _labelled(self, node: Field) -> Plan:
        value = node.value.lower()
        label = system_label(node)
        if label is not None:
            return Plan(where=_one_of(OWN[label]))
        if (node.name, value) == ("is", "read"):
            return Plan(where=_none_of(OWN["UNREAD"]))
        if (node.name, value) == ("in", "anywhere"):
            return Plan(where=true())
        if (node.name, value) == ("in", "archive"):
            return Plan(where=_none_of(sum(OWN[one] for one in NOT_ARCHIVED)))
        if (node.name, value) == ("category", "primary"):
            inbox = and_(_one_of(OWN["INBOX"]), _none_of(CATEGORY))
            return Plan(where=or_(_one_of(OWN["CATEGORY_PERSONAL"]), inbox))
        if node.name == "category":
            return Plan(where=_one_of(OWN[f"CATEGORY_{value.upper()}"]))
        return Plan(where=_one_of(bits_of_name(value, self._around.names or {})), rest=node)

    def _any(self, node: Node, plans: list[Plan]) -> Plan:
        """Where one alternative says nothing of what it finds, neither do all of them."""
        rest = node if any(plan.rest is not None for plan in plans) else None
        words = [plan.words for plan in plans if plan.words is not None]
        if len(words) == len(plans) and all(plan.where is None for plan in plans):
            return Plan(words=_joined(Some, words), rest=rest)
        conditions = [self._condition(plan) for plan in plans]
        found = [condition for condition in conditions if condition is not None]
        if len(found) < len(plans):
            return Plan(rest=node)
        return Plan(where=or_(*found), rest=rest, nested=bool(words) or any(plan.nested for plan in plans))

    def _not(self, node: Not, plan: Plan) -> Plan:
        """Only a whole and exact condition can be turned round."""
        condition = self._condition(plan)
        if plan.rest is not None or condition is None:
            return Plan(rest=node)
        return Plan(where=not_(condition), nested=plan.nested or plan.words is not None)

    def _condition(self, plan: Plan) -> ColumnElement[bool] | None:
        """The words and the columns of a plan as one condition; never unknown (NULL)."""
        if plan.words is None:
            return plan.where
        words = matching(plan.words, self._around.dialect)
        found = select(words.row).where(words.condition, words.row >= LOW, words.row < HIGH)
        among = _MARKS.row.in_(found.correlate(None))
        return among if plan.where is None else and_(among, plan.where)


def _one_of(bits: int) -> ColumnElement[bool]:
    return _MARKS.marks.bitwise_and(bits) != 0


def _none_of(bits: int) -> ColumnElement[bool]:
    return _MARKS.marks.bitwise_and(bits) == 0


def _since(newer: bool, moment: float) -> Plan:
    """Rows grow with the date, which bounds them; a row can lie a little above its second."""
    date, row = _MARKS.date, _MARKS.row
    if newer and moment >= 1:  # so that a row in question has a date
        return Plan(where=and_(date >= moment, row >= first_row(moment)))
    if newer:
        return Plan(where=and_(date.is_not(None), date >= moment))
    return Plan(where=and_(date.is_not(None), date < moment, row <= first_row(max(moment, 0.0) + 2)))


def _words(node: Field, field: WordField, value: str) -> Plan:
    """The index knows the words, not how they are joined in an address."""
    words = index_words(value)
    if words is None:
        return Plan(rest=node)
    exact = node.name in WHOLE and _is_plain(words) and not (node.name == "from" and is_address(value))
    return Plan(words=Phrase(words=tuple(words), fields=(field,)), rest=None if exact else node)


def _text(node: Text) -> Plan:
    """Words anywhere. A phrase may run from one header into the next, where the index knows no neighbours."""
    words = index_words(node.value)
    if words is None:
        return Plan(rest=node)
    phrase = Phrase(words=tuple(words))
    if len(words) == 1:
        return Plan(words=phrase, rest=None if _is_plain(words) else node)
    across = Every(parts=tuple(Phrase(words=(word,), fields=HEADERS) for word in words))
    return Plan(words=Some(parts=(phrase, across)), rest=node)


def _is_plain(words: list[str]) -> bool:
    """One word which index and grammar take for the same."""
    return len(words) == 1 and words[0].isascii()


def _joined(kind: type[Every | Some], words: list[Words]) -> Words | None:
    if len(words) > 1:
        return kind(parts=tuple(words))
    return words[0] if words else None


def _all(plans: list[Plan]) -> Plan:
    words = [plan.words for plan in plans if plan.words is not None]
    where = [plan.where for plan in plans if plan.where is not None]
    return Plan(
        words=_joined(Every, words),
        where=and_(*where) if where else None,
        rest=all_of([plan.rest for plan in plans if plan.rest is not None]),
        nested=any(plan.nested for plan in plans),
    )
