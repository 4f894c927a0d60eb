"""The search index of mail, and query plans that use it. Entry points: `plan_query`, `add`, `remove`.

Each part of a query becomes words for the full-text index, a condition on the columns of `message_marks`, or neither.
The plan finds every matching message; `rest` is the part of the query that must still be tested on the candidates.

The full-text index (FTS5 on SQLite, tsvector on PostgreSQL) stores no text, only words (`indexable`), in four fields.
Its numbers are the rows of `messages`, which grow with the date, so newest first needs no sorting. A message's labels
are the bits of one number, so that a search tests thousands in a millisecond (`marks_of`).
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
"""Number of rows available per second of dates."""

LATEST = 1 << 42
"""Seconds since 1970 to which later dates are limited."""


@dataclass(frozen=True, slots=True)
class Sql:
    """A part of a statement for SQLite and PostgreSQL, and the values of its question marks in order.

    Searches are text for the driver, because building and compiling a SQLAlchemy expression costs more than most
    searches. Values never become part of the text.
    """

    text: str
    values: tuple[int | float | str, ...] = ()


def join_sql(between: str, pieces: Sequence[Sql]) -> Sql:
    """Join several parts with the text `between` them."""
    if len(pieces) == 1:
        return pieces[0]
    return Sql(
        between.join(piece.text for piece in pieces),
        tuple(value for piece in pieces for value in piece.values),
    )


def format_sql(pattern: str, *pieces: Sql) -> Sql:
    """Insert the parts into a pattern for `str.format`."""
    values = tuple(value for piece in pieces for value in piece.values)
    return Sql(pattern.format(*(piece.text for piece in pieces)), values)


def first_row(date: float | None) -> int:
    """Return the smallest row for a message with this date."""
    seconds = 0 if date is None else int(min(max(date, 0.0), LATEST))
    return seconds * SECOND


_OWN = (
    "SPAM TRASH INBOX UNREAD STARRED IMPORTANT SENT DRAFT SNOOZED MUTED CHAT CATEGORY_PERSONAL CATEGORY_SOCIAL "
    "CATEGORY_PROMOTIONS CATEGORY_UPDATES CATEGORY_FORUMS CATEGORY_RESERVATIONS CATEGORY_PURCHASES"
)
OWN = {label: 1 << place for place, label in enumerate(_OWN.split())}
"""Labels with a bit of their own."""

ATTACHMENT, CATEGORY = 1 << 18, 1 << 19
"""Bits for messages with an attachment, and for messages in any category."""

FIRST_SHARED, SHARED = 20, 40
"""First of the bits shared by all other labels, and their number; a message with the bit may have the label."""

_OWN_KEYS = {label_key(label): bit for label, bit in OWN.items()}


def bits_of_label(label: str) -> int:
    """Return the bit for messages with this label; labels with the same `label_key` share it."""
    key = label_key(label)
    return _OWN_KEYS.get(key) or 1 << FIRST_SHARED + zlib.crc32(key.encode(errors="replace")) % SHARED


def bits_of_name(name: str, names: Mapping[str, str]) -> int:
    """Return the bits of labels with this name; messages have at least one. `names` maps label IDs to names."""
    key = label_key(name)
    bits = bits_of_label(name)
    for label, called in names.items():
        if label_key(called) == key:
            bits |= bits_of_label(label)
    return bits


@lru_cache(maxsize=4096)
def marks_of(labels: str, has_attachments: bool) -> int:
    """Return the bits of a message's labels, given as lines (`to_lines`)."""
    marks = ATTACHMENT if has_attachments else 0
    for label in from_lines(labels):
        marks |= OWN.get(label) or bits_of_label(label)
        if label.startswith("CATEGORY_"):
            marks |= CATEGORY
    return marks


WordField = Literal["subject", "sender", "people", "body"]
FIELDS: tuple[WordField, ...] = ("subject", "sender", "people", "body")
"""`people` contains recipients, list and file names; `body` the text."""

HEADERS: tuple[WordField, ...] = ("subject", "sender", "people")
WEIGHTS = (8.0, 4.0, 2.0, 1.0)
"""Weight of a hit in each field, for ranking."""

