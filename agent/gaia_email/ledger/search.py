"""Searches the cached mail with the grammar all servers share. Entry point: `search`.

The database finds what may match (`query_plan.py`), newest first; each of these is tested where that is needed, and
the search ends when the page is full. Ranked, the newest of them are ordered by how well the words fit and how new
they are.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, FromClause, func, literal, select

from gaia_email.ledger.cache import Cached, cached
from gaia_email.ledger.excerpt import Excerpt, Excerpts, words_of
from gaia_email.ledger.full_text import matching
from gaia_email.ledger.query_plan import Plan, plan_query
from gaia_email.ledger.statements import from_lines, rows_of
from gaia_email.ledger.tables import MESSAGE_TEXT, MESSAGES
from gaia_mail_mcp.query.match import SearchDocument, compile_part
from gaia_mail_mcp.query.nodes import Query

Order = Literal["best", "newest"]

RANKED = 1000
"""The newest matches that are ranked; older ones come after them only where the page is not full."""

COUNTED = 1000
"""Hits that are counted; of more, only that there are more is told."""

FIRST, MOST = 64, 1024
"""Rows looked at together: few for the first page, more when hardly any of them match."""

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
    plan = plan_query(query, moment, scope.me)
    test = _test(tx, plan, moment, scope)
    ranked = order == "best" and plan.words is not None
    wanted = max(limit, RANKED) if ranked else limit
    source = _source(plan, scope, tx.dialect.name)
    # Ranking looks at many candidates; where nothing of them has to be tested, their numbers and dates are enough.
    light = ranked and plan.rest is None
    columns = [MESSAGES.c.row, MESSAGES.c.date] if light else [MESSAGES]
    found = _take(_candidates(tx, source, [*columns, *([source.rank] if ranked else [])]), test, wanted + 1)
    more = len(found) > wanted
    total, exact = len(found), not more
    if more and plan.rest is None:
        total = _count(tx, source)
        exact = total <= COUNTED
    scores = {row["row"]: _score(row, now) for row in found[:wanted]} if ranked else {}
    chosen = (
        found[:limit] if not ranked else sorted(found[:wanted], key=lambda row: -scores[row["row"]])[:limit]
    )
    if light:
        chosen = _whole(tx, [row["row"] for row in chosen])
    return Found(hits=_hits(tx, chosen, query, scores), total=total, exact=exact)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """Where candidates come from: tables, conditions, the column they are ordered by, and their rank."""

    table: FromClause
    conditions: list[ColumnElement[bool]]
    row: ColumnElement[int]
    rank: ColumnElement[Any]


def _source(plan: Plan, scope: Scope, dialect: str) -> _Source:
    conditions = [] if plan.where is None else [plan.where]
    if scope.account_id is not None:
        conditions.append(MESSAGES.c.account_id == scope.account_id)
    if plan.words is None:
        return _Source(table=MESSAGES, conditions=conditions, row=MESSAGES.c.row, rank=literal(0.0))
    words = matching(plan.words, dialect)
    return _Source(
        table=words.table.join(MESSAGES, MESSAGES.c.row == words.row),
        conditions=[words.condition, *conditions],
        row=words.row,
        rank=words.rank.label("rank"),
    )


def _candidates(tx: Connection, source: _Source, columns: list[Any]) -> Iterator[dict[str, Any]]:
    """Newest first, read as they are asked for."""
    query = select(*columns).select_from(source.table).where(*source.conditions).order_by(source.row.desc())
    result = tx.execute(query.execution_options(yield_per=FIRST, max_row_buffer=MOST))
    names = list(result.keys())
    try:
        for found in result:
            yield dict(zip(names, found, strict=True))
    finally:
        result.close()


def _whole(tx: Connection, numbers: Sequence[int]) -> list[dict[str, Any]]:
    found = {row["row"]: row for row in rows_of(tx, select(MESSAGES).where(MESSAGES.c.row.in_(numbers)))}
    return [found[number] for number in numbers]


def _count(tx: Connection, source: _Source) -> int:
    """How many candidates there are, or one more than are counted."""
    some = (
        select(source.row).select_from(source.table).where(*source.conditions).limit(COUNTED + 1).subquery()
    )
    count: int = tx.execute(select(func.count()).select_from(some)).scalar_one()
    return count


def _take(
    candidates: Iterator[dict[str, Any]], test: Callable[[dict[str, Any]], bool] | None, wanted: int
) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for row in candidates:
        if test is None or test(row):
            found.append(row)
            if len(found) == wanted:
                break
    return found


def _test(
    tx: Connection, plan: Plan, now: dt.datetime, scope: Scope
) -> Callable[[dict[str, Any]], bool] | None:
    if plan.rest is None:
        return None
    matcher = compile_part(plan.rest, now, scope.me)
    names = scope.labels or {}
    return lambda row: matcher(_document(tx, row, names))


def _document(tx: Connection, row: Mapping[str, Any], names: Mapping[str, str]) -> SearchDocument:
    message = cached(row)
    return SearchDocument(
        sender=f"{message.sender_name} <{message.sender}>" if message.sender_name else message.sender,
        to=message.to,
        cc=message.cc,
        bcc=message.bcc,
        delivered_to=message.delivered_to,
        subject=message.subject,
        body=lambda: _body(tx, row),
        labels=(*message.labels, *(names[label] for label in message.labels if label in names)),
        date=message.date,
        size=message.size,
        filenames=message.filenames,
        message_id=message.header_message_id,
        list_id=message.list_id,
        has_attachment=message.has_attachments,
    )


def _body(tx: Connection, row: Mapping[str, Any]) -> str:
    text = tx.execute(select(MESSAGE_TEXT.c.text).where(MESSAGE_TEXT.c.row == row["row"])).scalar()
    return "\n".join((text or "", *from_lines(row["filenames"])))


def _score(row: Mapping[str, Any], now: float) -> float:
    age = max(0.0, now - (row["date"] or 0.0))
    return -float(row["rank"]) * (0.5 + 0.5 * FRESH_S / (FRESH_S + age))


def _hits(
    tx: Connection, rows: Sequence[Mapping[str, Any]], query: Query, scores: Mapping[int, float]
) -> tuple[Hit, ...]:
    words = words_of(query)
    make = Excerpts(words)
    numbers = [row["row"] for row in rows]
    texts: dict[int, str] = {}
    if words and numbers:
        kept = select(MESSAGE_TEXT.c.row, MESSAGE_TEXT.c.text).where(MESSAGE_TEXT.c.row.in_(numbers))
        texts = {row["row"]: row["text"] for row in rows_of(tx, kept)}
    return tuple(
        Hit(
            message=cached(row),
            excerpt=make.of(texts.get(row["row"], ""), row["snippet"]),
            score=scores.get(row["row"], 0.0),
        )
        for row in rows
    )
