"""The full-text index over cached mail: FTS5 on SQLite, tsvector on PostgreSQL.

Entry points: `add`, `remove`, `WordQuery`.

The index keeps no text, only words (`indexable`). Its four fields are those a search can ask for; its numbers are the
rows of `messages`, which grow with the date, so that newest first costs no sorting. What it finds is a superset of what
the grammar means where a test of the message itself is still needed; `query_plan.py` says when.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sqlalchemy import Connection, text

from gaia_email.ledger.sql import Sql
from gaia_email.ledger.statements import chunks
from gaia_mail.query.words import indexable

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
            condition=Sql(f"message_words.words @@ {wanted.text}", wanted.values),
            row="message_words.row",
            rank=Sql(
                f"-ts_rank('{{{_SHARES}}}'::float4[], message_words.words, {wanted.text})", wanted.values
            ),
        )
    condition = Sql("message_words MATCH ?", (to_fts5(words),))
    return WordMatch(condition=condition, row="message_words.rowid", rank=_FTS5_RANK)


def to_fts5(words: WordQuery) -> str:
    """The condition in FTS5's language; words are letters and digits, so nothing in them can end the quotes."""
    match words:
        case Phrase():
            phrase = f'"{" ".join(words.words)}"'
            return phrase if words.fields == FIELDS else f"({{{' '.join(words.fields)}}} : {phrase})"
        case AllWords():
            return f"({' AND '.join(to_fts5(part) for part in words.parts)})"
        case AnyWord():
            return f"({' OR '.join(to_fts5(part) for part in words.parts)})"


def to_tsquery(words: WordQuery) -> str:
    """The condition in PostgreSQL's language."""
    match words:
        case Phrase():
            letters = (
                "" if words.fields == FIELDS else ":" + "".join(LETTERS[field] for field in words.fields)
            )
            return "(" + " <-> ".join(f"'{word}'{letters}" for word in words.words) + ")"
        case AllWords():
            return f"({' & '.join(to_tsquery(part) for part in words.parts)})"
        case AnyWord():
            return f"({' | '.join(to_tsquery(part) for part in words.parts)})"