LETTERS = dict(zip(FIELDS, "ABCD", strict=True))
"""PostgreSQL's names of the fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """Consecutive words in any one of the fields."""

    words: tuple[str, ...]
    fields: tuple[WordField, ...] = FIELDS


@dataclass(frozen=True, slots=True, kw_only=True)
class AllWords:
    """A condition that all parts match."""

    parts: tuple[WordQuery, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyWord:
    """A condition that at least one part matches."""

    parts: tuple[WordQuery, ...]


WordQuery: TypeAlias = "Phrase | AllWords | AnyWord"
"""A condition on words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedText:
    """Index entry of one message: its row and the unfolded text of each field."""

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
    """Create the index of a new database."""
    if tx.dialect.name == "postgresql":
        tx.exec_driver_sql("CREATE TABLE message_words (row BIGINT PRIMARY KEY, words TSVECTOR NOT NULL)")
        tx.exec_driver_sql("CREATE INDEX message_words_index ON message_words USING GIN (words)")
        return
    tx.exec_driver_sql(
        "CREATE VIRTUAL TABLE message_words USING fts5(subject, sender, people, body, content='', "
        "tokenize=\"unicode61 remove_diacritics 0 categories 'L* N*'\")"
    )


def add(tx: Connection, messages: Iterable[IndexedText]) -> None:
    """Index these messages; none may be indexed already."""
    rows = _rows(messages)
    if rows and tx.dialect.name == "postgresql":
        tx.execute(text(f"INSERT INTO message_words(row, words) VALUES (:row, {_VECTOR})"), _named(rows))
    elif rows:
        # Sorted by number: FTS5 flushes its buffer whenever a number is smaller than the previous one.
        tx.exec_driver_sql(_ADD, rows)


def remove(tx: Connection, messages: Iterable[IndexedText]) -> None:
    """Remove these messages; their text must be the same as when they were added."""
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
    """Reduce texts to words: PostgreSQL's parser would treat `ann@example.com` or `12.50` as one word each."""
    bare = ([row[0], *(_BETWEEN.sub(" ", text) for text in row[1:])] for row in rows)
    return [dict(zip(("row", *FIELDS), row, strict=True)) for row in bare]


@dataclass(frozen=True, slots=True, kw_only=True)
class WordMatch:
    """Parts of a query on `message_words`: the condition, the row column, and a score (lower is better)."""

    condition: Sql
    row: str
    rank: Sql


_SHARES = ",".join(f"{weight / WEIGHTS[0]:g}" for weight in reversed(WEIGHTS))
_FTS5_RANK = Sql(f"bm25(message_words, {', '.join(f'{weight:g}' for weight in WEIGHTS)})")


def matching(words: WordQuery, dialect: str) -> WordMatch:
    """Return the condition in the database's query language."""
    if dialect == "postgresql":
        wanted = Sql("to_tsquery('simple', ?)", (to_tsquery(words),))
        return WordMatch(
            condition=format_sql("message_words.words @@ {}", wanted),
            row="message_words.row",
            rank=format_sql(f"-ts_rank('{{{{{_SHARES}}}}}'::float4[], message_words.words, {{}})", wanted),
        )
    condition = Sql("message_words MATCH ?", (to_fts5(words),))
    return WordMatch(condition=condition, row="message_words.rowid", rank=_FTS5_RANK)


def to_fts5(words: WordQuery) -> str:
    """Return the condition in FTS5's syntax; words are letters and digits, so they cannot end the quotes."""
    if isinstance(words, Phrase):
        phrase = f'"{" ".join(words.words)}"'
        return phrase if words.fields == FIELDS else f"({{{' '.join(words.fields)}}} : {phrase})"
    between = " AND " if isinstance(words, AllWords) else " OR "
    return f"({between.join(to_fts5(part) for part in words.parts)})"


def to_tsquery(words: WordQuery) -> str:
    """Return the condition in PostgreSQL's syntax."""
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
"""Operators whose index field contains exactly the text they examine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchScope:
    """The mail to search: `account_id` None for all; `labels` maps label IDs to names; `me`: the owner's addresses."""

    account_id: str | None = None
    labels: Mapping[str, str] | None = None
    me: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryPlan:
    """Conditions for candidate messages; None is no condition.

    Attributes:
        words: Words that the index must find, also used for ranking.
        where: Condition on the columns of `message_marks`; may also query the index for words that do not affect
            ranking.
        rest: Part of the query to be tested on each message.
    """

    words: WordQuery | None = None
    where: Sql | None = None
    rest: Node | None = None

    @property
    def says_nothing(self) -> bool:
        """True if the plan matches every message."""
        return self.words is None and self.where is None


