"""The index that mail is searched by, and the plan a query becomes on it. Entry points: `plan_query`, `add`, `remove`.

A part of a query becomes words for the full-text index, or a condition on the columns of `message_marks`, or nothing.
The plan finds every message that matches; `rest` is the part of the query that is still to be tested on what it finds.

The full-text index (FTS5 on SQLite, tsvector on PostgreSQL) keeps no text, only words (`indexable`), in four fields.
Its numbers are the rows of `messages`, which grow with the date, so that newest first costs no sorting. A message's
labels are the bits of one number, so that a search tests thousands in a millisecond (`marks_of`).
"""

from __future__ import annotations

import datetime as dt
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, TypeAlias

from sqlalchemy import Connection, text

from gaia_email.ledger.statements import chunks, from_lines
from gaia_mail.query.grammar import all_of
from gaia_mail.query.match import (
    ADDRESS_FIELDS,
    HAS_FILES,
    HAS_LINKS,
    NOT_ARCHIVED,
    age_instant,
    hidden_labels,
    is_address,
    label_key,
    system_label,
)
from gaia_mail.query.nodes import Age, And, Date, Field, Near, Node, Not, Or, Query, Size, Text
from gaia_mail.query.words import index_words, indexable

SECOND = 1 << 20
"""Rows a second of dates can have."""

LATEST = 1 << 42
"""Seconds after 1970 beyond which no date counts; such a message is as new as can be."""


@dataclass(frozen=True, slots=True)
class Sql:
    """A piece of a statement, the same for SQLite and PostgreSQL, and the values of its question marks, in order.

    Searches are text for the driver: an expression of SQLAlchemy costs more to build and to compile than most searches
    cost to run. Values never become part of the text.
    """

    text: str
    values: tuple[int | float | str, ...] = ()


def joined(between: str, pieces: Sequence[Sql]) -> Sql:
    """One piece of several, with the text `between` them."""
    if len(pieces) == 1:
        return pieces[0]
    return Sql(
        between.join(piece.text for piece in pieces),
        tuple(value for piece in pieces for value in piece.values),
    )


def filled(pattern: str, *pieces: Sql) -> Sql:
    """The pieces in the places of a pattern for `str.format`."""
    values = tuple(value for piece in pieces for value in piece.values)
    return Sql(pattern.format(*(piece.text for piece in pieces)), values)


def first_row(date: float | None) -> int:
    """The smallest row a message of that date can have."""
    seconds = 0 if date is None else int(min(max(date, 0.0), LATEST))
    return seconds * SECOND


_OWN = (
    "SPAM TRASH INBOX UNREAD STARRED IMPORTANT SENT DRAFT SNOOZED MUTED CHAT CATEGORY_PERSONAL CATEGORY_SOCIAL "
    "CATEGORY_PROMOTIONS CATEGORY_UPDATES CATEGORY_FORUMS CATEGORY_RESERVATIONS CATEGORY_PURCHASES"
)
OWN = {label: 1 << place for place, label in enumerate(_OWN.split())}
"""The bit of each label that has one to itself."""

ATTACHMENT, CATEGORY = 1 << 18, 1 << 19
"""The message has an attachment; it is in any category."""

FIRST_SHARED, SHARED = 20, 40
"""Any other label shares one of these bits with some others: the message may have it."""

_OWN_KEYS = {label_key(label): bit for label, bit in OWN.items()}


def bits_of_label(label: str) -> int:
    """The bit that a message with the label has; labels that `label_key` takes for one share it."""
    key = label_key(label)
    return _OWN_KEYS.get(key) or 1 << FIRST_SHARED + zlib.crc32(key.encode(errors="replace")) % SHARED


def bits_of_name(name: str, names: Mapping[str, str]) -> int:
    """The bits of which a message has at least one when it has a label so called; `names` are those of label ids."""
    key = label_key(name)
    bits = bits_of_label(name)
    for label, called in names.items():
        if label_key(called) == key:
            bits |= bits_of_label(label)
    return bits


@lru_cache(maxsize=4096)
def marks_of(labels: str, has_attachments: bool) -> int:
    """The bits of the labels of a message, given as lines (`to_lines`)."""
    marks = ATTACHMENT if has_attachments else 0
    for label in from_lines(labels):
        marks |= OWN.get(label) or bits_of_label(label)
        if label.startswith("CATEGORY_"):
            marks |= CATEGORY
    return marks


WordField = Literal["subject", "sender", "people", "body"]
FIELDS: tuple[WordField, ...] = ("subject", "sender", "people", "body")
"""`people` holds recipients, list and file names; `body` the text."""

