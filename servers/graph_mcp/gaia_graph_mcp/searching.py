"""Searches a Graph mailbox with the common query grammar. Entry: `search_replica`.

Headers, labels, dates and sizes are matched in the replica, without a request. A query that searches bodies is narrowed
in the replica first; the remaining bodies are fetched 20 at a time until the page is full. Outlook's `$search` is not
used: it stems words, stops at 1,000 hits and is weak on personal accounts, so it could hide a hit.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from gaia_email_registry.accounts import addresses_in
from gaia_graph_mcp.folders import PREFIX, GraphFolders
from gaia_graph_mcp.replica import Replica
from gaia_graph_mcp.rows import ReplicaRow
from gaia_mail.header_facts import address_text
from gaia_mail.query.grammar import Query
from gaia_mail.query.match import Matcher, SearchableMessage, compile_query
from gaia_mail.query.nodes import And, Field, Near, Node, Not, Or, Text
from gaia_mail.snippet import SearchableContent, content

AT_ONCE = 20
"""Bodies fetched before checking whether the page is full: one batch."""

_DECODED = frozenset({"filename", "deliveredto"})
_KNOWN_HAS = frozenset({"attachment", "userlabels", "nouserlabels"})

Numbered = tuple[int, ReplicaRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphHits:
    """A page of hits with their numbers; `total` counts all hits, or a lower bound if not `exact`."""

    found: Sequence[Numbered]
    more: bool
    total: int
    exact: bool


class SearchedMailbox(Protocol):
    """The parts of a mailbox that a search needs."""

    @property
    def account(self) -> str:
        """Address of the mailbox."""
        ...

    @property
    def replica(self) -> Replica:
        """The local copy."""
        ...

    async def bodies(self, rows: Sequence[ReplicaRow]) -> dict[str, bytes]:
        """Return the messages' bytes, by id."""
        ...


class _BodyNeeded(Exception):
    """The query needs the message's body."""


async def search_replica(
    mailbox: SearchedMailbox, query: Query, *, limit: int, after: tuple[float, int] | None, now: dt.datetime
) -> GraphHits:
    """Return a page of hits after a place, newest first."""
    test = compile_query(query, now, addresses_in(mailbox.account))
    matcher = _RowMatcher(mailbox.replica, test, decoded=query.root is not None and _decodes(query.root))
    if query.root is None or not _reads(query.root):
        return _of_headers(matcher, limit, after)
    found: list[Numbered] = []
    waiting: list[Numbered] = []
    for numbered in list(mailbox.replica.newest_first(after)):  # others write while bodies are fetched
        if matcher.may_hit(numbered[1]):
            waiting.append(numbered)
        if len(waiting) == AT_ONCE:
            found += await _decide(mailbox, matcher, waiting)
            waiting = []
            if len(found) > limit:
                break
    found += await _decide(mailbox, matcher, waiting)
    more = len(found) > limit
    return GraphHits(found=found[:limit], more=more, total=len(found), exact=after is None and not more)


def _of_headers(matcher: _RowMatcher, limit: int, after: tuple[float, int] | None) -> GraphHits:
    hits = [numbered for numbered in matcher.replica.newest_first() if matcher.may_hit(numbered[1])]
    rest = (
        hits if after is None else [one for one in hits if (-one[1].when, -one[0]) > (-after[0], -after[1])]
    )
    return GraphHits(found=rest[:limit], more=len(rest) > limit, total=len(hits), exact=True)


async def _decide(
    mailbox: SearchedMailbox, matcher: _RowMatcher, waiting: Sequence[Numbered]
) -> list[Numbered]:
    """Return the hits among the rows, fetching a body only if the query needs it."""
    needed = [row for _, row in waiting if matcher.needs_body(row)]
    bodies = await mailbox.bodies(needed) if needed else {}
    return [
        numbered
        for numbered in waiting
        if not matcher.needs_body(numbered[1])
        or (numbered[1].id in bodies and matcher.hits(numbered[1], content(bodies[numbered[1].id])))
    ]


class _RowMatcher:
    """Tests rows against the query, as far as their bodies are known."""

    def __init__(self, replica: Replica, test: Matcher, *, decoded: bool) -> None:
        self.replica = replica
        self._test = test
        self._decoded = decoded
        self._folders = replica.folders()
        self._names = self._folders.own()
        self._snoozed = replica.snooze_times()

    def may_hit(self, row: ReplicaRow) -> bool:
        """Return True if the row is a hit or could be one."""
        return self._verdict(row) is not False

    def needs_body(self, row: ReplicaRow) -> bool:
        """Return True if the query needs the row's body."""
        return self._verdict(row) is None

    def hits(self, row: ReplicaRow, found: SearchableContent) -> bool:
        """Return True if the row and its body match."""
        return self._test(self._document(row, found))

    def _verdict(self, row: ReplicaRow) -> bool | None:
        if self._decoded:
            return None
        try:
            return self._test(self._document(row, None))
        except _BodyNeeded:
            return None

    def _document(self, row: ReplicaRow, found: SearchableContent | None) -> SearchableMessage:
        facts = row.header()
        return SearchableMessage(
            sender=address_text([facts.sender]),
            to=address_text(facts.to),
            cc=address_text(facts.cc),
            bcc=address_text(facts.bcc),
            delivered_to=found.delivered_to if found else "",
            subject=facts.subject,
            body=(lambda: found.searchable) if found else _require_body,
            labels=labels_for_search(row, self._folders, self._names, snoozed=row.id in self._snoozed),
            date=row.when or None,
            size=row.size,
            filenames=found.filenames if found else (),
            message_id=facts.message_id,
            list_id=facts.list_id,
            has_attachment=found.has_attachments if found else row.has_attachments,
        )


def labels_for_search(
    row: ReplicaRow, folders: GraphFolders, names: dict[str, str], *, snoozed: bool
) -> tuple[str, ...]:
    """Return the label ids and the names of folders."""
    labels = folders.labels_of(row)
    extra = [names[label] for label in labels if label.startswith(PREFIX) and label in names]
    return (*labels, *extra, *(["SNOOZED"] if snoozed else []))


def _require_body() -> str:
    raise _BodyNeeded


def _reads(node: Node) -> bool:
    """Return True if the query may need a body."""
    match node:
        case And() | Or():
            return any(_reads(part) for part in node.parts)
        case Not():
            return _reads(node.part)
        case Text() | Near():
            return True
        case _:
            return _decodes(node)


def _decodes(node: Node) -> bool:
    """Return True if the query tests something that only a decoded message has, other than its text."""
    match node:
        case And() | Or():
            return any(_decodes(part) for part in node.parts)
        case Not():
            return _decodes(node.part)
        case Field(name="has", value=value):
            return value not in _KNOWN_HAS
        case Field():
            return node.name in _DECODED
        case _:
            return False