def plan_query(query: Query, scope: SearchScope, now: dt.datetime, dialect: str) -> QueryPlan:
    """Plan a search at the time `now` (timezone-aware); `dialect` is `sqlite` or `postgresql`."""
    planner = _Planner(scope, now, dialect)
    plan = planner.plan(query.root) if query.root is not None else QueryPlan()
    hidden = sum(OWN[label] for label in hidden_labels(query))
    # The query's own condition comes first: it excludes more rows, so the second is tested on fewer.
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
        """Match file extensions and words of links, without effect on ranking."""
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
        """Combine alternatives; if one has no condition, the result has none either."""
        if any(plan.says_nothing for plan in plans):
            return QueryPlan(rest=node)
        rest = node if any(plan.rest is not None for plan in plans) else None
        words = [plan.words for plan in plans if plan.words is not None and plan.where is None]
        if len(words) == len(plans):
            return QueryPlan(words=_joined(AnyWord, words), rest=rest)
        conditions = join_sql(" OR ", [self._condition(plan) for plan in plans])
        return QueryPlan(where=format_sql("({})", conditions), rest=rest)

    def _not(self, node: Not, plan: QueryPlan) -> QueryPlan:
        """Negate a plan; only a complete and exact condition can be negated."""
        if plan.rest is not None or plan.says_nothing:
            return QueryPlan(rest=node)
        return QueryPlan(where=format_sql("NOT {}", self._condition(plan)))

    def _condition(self, plan: QueryPlan) -> Sql:
        """Return a plan's conditions as one, which is never unknown (NULL)."""
        pieces: list[Sql] = [] if plan.where is None else [plan.where]
        if plan.words is not None:
            pieces.append(self._among(plan.words))
        return format_sql("({})", join_sql(" AND ", pieces))

    def _among(self, words: WordQuery) -> Sql:
        found = matching(words, self.dialect)
        return format_sql(
            f"message_marks.row IN (SELECT {found.row} FROM message_words WHERE {{}})", found.condition
        )


_BY_HEADER = "message_marks.row IN (SELECT messages.row FROM messages WHERE header_message_id IN (?, ?))"
_ALWAYS = Sql("1 = 1")


def _one_of(bits: int) -> QueryPlan:
    return QueryPlan(where=Sql("message_marks.marks & ? != 0", (bits,)))


def _none_of(bits: int) -> QueryPlan:
    return QueryPlan(where=Sql("message_marks.marks & ? = 0", (bits,)))


def _since(newer: bool, instant: float) -> QueryPlan:
    """Bound rows by date, which may be slightly above their second. The condition is never unknown (NULL)."""
    date, row = "message_marks.date", "message_marks.row"
    if newer and instant >= 1:  # so that all candidate rows have a date
        return QueryPlan(where=Sql(f"({date} >= ? AND {row} >= ?)", (instant, first_row(instant))))
    if newer:
        return QueryPlan(where=Sql(f"({date} IS NOT NULL AND {date} >= ?)", (instant,)))
    last = first_row(max(instant, 0.0) + 2)
    return QueryPlan(where=Sql(f"({date} IS NOT NULL AND {date} < ? AND {row} <= ?)", (instant, last)))


def _words(node: Field, field: WordField, value: str) -> QueryPlan:
    """Match words in a field; the index does not know how they are joined in an address."""
    words = index_words(value)
    if words is None:
        return QueryPlan(rest=node)
    exact = node.name in WHOLE and _is_plain(words) and not (node.name == "from" and is_address(value))
    return QueryPlan(words=Phrase(words=tuple(words), fields=(field,)), rest=None if exact else node)


def _text(node: Text) -> QueryPlan:
    """Match words anywhere. A phrase may span two headers, which the index does not treat as adjacent."""
    words = index_words(node.value)
    if words is None:
        return QueryPlan(rest=node)
    phrase = Phrase(words=tuple(words))
    if len(words) == 1:
        return QueryPlan(words=phrase, rest=None if _is_plain(words) else node)
    across = AllWords(parts=tuple(Phrase(words=(word,), fields=HEADERS) for word in words))
    return QueryPlan(words=AnyWord(parts=(phrase, across)), rest=node)


def _is_plain(words: list[str]) -> bool:
    """Return True for one word that the index and the query syntax treat alike."""
    return len(words) == 1 and words[0].isascii()


def _joined(kind: type[AllWords | AnyWord], words: list[WordQuery]) -> WordQuery | None:
    if len(words) > 1:
        return kind(parts=tuple(words))
    return words[0] if words else None


def _all(plans: Sequence[QueryPlan]) -> QueryPlan:
    """Return a plan that requires all of the plans."""
    conditions = [plan.where for plan in plans if plan.where is not None]
    return QueryPlan(
        words=_joined(AllWords, [plan.words for plan in plans if plan.words is not None]),
        where=join_sql(" AND ", conditions) if conditions else None,
        rest=all_of([plan.rest for plan in plans if plan.rest is not None]),
    )
