"""Update the copy of an account's mail if possible, then search it. Entry: `find`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gaia_email.ledger import Ledger
from gaia_email.ledger.search import Order, SearchPage, search
from gaia_email.ledger.search_index import SearchScope
from gaia_email.mailbox.sync import SyncOutcome, labels_document
from gaia_email_registry.errors import MailError, NeedsAuth, ProviderError, RateLimited
from gaia_mail.query.grammar import parse_query


@dataclass(frozen=True, slots=True, kw_only=True)
class MailSearch:
    """A search in an account's mail; `me` has the user's own addresses."""

    query: str
    account_id: str
    me: tuple[str, ...] = ()
    order: Order = "best"
    limit: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class MailSearchResult:
    """The result of a search.

    Attributes:
        found: The page of results.
        as_of: Time of the copy, epoch seconds; None if it was never completed.
        messages: Messages in the copy.
        problem: Why the copy could not be updated; empty if it was, or was not to be.
        headers_only: Messages whose text was not read yet, so that a search cannot find their words.
    """

    found: SearchPage
    as_of: float | None
    messages: int
    problem: str = ""
    headers_only: int = 0


def find(ledger: Ledger, wanted: MailSearch, refresh: Callable[[], SyncOutcome] | None) -> MailSearchResult:
    """Search the copy of an account's mail.

    Args:
        ledger: The ledger with the copy.
        wanted: The search.
        refresh: Updates the copy; None to search it as it is.

    Raises:
        BadArgument: The query cannot be parsed.
        NeedsAuth, ProviderError, RateLimited: The mailbox does not answer, and there is no copy of it yet.
    """
    query = parse_query(wanted.query)
    problem = ""
    if refresh is not None:
        try:
            refresh()
        except (NeedsAuth, ProviderError, RateLimited) as error:
            problem = _or_raise(ledger, wanted.account_id, error)
    with ledger.read() as tx:
        document = ledger.documents.read(tx, labels_document(wanted.account_id))
        names = {id_: str(name) for id_, name in document.value.items()} if document else {}
        scope = SearchScope(account_id=wanted.account_id, labels=names, me=wanted.me)
        found = search(tx, query, now=ledger.clock(), limit=wanted.limit, order=wanted.order, scope=scope)
        as_of = ledger.cache.state(tx, wanted.account_id).last_sync
        messages = ledger.cache.count(tx, wanted.account_id)
        is_current = refresh is not None and not problem
        unread = 0 if is_current else len(ledger.cache.sources.unread(tx, wanted.account_id))
    return MailSearchResult(found=found, as_of=as_of, messages=messages, problem=problem, headers_only=unread)


def _or_raise(ledger: Ledger, account_id: str, error: MailError) -> str:
    with ledger.read() as tx:
        if not ledger.cache.count(tx, account_id):
            raise error
    return error.message
