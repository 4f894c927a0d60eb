"""What the database can decide of a search: `plan_query`. The rest is tested on each message that it finds.

A part of the query becomes words for the full-text index, or a condition on the columns of `message_marks`, or nothing.
The plan finds every message that matches; `rest` is the part of the query that is still to be tested on what it finds.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gaia_email.ledger.cache import first_row
from gaia_email.ledger.full_text import HEADERS, Every, Phrase, Some, WordField, Words, matching
from gaia_email.ledger.marks import ATTACHMENT, CATEGORY, OWN, bits_of_name
from gaia_email.ledger.sql import Bound, Sql, every, filled, one_of
from gaia_mail.query.grammar import all_of
from gaia_mail.query.match import (
    ADDRESS_FIELDS,
    HAS_FILES,
    HAS_LINKS,
    NOT_ARCHIVED,
    age_moment,
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

ALTERNATIVES = 4
"""Plans that are looked at side by side."""

WHOLE = ("from", "subject")
"""Operators for which the index has a field that holds exactly what they look at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What a query is read with.

    Attributes:
        now: The time (aware).
        me: The user's own addresses.
        names: The names of label ids.
        dialect: The database: `sqlite` or `postgresql`.
        ranked: Hits are to be ranked by the words that all of them have.
    """

    now: dt.datetime
    me: tuple[str, ...] = ()
    names: Mapping[str, str] | None = None
    dialect: str = "sqlite"
    ranked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a message must be to be looked at; None or empty: no condition.

    Attributes:
        words: For the index.
        without: What the index must not find.
        where: For the columns.
        has: Of each of these sets of bits a message has at least one; `where` says so, too.
        sizes: What `where` says of the size.
        either: Plans of which a message fits at least one; then there is nothing else but `rest`.
        rest: What is still to be tested on the message.
        nested: `where` asks the index, too, for the rows between `Bound.LOW` and `Bound.HIGH`.
    """

    words: Words | None = None
    without: Words | None = None
    where: Sql | None = None
    has: tuple[int, ...] = ()
    sizes: tuple[Sql, ...] = ()
    either: tuple[Plan, ...] = ()
    rest: Node | None = None
    nested: bool = False

    @property
    def says_nothing(self) -> bool:
        """Every message fits."""
        return self.words is None and self.without is None and self.where is None and not self.either


def plan_query(query: Query, around: Around) -> Plan:
    """The plan of a whole search."""
    planner = _Planner(around)
    plan = planner.plan(query.root) if query.root is not None else Plan()
    hidden = sum(OWN[label] for label in hidden_labels(query))
    # The query's own condition first: it passes fewer rows, and what is tested second is not tested on the others.
    return planner.every([plan, _none_of(hidden)]) if hidden else plan


