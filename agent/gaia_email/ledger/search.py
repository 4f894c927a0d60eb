"""Searches the cached mail with the query syntax shared by all servers. Entry point: `search`.

The database finds candidate rows (`search_index.py`), newest first. Each is tested if necessary, and the search ends
when the page is full. Ranked searches order the newest hits by relevance and age. The messages of the returned page
are read, each with an excerpt around the words found.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Literal, TypeAlias

from sqlalchemy import Connection, Row

from gaia_email.ledger.cache import CachedMessage
from gaia_email.ledger.search_index import (
    QueryPlan,
    SearchScope,
    Sql,
    format_sql,
    join_sql,
    matching,
    plan_query,
)
from gaia_email.ledger.statements import chunks, from_lines
from gaia_email.ledger.text import from_json
from gaia_mail.query.match import Matcher, SearchableMessage, compile_part
from gaia_mail.query.nodes import And, Near, Node, Or, Query, Text
from gaia_mail.query.words import fold, index_words

Order = Literal["best", "newest"]

COUNTED, RANKED = 500, 1000
"""Maximum hits that are counted, and maximum newest hits that are ranked."""

LEAST, MOST = 128, 4096
"""Number of rows in the first page of candidates, and in the largest."""

BEYOND = 1 << 62
"""A number greater than any row."""

TESTED = 64
"""Number of messages that are read together for testing."""

FRESH_S = 90 * 86_400.0
"""Age in seconds at which the weight of a message's age has halved."""

BEFORE, LENGTH = 60, 200
"""Characters before the first word found, and in the whole excerpt."""

_WORD = re.compile(r"[^\W_]+")

