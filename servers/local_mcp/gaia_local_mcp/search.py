"""Searches a `MailIndex` with the query grammar that all servers share. Entry: `search`.

Bodies are decoded only if the query depends on them, and in a large mailbox only until the page is full.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections.abc import Callable, Sequence

from gaia_email_registry.accounts import addresses_in
from gaia_email_registry.errors import BadArgument
from gaia_local_mcp.entry import IndexEntry
from gaia_local_mcp.index import MailIndex
from gaia_mail.files.location import read_location
from gaia_mail.header_facts import address_text
from gaia_mail.query.grammar import Query
from gaia_mail.query.match import SearchableMessage, compile_query
from gaia_mail.query.nodes import And, Field, Near, Node, Not, Or, Text
from gaia_mail.snippet import SearchableContent, content
from gaia_mail_mcp.mailbox import IdPage

_DECODED = frozenset({"has", "filename", "deliveredto"})
"""Operators whose values are not in the index."""
MOST_COUNTED = 1_000
"""Size of the largest mailbox in which all hits are counted, even if that means reading every body."""
_HIDDEN = ("SPAM", "TRASH")
_EMPTY = SearchableContent("", (), "", False)


def search(
    index: MailIndex, query: Query, *, limit: int, cursor: str | None, now: dt.datetime, account: str
) -> IdPage:
    """Return a page of hits, newest first.

    `total` is exact unless the query needs the bodies of more than `MOST_COUNTED` messages.

    Raises:
        BadArgument: The cursor does not come from an earlier page.
    """
    order = index.newest_first()
    start = _position(index, order, cursor)
    fields, words = _needs(query.root) if query.root is not None else (False, False)
    costly = (fields or words) and len(order) > MOST_COUNTED
    hits: list[str] = []
    total = 0
    test = _test(query, now, account, fields)
    for position in range(start if costly else 0, len(order)):
        if not test(index.entries[order[position]]):
            continue
        total += 1
        if position >= start and len(hits) <= limit:
            hits.append(order[position])
        if costly and len(hits) > limit:
            break
    more = len(hits) > limit
    ids = tuple(hits[:limit])
    return IdPage(
        ids=ids,
        next_cursor=_cursor(index.entries[ids[-1]]) if more and ids else None,
        total=total,
        exact=not costly or (start == 0 and not more),
    )


def _test(query: Query, now: dt.datetime, account: str, fields: bool) -> Callable[[IndexEntry], bool]:
    if query.root is None:
        return lambda entry: not any(label in entry.labels for label in _HIDDEN)
    matcher = compile_query(query, now, addresses_in(account))
    return lambda entry: matcher(_document(entry, fields))


def _document(entry: IndexEntry, fields: bool) -> SearchableMessage:
    facts = entry.facts()
    found = _decode(entry) if fields else _EMPTY
    return SearchableMessage(
        sender=address_text([facts.sender]),
        to=address_text(facts.to),
        cc=address_text(facts.cc),
        bcc=address_text(facts.bcc),
        delivered_to=found.delivered_to,
        subject=facts.subject,
        body=lambda: (found if fields else _decode(entry)).searchable,
        labels=entry.labels,
        date=entry.when or None,
        size=entry.size,
        filenames=found.filenames,
        message_id=facts.message_id,
        list_id=facts.list_id,
        has_attachment=found.has_attachments,
    )


def _decode(entry: IndexEntry) -> SearchableContent:
    try:
        return content(read_location(entry.location))
    except OSError:
        return _EMPTY


def _needs(node: Node) -> tuple[bool, bool]:
    """Return two flags: the query needs decoded fields, and the query needs the body."""
    match node:
        case And() | Or():
            needs = [_needs(part) for part in node.parts]
            return any(fields for fields, _ in needs), any(words for _, words in needs)
        case Not():
            return _needs(node.part)
        case Text() | Near():
            return False, True
        case Field():
            return node.name in _DECODED, False
        case _:
            return False, False


def _cursor(entry: IndexEntry) -> str:
    return f"{entry.when!r}:{entry.id}"


def _position(index: MailIndex, order: Sequence[str], cursor: str | None) -> int:
    """Return the index in `order` at which the page after a cursor starts; its message may be gone."""
    if cursor is None:
        return 0
    when, _, id_ = cursor.partition(":")
    try:
        after = (-float(when), id_)
    except ValueError:
        raise BadArgument(
            "That is not a cursor of this search: give back the next_cursor of the page before.",
            argument="cursor",
        ) from None
    return bisect_right(order, after, key=lambda found: (-index.entries[found].when, found))