class _Planner:
    def __init__(self, around: Around) -> None:
        self._around = around

    def plan(self, node: Node) -> Plan:
        match node:
            case And():
                return self.every([self.plan(part) for part in node.parts])
            case Or():
                return self._any(node, [self.plan(part) for part in node.parts])
            case Not(part=Or(parts=parts)):
                return self.every([self.plan(Not(part=part)) for part in parts])
            case Not():
                return self._not(node, self.plan(node.part))
            case Text():
                return _text(node)
            case Near():
                return replace(self.every([_text(node.left), _text(node.right)]), rest=node)
            case Size():
                sign = ">" if node.comparison == "larger" else "<"
                size = Sql(f"message_marks.size {sign} ?", (node.octets,))
                return Plan(where=size, sizes=(size,))
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
            return Plan(where=Sql(_BY_HEADER, (value, f"<{value}>")), rest=node)
        if name == "has" and value == "attachment":
            return _one_of(ATTACHMENT)
        if name == "has" and value in HAS_LINKS:
            return self._files_and_links(node)
        if name in ("label", "in", "is", "category"):
            return self._labelled(node)
        return Plan(rest=node)

    def _files_and_links(self, node: Field) -> Plan:
        """By the endings of file names and the words of links, which say nothing of how well a message fits."""
        endings = [Phrase(words=(ending,), fields=("people",)) for ending in HAS_FILES.get(node.value, ())]
        links = [
            Every(parts=tuple(Phrase(words=(word,)) for word in index_words(link) or ()))
            for link in HAS_LINKS[node.value]
        ]
        words = Some(parts=(*endings, *links))
        if self._around.ranked:
            return Plan(where=self._among("IN", words), rest=node, nested=True)
        return Plan(words=words, rest=node)

    def _labelled(self, node: Field) -> Plan:
        value = node.value.lower()
        label = system_label(node)
        if label is not None:
            return _one_of(OWN[label])
        if (node.name, value) == ("is", "read"):
            return _none_of(OWN["UNREAD"])
        if (node.name, value) == ("in", "anywhere"):
            return Plan(where=_ALWAYS)
        if (node.name, value) == ("in", "archive"):
            return _none_of(sum(OWN[one] for one in NOT_ARCHIVED))
        if (node.name, value) == ("category", "primary"):
            inbox = self.every([_one_of(OWN["INBOX"]), _none_of(CATEGORY)])
            return self._any(node, [_one_of(OWN["CATEGORY_PERSONAL"]), inbox])
        if node.name == "category":
            return _one_of(OWN[f"CATEGORY_{value.upper()}"])
        return replace(_one_of(bits_of_name(value, self._around.names or {})), rest=node)

    def _any(self, node: Node, plans: list[Plan]) -> Plan:
        """Where one alternative says nothing of what it finds, neither do all of them."""
        if any(plan.says_nothing for plan in plans):
            return Plan(rest=node)
        rest = node if any(plan.rest is not None for plan in plans) else None
        alternatives = [replace(plan, rest=None) for one in plans for plan in one.either or (one,)]
        words = [plan.words for plan in alternatives if plan.words and plan == Plan(words=plan.words)]
        others = [plan for plan in alternatives if plan != Plan(words=plan.words)]
        together = [Plan(words=_joined(Some, words))] if words else []
        if not others:
            return replace(together[0], rest=rest)
        if words or any(plan.words for plan in others):
            either = (*together, *others)
            if _can_be_merged(either):
                return Plan(either=either, rest=rest)
        alternatives = [*together, *others]
        return Plan(
            where=one_of([self._condition(plan) for plan in alternatives]),
            has=_has_any(alternatives),
            rest=rest,
            nested=any(_asks_the_index(plan) for plan in alternatives),
        )

    def _not(self, node: Not, plan: Plan) -> Plan:
        """Only a whole and exact condition can be turned round."""
        if plan.rest is not None or plan.says_nothing:
            return Plan(rest=node)
        if plan == Plan(words=plan.words):
            return Plan(without=plan.words)
        return Plan(where=filled("NOT {}", self._condition(plan)), nested=_asks_the_index(plan))

    def every(self, plans: Sequence[Plan]) -> Plan:
        """What fits all of the plans. Alternatives, of one of them, each get what the others say."""
        forked = next((plan for plan in plans if plan.either), None)
        rest = all_of([plan.rest for plan in plans if plan.rest is not None])
        if forked is None:
            return replace(_all(plans), rest=rest)
        alone = [plan if not plan.either else self._folded(plan) for plan in plans if plan is not forked]
        both = tuple(_all([plan, *alone]) for plan in forked.either)
        ranked = self._around.ranked and any(plan.words for plan in alone)
        if ranked or not _can_be_merged(both):
            return replace(_all([self._folded(forked), *alone]), rest=rest)
        return Plan(either=both, rest=rest)

    def _folded(self, plan: Plan) -> Plan:
        """The same with nothing but a condition on columns."""
        return Plan(where=self._condition(plan), nested=_asks_the_index(plan))

    def _condition(self, plan: Plan) -> Sql:
        """A plan that says something as one condition; never unknown (NULL)."""
        if plan.either:
            return one_of([self._condition(one) for one in plan.either])
        pieces: list[Sql] = [] if plan.where is None else [plan.where]
        if plan.words is not None:
            pieces.append(self._among("IN", plan.words))
        if plan.without is not None:
            pieces.append(self._among("NOT IN", plan.without))
        found = every(pieces)
        assert found is not None
        return filled("({})", found)

    def _among(self, which: str, words: Words) -> Sql:
        found = matching(words, self._around.dialect)
        row = found.row
        return Sql(
            f"message_marks.row {which} (SELECT {row} FROM message_words "
            f"WHERE {found.condition.text} AND {row} >= ? AND {row} < ?)",
            (*found.condition.values, Bound.LOW, Bound.HIGH),
        )


_BY_HEADER = (
    "message_marks.row IN (SELECT messages.row FROM messages WHERE messages.header_message_id IN (?, ?))"
)
_ALWAYS = Sql("1 = 1")


def _can_be_merged(plans: Sequence[Plan]) -> bool:
    """Whether each is one simple statement, and they are not so many that each would look at much of the same."""
    simple = all(not plan.nested and (plan.words or not plan.without) for plan in plans)
    return simple and len(plans) <= ALTERNATIVES


def _has_any(plans: Sequence[Plan]) -> tuple[int, ...]:
    """Bits of which a message that fits any of the plans has one; none where a plan does not say."""
    bits = 0
    for plan in plans:
        if not plan.has:
            return ()
        bits |= plan.has[0]
    return (bits,)


def _asks_the_index(plan: Plan) -> bool:
    if plan.nested or plan.words is not None or plan.without is not None:
        return True
    return any(_asks_the_index(one) for one in plan.either)


def _one_of(bits: int) -> Plan:
    return Plan(where=Sql("message_marks.marks & ? != 0", (bits,)), has=(bits,))


def _none_of(bits: int) -> Plan:
    return Plan(where=Sql("message_marks.marks & ? = 0", (bits,)))


def _since(newer: bool, moment: float) -> Plan:
    """Rows grow with the date, which bounds them; a row can lie a little above its second. Never unknown (NULL)."""
    date, row = "message_marks.date", "message_marks.row"
    if newer and moment >= 1:  # so that a row in question has a date
        return Plan(where=Sql(f"({date} >= ? AND {row} >= ?)", (moment, first_row(moment))))
    if newer:
        return Plan(where=Sql(f"({date} IS NOT NULL AND {date} >= ?)", (moment,)))
    last = first_row(max(moment, 0.0) + 2)
    return Plan(where=Sql(f"({date} IS NOT NULL AND {date} < ? AND {row} <= ?)", (moment, last)))


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


def _all(plans: Sequence[Plan]) -> Plan:
    return Plan(
        words=_joined(Every, [plan.words for plan in plans if plan.words is not None]),
        without=_joined(Some, [plan.without for plan in plans if plan.without is not None]),
        where=every([plan.where for plan in plans if plan.where is not None]),
        has=tuple(bits for plan in plans for bits in plan.has),
        sizes=tuple(size for plan in plans for size in plan.sizes),
        nested=any(plan.nested for plan in plans),
    )
