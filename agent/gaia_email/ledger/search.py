"""Searches the cached mail with the grammar all servers share. Entry point: `search`.

The database finds the numbers of what may match (`query_plan.py`, `candidates.py`), newest first; each of these is
tested where that is needed, and the search ends when the page is full. Ranked, the newest of them are ordered by how
well the words fit and how new they are. Messages are read for the page that is shown.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import Literal

from sqlalchemy import Connection

from gaia_email.ledger.cache import CachedMessage
from gaia_email.ledger.candidates import RankedRow, candidates
from gaia_email.ledger.excerpt import Excerpt, Excerpts, words_of
from gaia_email.ledger.query_plan import QueryContext, plan_query
from gaia_email.ledger.sql import Sql, marks, rows
from gaia_email.ledger.statements import chunks, from_lines
from gaia_email.ledger.text import from_json
from gaia_mail.query.match import Matcher, SearchableMessage, compile_part
from gaia_mail.query.nodes import Query

Order = Literal["best", "newest"]

COUNTED, RANKED = 500, 1000
"""Hits that are counted, and the newest that are ranked; of more, only that there are more is told."""

TESTED = 64
"""Messages that are read together to be tested."""

FRESH_S = 90 * 86_400.0
"""The age at which a message counts half as much as a new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """A message found: what it is, where the words are in it, and how well they fit (the greater the better)."""

    message: CachedMessage
    excerpt: Excerpt
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPage:
    """A page of hits. `total` counts all hits, or those known of where `exact` is False."""

    hits: tuple[SearchHit, ...]
    total: int
    exact: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchScope:
    """Whose mail is searched: `account_id` None for all; `labels` gives the names of label ids; `me` own addresses."""

    account_id: str | None = None
    labels: Mapping[str, str] | None = None
    me: tuple[str, ...] = ()


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
    """The first `limit` hits at the time `now` (epoch seconds)."""
    instant = dt.datetime.fromtimestamp(now, dt.UTC)
    around = QueryContext(now=instant, me=scope.me, names=scope.labels, dialect=tx.dialect.name)
    plan = plan_query(query, around)
    ranked = order == "best" and plan.words is not None
    wanted = max(limit, RANKED if ranked else COUNTED if plan.rest is None else 0)
    pages = candidates(tx, plan, scope.account_id, ranked=ranked, wanted=wanted + 1)
    words = words_of(query)
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
    return SearchPage(
        hits=_hits([(row, kept[row]) for row in chosen[:limit]], words, scores),
        total=len(found),
        exact=len(found) <= wanted,
    )


@dataclass(frozen=True, slots=True)
class _Kept:
    """A message, its recipients as they are stored, and its text."""

    message: CachedMessage
    recipients: str
    text: str


_SELECT = """SELECT messages.row, messages.account_id, messages.message_id, messages.thread_id,
    messages.header_message_id, messages.date, messages.size, messages.has_attachments, messages.labels,
    messages.flags, messages.sender, messages.sender_name, messages.subject, messages.recipients,
    messages.snippet, messages.list_id, messages.filenames"""
_WITHOUT_TEXT = f"{_SELECT}, '' FROM messages"
_WITH_TEXT = (
    f"{_SELECT}, message_text.text FROM messages LEFT JOIN message_text ON message_text.row = messages.row"
)


def _read(tx: Connection, numbers: Sequence[int], *, with_text: bool = True) -> dict[int, _Kept]:
    """The messages of these rows, with their texts where these are asked for."""
    kept: dict[int, _Kept] = {}
    beginning = _WITH_TEXT if with_text else _WITHOUT_TEXT
    for some in chunks(numbers):
        statement = Sql(f"{beginning} WHERE messages.row IN ({marks(len(some))})", tuple(some))
        for (
            number, account, message_id, thread, header, date, size, attached, labels, flags, sender, name, subject,
            recipients, snippet, list_id, filenames, text,
        ) in rows(tx, statement):  # fmt: skip
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
    found: Iterator[RankedRow],
    matcher: Matcher,
    names: Mapping[str, str],
    tested: dict[int, _Kept],
) -> Iterator[RankedRow]:
    """Those of the candidates that match; their messages are put into `tested`."""
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


def _score(candidate: RankedRow, now: float) -> float:
    age = max(0.0, now - (candidate[1] or 0.0))
    return -float(candidate[2]) * (0.5 + 0.5 * FRESH_S / (FRESH_S + age))


def _hits(
    shown: Sequence[tuple[int, _Kept]], words: frozenset[str], scores: Mapping[int, float]
) -> tuple[SearchHit, ...]:
    make = Excerpts(words)
    return tuple(
        SearchHit(
            message=kept.message,
            excerpt=make.of(kept.text, kept.message.snippet, partial(_headers, kept)),
            score=scores.get(row, 0.0),
        )
        for row, kept in shown
    )


def _headers(kept: _Kept) -> str:
    message = kept.message
    return "\n".join((message.subject, message.sender_name, message.sender, kept.recipients))
