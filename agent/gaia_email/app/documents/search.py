"""The document of `search`. Entries: `search_document`, `hit_row`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypedDict

from gaia_email.document import Count, FromAddress, Version, at_if_known

if TYPE_CHECKING:
    from gaia_email.ledger.search import SearchHit
    from gaia_email.mailbox.search import MailSearchResult


class HitRow(FromAddress):
    """One message; `marks` are the places in `snippet` that were looked for, as pairs of start and end."""

    id: str
    thread_id: str
    message_id: str
    subject: str
    date: str | None
    labels: list[str]
    unread: bool
    has_attachments: bool
    snippet: str
    marks: list[list[Count]]
    score: float


class SearchDocument(TypedDict):
    """What `search` prints; of `headers_only` messages the text is not on this machine."""

    schema_version: Version
    account: str
    query: str
    order: Literal["best", "newest"]
    shown: Count
    total: Count
    total_is_exact: bool
    searched: Count
    headers_only: Count
    as_of: str | None
    up_to_date: bool
    problem: str | None
    hits: list[HitRow]


SEARCH_DOCUMENTS: dict[str, object] = {"search": SearchDocument}


def search_document(
    answer: MailSearchResult, rows: Sequence[HitRow], *, query: str, newest: bool, offline: bool, account: str
) -> SearchDocument:
    """What was asked, how much was found, and how fresh the copy is, around the rows of `hit_row`."""
    return {
        "schema_version": 1,
        "account": account,
        "query": query,
        "order": "newest" if newest else "best",
        "shown": len(rows),
        "total": answer.found.total,
        "total_is_exact": answer.found.exact,
        "searched": answer.messages,
        "headers_only": answer.headers_only,
        "as_of": at_if_known(answer.as_of),
        "up_to_date": not answer.problem and not offline,
        "problem": answer.problem or None,
        "hits": list(rows),
    }


def hit_row(hit: SearchHit) -> HitRow:
    """One message; `marks` are the places in `snippet` that were looked for, as pairs of start and end."""
    message = hit.message
    return {
        "id": message.message_id,
        "thread_id": message.thread_id,
        "message_id": message.header_message_id,
        "from": {"name": message.sender_name, "address": message.sender},
        "subject": message.subject,
        "date": at_if_known(message.date),
        "labels": list(message.labels),
        "unread": "UNREAD" in message.labels,
        "has_attachments": message.has_attachments,
        "snippet": hit.excerpt.text,
        "marks": [list(mark) for mark in hit.excerpt.marks],
        "score": round(hit.score, 4),
    }