DatabaseRow: TypeAlias = "Row[*tuple[Any, ...]]"
"""A row as returned by the driver."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """A line of text, and the positions of the words found as (start, end) pairs."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """A message found, with an excerpt and a score (higher is better)."""

    message: CachedMessage
    excerpt: Excerpt
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPage:
    """A page of hits. `total` counts all hits, or the known ones if `exact` is False."""

    hits: tuple[SearchHit, ...]
    total: int
    exact: bool


EVERYWHERE = SearchScope()


def search(
    tx: Connection,
    query: Query,
    *,
    now: float,
    limit: int = 50,
    order: Order = "newest",
    scope: SearchScope = EVERYWHERE,
) -> SearchPage:
    """Return the first `limit` hits at the time `now` (epoch seconds)."""
    instant = dt.datetime.fromtimestamp(now, dt.UTC)
    plan = plan_query(query, scope, instant, tx.dialect.name)
    ranked = order == "best" and plan.words is not None
    wanted = max(limit, RANKED if ranked else COUNTED if plan.rest is None else 0)
    pages = _candidates(tx, plan, scope.account_id, ranked=ranked, wanted=wanted + 1)
    words = _words_of(query)
    tested: dict[int, _Kept] = {}
    if plan.rest is None:
        found = list(islice(chain.from_iterable(pages), wanted + 1))
    else:
        matcher = compile_part(plan.rest, instant, scope.me)
        hits = _tested(tx, chain.from_iterable(pages), matcher, scope.labels or {}, tested)
        found = list(islice(hits, wanted + 1))
    scores = {one[0]: _score(one, now) for one in found[:wanted]} if ranked else {}
    chosen = [one[0] for one in found[:wanted]]
    if ranked:
        chosen.sort(key=lambda row: -scores[row])
    kept = tested or _read(tx, chosen[:limit], with_text=bool(words))
    excerpts = _Excerpts(words)
    return SearchPage(
        hits=tuple(
            SearchHit(message=kept[row].message, excerpt=excerpts.of(kept[row]), score=scores.get(row, 0.0))
            for row in chosen[:limit]
        ),
        total=len(found),
        exact=len(found) <= wanted,
    )


def _candidates(
    tx: Connection, plan: QueryPlan, account_id: str | None, *, ranked: bool, wanted: int
) -> Iterator[Sequence[DatabaseRow]]:
    """Yield pages of candidate rows, with date and rank if `ranked`; page sizes grow up to `MOST`."""
    high, most = BEYOND, min(max(wanted, LEAST), MOST)
    while True:
        page = _rows(tx, _statement(plan, account_id, tx.dialect.name, high, most, ranked=ranked))
        yield page
        if len(page) < most:
            return
        high, most = page[-1][0], min(most * 4, MOST)


def _statement(
    plan: QueryPlan, account_id: str | None, dialect: str, high: int, most: int, *, ranked: bool
) -> Sql:
    """Return the query for the newest rows below `high`; rows grow with the date, so no sorting is needed."""
    conditions = [] if plan.where is None else [plan.where]
    if account_id is not None:
        conditions.append(Sql("message_marks.account_id = ?", (account_id,)))
    columns, row, source = Sql("message_marks.row"), "message_marks.row", "message_marks"
    if plan.words is not None:
        found = matching(plan.words, dialect)
        row = found.row
        columns = format_sql(f"{row}, message_marks.date, {{}}", found.rank) if ranked else Sql(row)
        source = f"message_words JOIN message_marks ON message_marks.row = {row}"
        conditions = [found.condition, *conditions]
    conditions.append(Sql(f"{row} < ?", (high,)))
    return format_sql(
        f"SELECT {{}} FROM {source} WHERE {{}} ORDER BY 1 DESC LIMIT {{}}",
        columns,
        join_sql(" AND ", conditions),
        Sql("?", (most,)),
    )


def _rows(tx: Connection, sql: Sql) -> Sequence[DatabaseRow]:
    text = sql.text.replace("?", "%s") if tx.dialect.name == "postgresql" else sql.text
    return tx.exec_driver_sql(text, sql.values).all()


@dataclass(frozen=True, slots=True)
class _Kept:
    """A message, its recipients as stored, and its text."""

    message: CachedMessage
    recipients: str
    text: str

    def headers(self) -> str:
        message = self.message
        return "\n".join((message.subject, message.sender_name, message.sender, self.recipients))


_SELECT = """SELECT messages.row, messages.account_id, messages.message_id, messages.thread_id,
    messages.header_message_id, messages.date, messages.size, messages.has_attachments, messages.labels,
    messages.flags, messages.sender, messages.sender_name, messages.subject, messages.recipients,
    messages.snippet, messages.list_id, messages.filenames"""
_WITHOUT_TEXT = f"{_SELECT}, '' FROM messages"
_WITH_TEXT = (
    f"{_SELECT}, message_text.text FROM messages LEFT JOIN message_text ON message_text.row = messages.row"
)


def _read(tx: Connection, numbers: Sequence[int], *, with_text: bool = True) -> dict[int, _Kept]:
    """Return the messages of these rows, with their texts if requested."""
    kept: dict[int, _Kept] = {}
    beginning = _WITH_TEXT if with_text else _WITHOUT_TEXT
    for some in chunks(numbers):
        statement = Sql(f"{beginning} WHERE messages.row IN ({', '.join('?' * len(some))})", tuple(some))
        for (
            number, account, message_id, thread, header, date, size, attached, labels, flags, sender, name, subject,
            recipients, snippet, list_id, filenames, text,
        ) in _rows(tx, statement):  # fmt: skip
            people = from_json(recipients)
            message = CachedMessage(
                account_id=account,
                message_id=message_id,
                thread_id=thread,
                header_message_id=header,
                date=date,
                size=size,
                has_attachments=bool(attached),
                labels=from_lines(labels),
                flags=from_lines(flags),
                sender=sender,
                sender_name=name,
                subject=subject,
                to=str(people.get("to", "")),
                cc=str(people.get("cc", "")),
                bcc=str(people.get("bcc", "")),
                delivered_to=str(people.get("delivered_to", "")),
                snippet=snippet,
                list_id=list_id,
                filenames=from_lines(filenames),
            )
            kept[number] = _Kept(message, recipients, text or "")
    return kept


def _tested(
    tx: Connection,
    found: Iterator[DatabaseRow],
    matcher: Matcher,
    names: Mapping[str, str],
    tested: dict[int, _Kept],
) -> Iterator[DatabaseRow]:
    """Yield the candidates that match, and put their messages into `tested`."""
    for some in chunks(found, TESTED):
        kept = _read(tx, [one[0] for one in some])
        for one in some:
            message = kept[one[0]]
            if matcher(_document(message, names)):
                tested[one[0]] = message
                yield one


def _document(kept: _Kept, names: Mapping[str, str]) -> SearchableMessage:
    message = kept.message
    name, address = message.sender_name, message.sender
    return SearchableMessage(
        sender=f"{name} <{address}>" if name else address,
        to=message.to,
        cc=message.cc,
        bcc=message.bcc,
        delivered_to=message.delivered_to,
        subject=message.subject,
        body=lambda: "\n".join((kept.text, *message.filenames)),
        labels=(*message.labels, *(names[label] for label in message.labels if label in names)),
        date=message.date,
        size=message.size,
        filenames=message.filenames,
        message_id=message.header_message_id,
        list_id=message.list_id,
        has_attachment=message.has_attachments,
    )


def _score(candidate: DatabaseRow, now: float) -> float:
    age = max(0.0, now - (candidate[1] or 0.0))
    return -float(candidate[2]) * (0.5 + 0.5 * FRESH_S / (FRESH_S + age))


def _words_of(query: Query) -> frozenset[str]:
    """Return the folded words that a query searches in texts, without exclusions and header conditions."""
    found: set[str] = set()

    def walk(node: Node) -> None:
        match node:
            case And() | Or():
                for part in node.parts:
                    walk(part)
            case Text():
                found.update(index_words(node.value) or ())
            case Near():
                walk(node.left)
                walk(node.right)
            case _:
                pass

    if query.root is not None:
        walk(query.root)
    return frozenset(found)


class _Excerpts:
    """Creates the excerpts of one search."""

    def __init__(self, words: frozenset[str]) -> None:
        self._words = words
        spelled = (way for word in words for way in (word, word.capitalize(), word.upper()))
        self._spellings = tuple(dict.fromkeys(spelled))
        self._characters = tuple(word for word in words if len(word) == 1 and not word.isascii())

    def of(self, kept: _Kept) -> Excerpt:
        """Return the text around the first word found, on one line, or the snippet if the text has none."""
        text, snippet = kept.text, kept.message.snippet
        if not self._words:
            return Excerpt(text=snippet)
        position = self._first(kept)
        if position is None:
            return Excerpt(text=snippet, marks=self._marks(snippet))
        start = max(0, position - BEFORE)
        if start:
            space = text.find(" ", start, position)
            start = space + 1 if space >= 0 else start
        line = " ".join(text[start : start + 2 * LENGTH].split())
        cut = line[:LENGTH].rstrip() + "…" if len(line) > LENGTH else line
        shown = f"…{cut}" if start else cut
        return Excerpt(text=shown, marks=self._marks(shown))

    def _first(self, kept: _Kept) -> int | None:
        """Return the position of the first word in a common spelling, otherwise in any spelling.

        Common spellings are fast, because the text is not transformed. If the headers contain one of the words, the
        text is not searched for other accents, which is slow.
        """
        text = kept.text
        found = _first(text, self._spellings)
        if found is None:
            lower = text.lower()
            found = _first(lower, self._words) if len(lower) == len(text) else None
        if found is not None:
            return found
        if text.isascii() or self._in(kept.headers()) or not self._in(text):
            return None
        return next((token.start() for token in _WORD.finditer(text) if self._is_one(token.group())), None)

    def _marks(self, text: str) -> tuple[tuple[int, int], ...]:
        lower = text.lower()
        if len(lower) == len(text):
            found = sorted(_spans(lower, self._words))
            if found or text.replace("…", "").isascii():
                return tuple(found)
        if not self._in(text):
            return ()
        return tuple(token.span() for token in _WORD.finditer(text) if self._is_one(token.group()))

    def _in(self, text: str) -> bool:
        folded = fold(text)
        return any(word in folded for word in self._words)

    def _is_one(self, token: str) -> bool:
        """Return True if a token is one of the words, or contains one that is a character of an unspaced script."""
        folded = fold(token)
        return folded in self._words or any(character in folded for character in self._characters)


def _first(text: str, words: Iterable[str]) -> int | None:
    """Return the position of the first whole word; each search stops at the earliest position so far."""
    first = None
    for word in words:
        place = _place(text, word, 0, first)
        first = place if place >= 0 else first
    return first


def _place(text: str, word: str, start: int, before: int | None = None) -> int:
    """Return the position of the whole word, or -1."""
    place = text.find(word, start, before)
    while place >= 0:
        end = place + len(word)
        if not text[place - 1 : place].isalnum() and not text[end : end + 1].isalnum():
            break
        place = text.find(word, end, before)
    return place


def _spans(text: str, words: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of the whole words."""
    for word in words:
        place = _place(text, word, 0)
        while place >= 0:
            yield place, place + len(word)
            place = _place(text, word, place + len(word))
