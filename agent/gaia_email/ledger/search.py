"""Searches the cached mail with the grammar all servers share. Entry point: `search`.

The database finds the numbers of what may match (`query_plan.py`), newest first; each of these is tested where that is
needed, and the search ends when the page is full. Ranked, the newest of them are ordered by how well the words fit and
how new they are. Messages are read for the page that is shown.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Literal, TypeAlias

from sqlalchemy import ColumnElement, Connection, FromClause, Row, Select, bindparam, select

from gaia_email.ledger.cache import Cached, cached
from gaia_email.ledger.excerpt import Excerpt, Excerpts, words_of
from gaia_email.ledger.full_text import matching
from gaia_email.ledger.query_plan import HIGH, LOW, Around, Plan, plan_query
from gaia_email.ledger.statements import chunks, from_lines, rows_of
from gaia_email.ledger.tables import MESSAGE_MARKS, MESSAGE_TEXT, MESSAGES
from gaia_email.ledger.text import from_json
from gaia_mail_mcp.query.match import Matcher, SearchDocument, compile_part
from gaia_mail_mcp.query.nodes import Query

Number: TypeAlias = "Row[*tuple[Any, ...]]"
"""The row of a candidate, and, where it is ranked, its date and rank."""

Numbers: TypeAlias = "Select[*tuple[Any, ...]]"

Order = Literal["best", "newest"]

COUNTED, RANKED = 500, 1000
"""Hits that are counted, and the newest that are ranked; of more, only that there are more is told."""

TESTED = 64
"""Messages that are read together to be tested."""

LEAST, MOST, SPAN = 128, 4096, 32
"""Numbers asked for at first and at most at once, and the rows that are looked at for each where `Plan.nested`."""

BEYOND = 1 << 62
"""Greater than the number of any row."""

FRESH_S = 90 * 86_400.0
"""The age at which a message counts half as much as a new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A message found: what it is, where the words are in it, and how well they fit (the greater the better)."""

    message: Cached
    excerpt: Excerpt
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A page of hits. `total` counts all hits, or those known of where `exact` is False."""

    hits: tuple[Hit, ...]
    total: int
    exact: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Whose mail is searched: `account_id` None for all; `labels` gives the names of label ids; `me` own addresses."""

    account_id: str | None = None
    labels: Mapping[str, str] | None = None
    me: tuple[str, ...] = ()


def search(
    tx: Connection,
    query: Query,
    *,
    now: float,
    limit: int = 50,
    order: Order = "newest",
    scope: Scope = Scope(),
) -> Found:
    """The first `limit` hits at the time `now` (epoch seconds)."""
    moment = dt.datetime.fromtimestamp(now, dt.UTC)
    plan = plan_query(query, Around(now=moment, me=scope.me, names=scope.labels, dialect=tx.dialect.name))
    ranked = order == "best" and plan.words is not None
    wanted = max(limit, RANKED if ranked else COUNTED if plan.rest is None else 0)
    pages = _pages(tx, _candidates(plan, scope, tx.dialect.name, ranked), plan.nested, wanted + 1)
    tested: dict[int, Mapping[str, Any]] = {}
    if plan.rest is None:
        found = list(islice(chain.from_iterable(pages), wanted + 1))
    else:
        matcher = compile_part(plan.rest, moment, scope.me)
        hits = _tested(tx, chain.from_iterable(pages), matcher, scope.labels or {}, tested)
        found = list(islice(hits, wanted + 1))
    scores = {one[0]: _score(one, now) for one in found[:wanted]} if ranked else {}
    chosen = [one[0] for one in found[:wanted]]
    if ranked:
        chosen.sort(key=lambda row: -scores[row])
    messages = tested or _messages(tx, chosen[:limit])
    return Found(
        hits=_hits([messages[row] for row in chosen[:limit]], query, scores),
        total=len(found),
        exact=len(found) <= wanted,
    )


def _candidates(plan: Plan, scope: Scope, dialect: str, ranked: bool) -> Numbers:
    """The numbers of what may match, newest first, between two bounds; where it is ranked, with date and rank."""
    marks = MESSAGE_MARKS.c
    conditions = [] if plan.where is None else [plan.where]
    if scope.account_id is not None:
        conditions.append(marks.account_id == scope.account_id)
    row: ColumnElement[int] = marks.row
    columns: list[ColumnElement[Any]] = [row]
    table: FromClause = MESSAGE_MARKS
    if plan.words is not None:
        words = matching(plan.words, dialect)
        row, table = words.row, words.table
        columns = [row, marks.date, words.rank.label("rank")] if ranked else [row]
        if conditions or ranked:
            table = table.join(MESSAGE_MARKS, marks.row == row)
        conditions.append(words.condition)
    query = select(*columns).select_from(table).where(*conditions, row >= LOW, row < HIGH)
    return query.order_by(row.desc()).limit(bindparam("most"))


def _pages(tx: Connection, query: Numbers, nested: bool, wanted: int) -> Iterator[Sequence[Number]]:
    """The candidates, a page a query; more are asked for at once when the first are not enough."""
    high, most = BEYOND, min(max(wanted, LEAST), MOST)
    while True:
        low = _row_below(tx, high, most * SPAN) if nested else 0
        page = tx.execute(query, {"low": low, "high": high, "most": most}).all()
        yield page
        if len(page) == most:
            high = page[-1][0]
        elif low:
            high = low
        else:
            return
        most = min(most * 4, MOST)


_ROW_BELOW = (
    select(MESSAGE_MARKS.c.row)
    .where(MESSAGE_MARKS.c.row < HIGH)
    .order_by(MESSAGE_MARKS.c.row.desc())
    .limit(1)
    .offset(bindparam("rows"))
)


def _row_below(tx: Connection, high: int, rows: int) -> int:
    """The row so many rows below another; 0 where there are not so many."""
    return tx.execute(_ROW_BELOW, {"high": high, "rows": rows}).scalar() or 0


_MESSAGES = (
    select(MESSAGES, MESSAGE_TEXT.c.text)
    .outerjoin_from(MESSAGES, MESSAGE_TEXT, MESSAGE_TEXT.c.row == MESSAGES.c.row)
    .where(MESSAGES.c.row.in_(bindparam("rows", expanding=True)))
)


def _messages(tx: Connection, rows: Sequence[int]) -> dict[int, Mapping[str, Any]]:
    """The messages of these rows with their texts."""
    return {row["row"]: row for some in chunks(rows) for row in rows_of(tx, _MESSAGES, {"rows": some})}


def _tested(
    tx: Connection,
    candidates: Iterator[Number],
    matcher: Matcher,
    names: Mapping[str, str],
    tested: dict[int, Mapping[str, Any]],
) -> Iterator[Number]:
    """Those of the candidates that match; their messages are put into `tested`."""
    for some in chunks(candidates, TESTED):
        messages = _messages(tx, [one[0] for one in some])
        for one in some:
            message = messages[one[0]]
            if matcher(_document(message, names)):
                tested[one[0]] = message
                yield one


def _document(row: Mapping[str, Any], names: Mapping[str, str]) -> SearchDocument:
    labels, filenames = from_lines(row["labels"]), from_lines(row["filenames"])
    people = from_json(row["recipients"])
    name, address = row["sender_name"], row["sender"]
    return SearchDocument(
        sender=f"{name} <{address}>" if name else address,
        to=str(people.get("to", "")),
        cc=str(people.get("cc", "")),
        bcc=str(people.get("bcc", "")),
        delivered_to=str(people.get("delivered_to", "")),
        subject=row["subject"],
        body=lambda: "\n".join((row["text"] or "", *filenames)),
        labels=(*labels, *(names[label] for label in labels if label in names)),
        date=row["date"],
        size=row["size"],
        filenames=filenames,
        message_id=row["header_message_id"],
        list_id=row["list_id"],
        has_attachment=row["has_attachments"],
    )


def _score(candidate: Number, now: float) -> float:
    age = max(0.0, now - (candidate[1] or 0.0))
    return -float(candidate[2]) * (0.5 + 0.5 * FRESH_S / (FRESH_S + age))


def _hits(
    messages: Sequence[Mapping[str, Any]], query: Query, scores: Mapping[int, float]
) -> tuple[Hit, ...]:
    make = Excerpts(words_of(query))
    return tuple(
        Hit(
            message=cached(message),
            excerpt=make.of(message["text"] or "", message["snippet"], _headers(message)),
            score=scores.get(message["row"], 0.0),
        )
        for message in messages
    )


def _headers(row: Mapping[str, Any]) -> str:
    return "\n".join((row["subject"], row["sender_name"], row["sender"], row["recipients"]))
