"""Searches a mailbox through the ledger's copy of it. Entries: `search_mail`, `find_hits`."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gaia_email.app import App
from gaia_email.app.services.opening import account_of, owner_of, with_mail
from gaia_email.app.services.source import SourceSpec
from gaia_email.document import Count, Document, NamedAddress, Timestamp
from gaia_email.ledger import Ledger, open_ledger
from gaia_email.ledger.search import Order, SearchHit
from gaia_email.mailbox.client import MailClient
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email.mailbox.search import MailSearch, MailSearchResult, find
from gaia_email.mailbox.sync import SyncOutcome, take_in
from gaia_email_registry.errors import NotFound, ProviderError

FOUND_THERE = 100
"""Maximum number of hits of a server's own search to read and store, if the server lists only part of its mail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A search in Gmail's search grammar.

    Attributes:
        query: The words and conditions.
        limit: The maximum number of hits.
        newest: Sort by date, newest first; otherwise by relevance.
        offline: Search only the copy on this machine.
    """

    query: str
    limit: int
    newest: bool = False
    offline: bool = False


class MailHit(Document, frozen=True, kw_only=True):
    """A hit; `marks` are the matches in `snippet`, as pairs of start and end."""

    id: str
    thread_id: str
    message_id: str
    from_: NamedAddress
    subject: str
    date: Timestamp | None
    labels: tuple[str, ...]
    unread: bool
    has_attachments: bool
    snippet: str
    marks: tuple[tuple[Count, Count], ...]
    score: float


class MailHits(Document, frozen=True, kw_only=True):
    """The result of a search: the query, the hits, and how fresh the copy is.

    The text of `headers_only` messages is not on this machine.
    """

    account: str
    query: str
    order: Order
    shown: Count
    total: Count
    total_is_exact: bool
    searched: Count
    headers_only: Count
    as_of: Timestamp | None
    up_to_date: bool
    problem: str | None
    hits: list[MailHit]


def find_hits(
    app: App,
    source: SourceSpec,
    asked: SearchRequest,
    *,
    progress: Callable[[int], None] = lambda copied: None,
) -> MailHits:
    """Search as `search_mail` does, and return the hits as a document.

    Raises:
        BadArgument: The query is invalid.
        MailError: There is neither a mailbox nor a copy of it.
    """
    answer = search_mail(app, source, asked, progress=progress)
    return MailHits(
        account=account_of(app, source),
        query=asked.query,
        order=_order(asked),
        shown=len(answer.found.hits),
        total=answer.found.total,
        total_is_exact=answer.found.exact,
        searched=answer.messages,
        headers_only=answer.headers_only,
        as_of=None if answer.as_of is None else Timestamp(answer.as_of),
        up_to_date=not answer.problem and not asked.offline,
        problem=answer.problem or None,
        hits=[_mail_hit(hit) for hit in answer.found.hits],
    )


def _mail_hit(hit: SearchHit) -> MailHit:
    message = hit.message
    return MailHit(
        id=message.message_id,
        thread_id=message.thread_id,
        message_id=message.header_message_id,
        from_={"name": message.sender_name, "address": message.sender},
        subject=message.subject,
        date=None if message.date is None else Timestamp(message.date),
        labels=message.labels,
        unread="UNREAD" in message.labels,
        has_attachments=message.has_attachments,
        snippet=hit.excerpt.text,
        marks=hit.excerpt.marks,
        score=round(hit.score, 4),
    )


def _order(asked: SearchRequest) -> Order:
    return "newest" if asked.newest else "best"


def search_mail(
    app: App,
    source: SourceSpec,
    asked: SearchRequest,
    *,
    progress: Callable[[int], None] = lambda copied: None,
) -> MailSearchResult:
    """Update the copy and search it; if the mailbox cannot be reached, search the copy as it is.

    Args:
        app: The running program.
        source: The mail to search.
        asked: The search.
        progress: Receives the number of messages copied so far; 0 when copying has ended.

    Raises:
        BadArgument: The query is invalid.
        NotFound: There is no copy yet, and the search is offline.
        MailError: There is neither a mailbox nor a copy of it.
    """
    if source.kind != "demo":
        with app.ledger() as ledger:
            return _find(app, ledger, source, asked, progress)
    with (
        tempfile.TemporaryDirectory(prefix="gaia-demo-") as folder,
        open_ledger(url=f"sqlite:///{Path(folder) / 'ledger.db'}") as ledger,
    ):
        return _find(app, ledger, source, asked, progress)


def _find(
    app: App, ledger: Ledger, source: SourceSpec, asked: SearchRequest, progress: Callable[[int], None]
) -> MailSearchResult:
    account = account_of(app, source)
    wanted = MailSearch(
        query=asked.query,
        account_id=account,
        me=owner_of(app, source),
        order=_order(asked),
        limit=asked.limit,
    )

    async def follow(mail: MailClient) -> SyncOutcome:
        synced = await MailCopy(mail, ledger, account=account).follow(progress=progress)
        if mail.poll_s:  # such a server lists only part of its mail, but its own search covers all of it
            with suppress(ProviderError):
                hits = await mail.search(asked.query, limit=FOUND_THERE)
                await take_in(mail, ledger, account, hits["emails"])
        return synced

    def refresh() -> SyncOutcome:
        try:
            return with_mail(app, source, follow, now=app.clock())
        finally:
            progress(0)

    if asked.offline:
        with ledger.read() as tx:
            if not ledger.cache.count(tx, account):
                raise NotFound(
                    "There is no copy of this mail yet.", hint="repeat the search without --offline."
                )
    return find(ledger, wanted, None if asked.offline else refresh)
