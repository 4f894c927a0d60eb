"""The inbox as last listed, from the stored rows of the ledger. Entries: `kept_inbox`, `count_inbox`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.app.documents.listing import InboxListing, InboxPart
from gaia_email.app.documents.mail_types import SECTIONS, BucketCounts, SectionName
from gaia_email.app.services.inbox_rows import InboxRequest, list_inbox
from gaia_email.app.services.opening import is_connected
from gaia_email.document import Document
from gaia_email.ledger.policy_store import has_ledger, stored_rules
from gaia_email.mailbox.ref import server_account
from gaia_email_registry.accounts import find_account

if TYPE_CHECKING:
    from gaia_email.app.services.source import SourceSpec


class InboxCounts(Document, frozen=True, kw_only=True):
    """The number of threads per section; `counts` is empty if the inbox was never listed."""

    counts: dict[str, BucketCounts]


def count_inbox(app: App, sources: Sequence[SourceSpec]) -> InboxCounts:
    """Return the counts of the last listing of these mailboxes; empty if one was never listed.

    No mailbox is contacted and nothing is sorted, except for mail files that were only named, which have no
    stored rows.

    Raises:
        MailError: The ledger or such files cannot be read.
    """
    return InboxCounts(counts={str(name): counts for name, counts in _counted(app, sources).items()})


def _counted(app: App, sources: Sequence[SourceSpec]) -> Mapping[SectionName, BucketCounts]:
    if not all(is_connected(app, source) or source.kind == "server" for source in sources):
        request = InboxRequest(rules=stored_rules(environ=app.environ), now=app.clock())
        return list_inbox(app, sources, request)[0].counts
    if not has_ledger(app.environ):
        return {}
    accounts = [_account(app, source) for source in sources]
    if len(accounts) > 1:  # a message received by several accounts counts once, so all rows are compared
        found = kept_inbox(app, sources)
        return found.counts if found else {}
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        if ledger.cache.rows.state(tx, accounts[0]) is None:
            return {}
        by_section = ledger.cache.rows.counts(tx, accounts[0])
    return {name: _counts(*by_section.get(name, (0, 0))) for name in SECTIONS}


def kept_inbox(app: App, sources: Sequence[SourceSpec]) -> InboxListing | None:
    """Return the inbox of these mailboxes as last listed; None if one was never listed.

    No mailbox is contacted and nothing is sorted.
    """
    if not has_ledger(app.environ):
        return None
    accounts = [_account(app, source) for source in sources]
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        kept = ledger.cache.rows
        if any(kept.state(tx, account) is None for account in accounts):
            return None
        found = {account: kept.rows(tx, account) for account in accounts}

    def documents(numbers: Iterable[int]) -> Mapping[int, str]:
        with app.ledger(read_only=True) as ledger, ledger.read() as tx:
            return ledger.cache.rows.documents(tx, numbers)

    return InboxListing.of(
        [
            InboxPart(account=account, rows=rows, problems=(), older=0, documents=documents)
            for account, rows in found.items()
        ]
    )


def _counts(threads: int, unread: int) -> BucketCounts:
    return {"threads": threads, "unread": unread}


def _account(app: App, source: SourceSpec) -> str:
    """Return the name of a mailbox's copy; see `gaia_email.app.services.opening.open_kept_copy`."""
    if source.kind == "account":
        return find_account(source.path, app.environ).address
    return server_account(source.path) if source.kind == "server" else source.mailbox.name
