"""Searches a mailbox through the ledger's copy of it. Entry: `search_mail`."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gaia_email.app import App
from gaia_email.app.services.opening import account_of, owner_of, with_mail
from gaia_email.app.services.source import SourceSpec
from gaia_email.ledger import Ledger, open_ledger
from gaia_email.mailbox.client import MailClient
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email.mailbox.search import MailSearch, MailSearchResult, find
from gaia_email.mailbox.sync import SyncOutcome, take_in
from gaia_email_registry.errors import NotFound, ProviderError

FOUND_THERE = 100
"""Hits of a server's own search that are read and kept, where it lists only a part of its mail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """What is looked for, in Gmail's search grammar.

    Attributes:
        query: The words and conditions.
        limit: How many hits at most.
        newest: Whether the newest come first; else the best.
        offline: Whether only the copy on this machine is asked.
    """

    query: str
    limit: int
    newest: bool = False
    offline: bool = False


def search_mail(
    app: App,
    source: SourceSpec,
    asked: SearchRequest,
    *,
    progress: Callable[[int], None] = lambda copied: None,
) -> MailSearchResult:
    """Bring the copy up to date, then search it; where the mailbox cannot be reached, the copy as it is.

    Args:
        app: The running program.
        source: Which mail.
        asked: What is looked for.
        progress: Told how many messages were copied so far; 0 when that is over.

    Raises:
        BadArgument: The query cannot be read.
        NotFound: There is no copy yet, and only that was to be asked.
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
        order="newest" if asked.newest else "best",
        limit=asked.limit,
    )

    async def follow(mail: MailClient) -> SyncOutcome:
        synced = await MailCopy(mail, ledger, account=account).follow(progress=progress)
        if mail.poll_s:  # such a server lists only a part of its mail, and its own search knows all of it
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
