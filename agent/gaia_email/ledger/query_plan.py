"""What the database can decide of a search: `plan_query`. The rest is tested on each message that it finds.

A part of the query becomes words for the full-text index, or a condition on the columns of `messages`, or nothing. The
plan finds every message that matches; `rest` is the part of the query that is still to be tested on what it finds.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, and_, not_, or_

from gaia_email.ledger.full_text import HEADERS, Every, Phrase, Some, WordField, Words
from gaia_email.ledger.statements import has_line
from gaia_email.ledger.tables import MESSAGES
from gaia_mail_mcp.query.grammar import all_of
from gaia_mail_mcp.query.match import ADDRESS_FIELDS, age_moment, hidden_labels, system_label
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """`words` for the index, `where` for the columns, `rest` for a test; None: no condition."""

    words: Words | None = None
    where: ColumnElement[bool] | None = None
    rest: Node | None = None


def plan_query(query: Query, now: dt.datetime, me: tuple[str, ...]) -> Plan:
    """The plan of a whole search at the time `now` (aware); `me` are the user's own addresses."""
    hidden = [not_(_labelled(label)) for label in hidden_labels(query)]
    plan = _Planner(now, me).plan(query.root) if query.root is not None else Plan()
    where = and_(*hidden, *([] if plan.where is None else [plan.where])) if hidden else plan.where
    return Plan(words=plan.words, where=where, rest=plan.rest)


class _Planner:
    def __init__(self, now: dt.datetime, me: tuple[str, ...]) -> None:
        self._now = now
        self._me = me

    def plan(self, node: Node) -> Plan:
        match node:
            case And():
                return _all([self.plan(part) for part in node.parts])
            case Or():
                return _any(node, [self.plan(part) for part in node.parts])
            case Not():
                return _not(node, self.plan(node.part))
            case Text():
                return _text(node)
            case Near():
                return replace(_all([_text(node.left), _text(node.right)]), rest=node)
            case Size():
                size = MESSAGES.c.size
                return Plan(where=size > node.octets if node.comparison == "larger" else size < node.octets)
            case Date():
                return _since(node.comparison == "after", float(node.moment))
            case Age():
                return _since(node.comparison == "newer", age_moment(node, self._now))
            case Field():
                return self._field(node)

    def _field(self, node: Field) -> Plan:
        name, value = node.name, node.value
        if name in ADDRESS_FIELDS and value.lower() == "me" and self._me and name in FIELD_OF:
            return _any(node, [_words(node, FIELD_OF[name], own) for own in self._me])
        if name in FIELD_OF:
            return _words(node, FIELD_OF[name], value)
        if name == "rfc822msgid":
            return Plan(where=MESSAGES.c.header_message_id.in_([value, f"<{value}>"]), rest=node)
        if name == "has" and value == "attachment":
            return Plan(where=MESSAGES.c.has_attachments.is_(True))
        label = system_label(node)
        return Plan(rest=node) if label is None else Plan(where=_labelled(label))


def _labelled(label: str) -> ColumnElement[bool]:
    return has_line(MESSAGES.c.labels, label)


def _since(newer: bool, moment: float) -> Plan:
    date = MESSAGES.c.date
    return Plan(where=date >= moment if newer else date < moment)


def _words(node: Field, field: WordField, value: str) -> Plan:
    """The index knows the words, not how they are joined in an address."""
    words = index_words(value)
    return Plan(words=None if words is None else Phrase(words=tuple(words), fields=(field,)), rest=node)


def _text(node: Text) -> Plan:
    """Words anywhere. A phrase may run from one header into the next, where the index knows no neighbours."""
    words = index_words(node.value)
    if words is None:
        return Plan(rest=node)
    phrase = Phrase(words=tuple(words))
    if len(words) == 1:
        return Plan(words=phrase, rest=None if words[0].isascii() else node)
    across = Every(parts=tuple(Phrase(words=(word,), fields=HEADERS) for word in words))
    return Plan(words=Some(parts=(phrase, across)), rest=node)


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
    )


def _any(node: Node, plans: list[Plan]) -> Plan:
    """Alternatives help only where the same kind of condition stands for each."""
    tested = any(plan.rest is not None for plan in plans)
    words = [plan.words for plan in plans if plan.words is not None]
    where = [plan.where for plan in plans if plan.where is not None]
    if len(words) == len(plans):
        both = tested or bool(where)
        return Plan(words=_joined(Some, words), rest=node if both else None)
    if len(where) == len(plans):
        return Plan(where=or_(*where), rest=node if tested or words else None)
    return Plan(rest=node)


def _not(node: Not, plan: Plan) -> Plan:
    """Only a whole and exact condition on columns can be turned round; an unknown date matches neither way."""
    if plan.rest is not None or plan.where is None or plan.words is not None:
        return Plan(rest=node)
    return Plan(where=or_(not_(plan.where), plan.where.is_(None)))