HEADERS: tuple[WordField, ...] = ("subject", "sender", "people")
WEIGHTS = (8.0, 4.0, 2.0, 1.0)
"""What a hit counts in each field, where hits are ranked."""

LETTERS = dict(zip(FIELDS, "ABCD", strict=True))
"""PostgreSQL's names of the fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """Words in a row, in any one of the fields."""

    words: tuple[str, ...]
    fields: tuple[WordField, ...] = FIELDS


@dataclass(frozen=True, slots=True, kw_only=True)
class AllWords:
    """What matches all parts."""

    parts: tuple[WordQuery, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyWord:
    """What matches one part."""

    parts: tuple[WordQuery, ...]


WordQuery: TypeAlias = "Phrase | AllWords | AnyWord"
"""A condition on words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedText:
    """What is indexed of one message: its row, and the text of each field, not yet folded."""

    row: int
    subject: str
    sender: str
    people: str
    body: str


_ADD = "INSERT INTO message_words(rowid, subject, sender, people, body) VALUES (?, ?, ?, ?, ?)"
_REMOVE = (
    "INSERT INTO message_words(message_words, rowid, subject, sender, people, body) "
    "VALUES ('delete', ?, ?, ?, ?, ?)"
)
_BETWEEN = re.compile(r"[\W_]+")
_VECTOR = " || ".join(f"setweight(to_tsvector('simple', :{field}), '{LETTERS[field]}')" for field in FIELDS)


def create(tx: Connection) -> None:
    """Make the index of a new database."""
    if tx.dialect.name == "postgresql":
        tx.exec_driver_sql("CREATE TABLE message_words (row BIGINT PRIMARY KEY, words TSVECTOR NOT NULL)")
        tx.exec_driver_sql("CREATE INDEX message_words_index ON message_words USING GIN (words)")
        return
    tx.exec_driver_sql(
        "CREATE VIRTUAL TABLE message_words USING fts5(subject, sender, people, body, content='', "
        "tokenize=\"unicode61 remove_diacritics 0 categories 'L* N*'\")"
    )


def add(tx: Connection, messages: Iterable[IndexedText]) -> None:
    """Index these; none of them may be indexed already."""
    rows = _rows(messages)
    if rows and tx.dialect.name == "postgresql":
        tx.execute(text(f"INSERT INTO message_words(row, words) VALUES (:row, {_VECTOR})"), _named(rows))
    elif rows:
        # In order of their numbers: FTS5 writes out what it has gathered whenever a number is smaller than the last.
        tx.exec_driver_sql(_ADD, rows)


def remove(tx: Connection, messages: Iterable[IndexedText]) -> None:
    """Take these out again; their text has to be what was added."""
    rows = _rows(messages)
    if rows and tx.dialect.name == "postgresql":
        for some in chunks(row[0] for row in rows):
            tx.execute(text("DELETE FROM message_words WHERE row = ANY(:rows)"), {"rows": some})
    elif rows:
        tx.exec_driver_sql(_REMOVE, rows)


def clear(tx: Connection) -> None:
    """Empty the index."""
    if tx.dialect.name == "postgresql":
        tx.execute(text("DELETE FROM message_words"))
    else:
        tx.exec_driver_sql("INSERT INTO message_words(message_words) VALUES ('delete-all')")


def _rows(messages: Iterable[IndexedText]) -> list[tuple[int, str, str, str, str]]:
    return sorted(
        (one.row, indexable(one.subject), indexable(one.sender), indexable(one.people), indexable(one.body))
        for one in messages
    )


def _named(rows: Sequence[tuple[int, str, str, str, str]]) -> list[dict[str, object]]:
    """Bare words: PostgreSQL's parser would take `ann@example.com` or `12.50` for one word each."""
    bare = ([row[0], *(_BETWEEN.sub(" ", text) for text in row[1:])] for row in rows)
    return [dict(zip(("row", *FIELDS), row, strict=True)) for row in bare]


@dataclass(frozen=True, slots=True, kw_only=True)
class WordMatch:
    """What a query needs of the table `message_words`: the condition, the row, a score (the smaller the better)."""

    condition: Sql
    row: str
    rank: Sql


_SHARES = ",".join(f"{weight / WEIGHTS[0]:g}" for weight in reversed(WEIGHTS))
_FTS5_RANK = Sql(f"bm25(message_words, {', '.join(f'{weight:g}' for weight in WEIGHTS)})")


