"""Searches an account with the query grammar that all servers share. Entry: `search`.

The index decides what it can. For words in the body, the server names the candidates and the messages themselves
decide; they are fetched only until the page is full.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from gaia_email_registry.errors import BadArgument
from gaia_imap_mcp.account import ImapAccount
from gaia_imap_mcp.index.limits import limits
from gaia_imap_mcp.index.search_terms import needed_words, needs_content, where
from gaia_imap_mcp.index.snoozed import is_snooze_folder
from gaia_imap_mcp.index.views import IndexRow, message_copies, newest
from gaia_imap_mcp.protocol.arguments import string
from gaia_imap_mcp.protocol.errors import CommandRefused
from gaia_imap_mcp.protocol.labels_from_flags import split
from gaia_mail.header_facts import address_text, unpack
from gaia_mail.query.grammar import Query
from gaia_mail.query.match import Matcher, SearchableMessage, compile_query
from gaia_mail.snippet import SearchableContent, content
from gaia_mail_mcp.mailbox import IdPage

CHUNK = 500
"""Messages matched together."""
BODIES, BODY_BYTES = 50, 16_000_000
"""Limits for bodies fetched together: messages, and bytes; a larger message is fetched alone."""

_CURSOR = re.compile(r"(-?\d{1,15}(?:\.\d{1,9})?(?:e[+-]?\d{1,3})?):([0-9a-f]{16})", re.ASCII)
_EMPTY = SearchableContent("", (), "", False)


class _Undecided(Exception):
    """The match depends on the body, which has not been fetched."""


def search(account: ImapAccount, query: Query, *, limit: int, cursor: str | None, now: dt.datetime) -> IdPage:
    """Return matching ids, newest first. `total` is exact unless bodies have to be searched.

    Raises:
        BadArgument: The cursor does not come from an earlier page.
        NeedsAuth, ProviderError: Bodies are needed and the server cannot be reached.
    """
    after = _read_cursor(cursor) if cursor is not None else None
    address = account.settings.address
    matcher = compile_query(query, now, (address,) if "@" in address else ())
    condition, values = where(query)
    found = newest(account.index, condition, values)
    hits: list[IndexRow] = []
    total = 0
    costly = False
    for chunk in _chunks(found):
        matching, was_costly = _matching(account, chunk, query, matcher, after)
        costly = costly or was_costly
        total += len(matching)
        hits.extend(row for row in matching if after is None or _key(row) > after)
        if costly and len(hits) > limit:
            break
    page = hits[: max(limit, 1)]
    more = len(hits) > len(page)
    return IdPage(
        ids=tuple(row.id for row in page),
        next_cursor=f"{page[-1].instant!r}:{page[-1].id}" if more else None,
        total=total,
        exact=not costly or (after is None and not more),
    )


def _chunks(found: Iterator[IndexRow]) -> Iterator[list[IndexRow]]:
    while chunk := list(islice(found, CHUNK)):
        yield chunk


def _matching(
    account: ImapAccount,
    chunk: list[IndexRow],
    query: Query,
    matcher: Matcher,
    after: tuple[float, str] | None,
) -> tuple[list[IndexRow], bool]:
    """Return the hits of a chunk in order, and True if bodies were needed; earlier pages need none."""
    if needs_content(query):
        undecided = [row for row in chunk if after is None or _key(row) > after]
        hits: set[str] = set()
    else:
        undecided, hits = _by_index(chunk, matcher)
        undecided = [row for row in undecided if after is None or _key(row) > after]
    costly = bool(undecided) or needs_content(query)
    candidates = _narrow(account, undecided, query)
    for some in _batches(candidates):
        bodies = account.bodies([row.id for row in some], limits({row.id: row.size for row in some}))
        for row in some:
            raw = bodies.get(row.id)
            if raw is not None and matcher(_document(row, content(raw))):
                hits.add(row.id)
    return [row for row in chunk if row.id in hits], costly


def _batches(rows: list[IndexRow]) -> Iterator[list[IndexRow]]:
    batch: list[IndexRow] = []
    room = BODY_BYTES
    for row in rows:
        if batch and (len(batch) == BODIES or row.size > room):
            yield batch
            batch, room = [], BODY_BYTES
        batch.append(row)
        room -= row.size
    if batch:
        yield batch


def _by_index(chunk: list[IndexRow], matcher: Matcher) -> tuple[list[IndexRow], set[str]]:
    """Return the rows that only their body can decide, and the ids of hits."""
    undecided: list[IndexRow] = []
    hits: set[str] = set()
    for row in chunk:
        try:
            if matcher(_document(row, None)):
                hits.add(row.id)
        except _Undecided:
            undecided.append(row)
    return undecided, hits


def _narrow(account: ImapAccount, rows: list[IndexRow], query: Query) -> list[IndexRow]:
    """Return the rows in which the server finds the needed words; all rows of a folder it cannot search."""
    words = needed_words(query)
    if not words or not rows:
        return rows
    criteria = [part for word in words for part in (b"TEXT", bytes(string(word)))]
    by_folder: dict[str, dict[int, str]] = {}
    for row in rows:
        for copy in message_copies(account.index, row.id)[:1]:
            by_folder.setdefault(copy.folder, {})[copy.uid] = row.id
    kept: set[str] = set()
    for folder, uids in by_folder.items():
        try:
            kept.update(uids[uid] for uid in account.narrow(folder, list(uids), criteria) if uid in uids)
        except CommandRefused:
            kept.update(uids.values())
    return [row for row in rows if row.id in kept]


def _document(row: IndexRow, found: SearchableContent | None) -> SearchableMessage:
    facts = unpack(row.facts)
    seen = found or _EMPTY
    return SearchableMessage(
        sender=address_text([facts.sender]),
        to=address_text(facts.to),
        cc=address_text(facts.cc),
        bcc=address_text(facts.bcc),
        delivered_to=seen.delivered_to,
        subject=facts.subject,
        body=_demand_body if found is None else lambda: found.searchable,
        labels=_labels(row.packed_labels),
        date=row.instant or None,
        size=row.size,
        filenames=seen.filenames,
        message_id=facts.message_id,
        list_id=facts.list_id,
        has_attachment=bool(row.attached),
    )


@lru_cache(maxsize=4096)
def _labels(packed: str) -> tuple[str, ...]:
    """Return labels as searches see them: a message in the snooze folder also has `SNOOZED`."""
    found = split(packed)
    return (*found, "SNOOZED") if any(map(is_snooze_folder, found)) else found


def _demand_body() -> str:
    raise _Undecided


def _key(row: IndexRow) -> tuple[float, str]:
    return -row.instant, row.id


def _read_cursor(text: str) -> tuple[float, str]:
    match = _CURSOR.fullmatch(text)
    if match is None:
        raise BadArgument(
            "That is not a cursor of this search: give back the next_cursor of the page before.",
            argument="cursor",
        )
    return -float(match[1]), match[2]