def matching(words: WordQuery, dialect: str) -> WordMatch:
    """The condition in the language of the database."""
    if dialect == "postgresql":
        wanted = Sql("to_tsquery('simple', ?)", (to_tsquery(words),))
        return WordMatch(
            condition=filled("message_words.words @@ {}", wanted),
            row="message_words.row",
            rank=filled(f"-ts_rank('{{{{{_SHARES}}}}}'::float4[], message_words.words, {{}})", wanted),
        )
    condition = Sql("message_words MATCH ?", (to_fts5(words),))
    return WordMatch(condition=condition, row="message_words.rowid", rank=_FTS5_RANK)


def to_fts5(words: WordQuery) -> str:
    """The condition in FTS5's language; words are letters and digits, so nothing in them can end the quotes."""
    if isinstance(words, Phrase):
        phrase = f'"{" ".join(words.words)}"'
        return phrase if words.fields == FIELDS else f"({{{' '.join(words.fields)}}} : {phrase})"
    between = " AND " if isinstance(words, AllWords) else " OR "
    return f"({between.join(to_fts5(part) for part in words.parts)})"


def to_tsquery(words: WordQuery) -> str:
    """The condition in PostgreSQL's language."""
    if isinstance(words, Phrase):
        fields = "" if words.fields == FIELDS else ":" + "".join(LETTERS[field] for field in words.fields)
        return "(" + " <-> ".join(f"'{word}'{fields}" for word in words.words) + ")"
    between = " & " if isinstance(words, AllWords) else " | "
    return f"({between.join(to_tsquery(part) for part in words.parts)})"


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
class SearchScope:
    """Whose mail is searched: `account_id` None for all; `labels` gives the names of label ids; `me` own addresses."""

    account_id: str | None = None
    labels: Mapping[str, str] | None = None
    me: tuple[str, ...] = ()


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


def plan_query(query: Query, scope: SearchScope, now: dt.datetime, dialect: str) -> QueryPlan:
    """Plan a whole search at the time `now` (aware); `dialect` is `sqlite` or `postgresql`."""
    planner = _Planner(scope, now, dialect)
    plan = planner.plan(query.root) if query.root is not None else QueryPlan()
    hidden = sum(OWN[label] for label in hidden_labels(query))
    # The query's own condition first: it passes fewer rows, and what is tested second is not tested on the others.
    return _all([plan, _none_of(hidden)]) if hidden else plan


@dataclass(frozen=True, slots=True)
class _Planner:
    scope: SearchScope
    now: dt.datetime
    dialect: str

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
                return QueryPlan(where=Sql(f"message_marks.size {sign} ?", (node.octets,)))
            case Date():
                return _since(node.comparison == "after", float(node.instant))
            case Age():
                return _since(node.comparison == "newer", age_instant(node, self.now))
            case Field():
                return self._field(node)

    def _field(self, node: Field) -> QueryPlan:
        name, value = node.name, node.value
        me = self.scope.me
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
        return QueryPlan(where=self._among(AnyWord(parts=(*endings, *links))), rest=node)

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
        return replace(_one_of(bits_of_name(value, self.scope.labels or {})), rest=node)

    def _any(self, node: Node, plans: list[QueryPlan]) -> QueryPlan:
        """Where one alternative says nothing of what it finds, neither do all of them."""
        if any(plan.says_nothing for plan in plans):
            return QueryPlan(rest=node)
        rest = node if any(plan.rest is not None for plan in plans) else None
        words = [plan.words for plan in plans if plan.words is not None and plan.where is None]
        if len(words) == len(plans):
            return QueryPlan(words=_joined(AnyWord, words), rest=rest)
        conditions = joined(" OR ", [self._condition(plan) for plan in plans])
        return QueryPlan(where=filled("({})", conditions), rest=rest)

    def _not(self, node: Not, plan: QueryPlan) -> QueryPlan:
        """Only a whole and exact condition can be turned round."""
        if plan.rest is not None or plan.says_nothing:
            return QueryPlan(rest=node)
        return QueryPlan(where=filled("NOT {}", self._condition(plan)))

    def _condition(self, plan: QueryPlan) -> Sql:
        """A plan that says something as one condition; never unknown (NULL)."""
        pieces: list[Sql] = [] if plan.where is None else [plan.where]
        if plan.words is not None:
            pieces.append(self._among(plan.words))
        return filled("({})", joined(" AND ", pieces))

    def _among(self, words: WordQuery) -> Sql:
        found = matching(words, self.dialect)
        return filled(
            f"message_marks.row IN (SELECT {found.row} FROM message_words WHERE {{}})", found.condition
        )


_BY_HEADER = "message_marks.row IN (SELECT messages.row FROM messages WHERE header_message_id IN (?, ?))"
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
