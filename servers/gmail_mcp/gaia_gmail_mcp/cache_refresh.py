"""Brings the labels of cached summaries up to date from Gmail's history. Entry: `CacheRefresh`."""

from __future__ import annotations

from collections.abc import Sequence

from gaia_email_registry.errors import BadArgument, MailError, NotFound
from gaia_gmail_mcp.account import GmailAccount, loop_time
from gaia_gmail_mcp.calls import Resource
from gaia_gmail_mcp.profile import MOST_LISTED, history_call

TRUSTED_S = 2.0
"""Seconds for which labels just read are trusted, so that a tool that reads and then writes asks Gmail once."""

_HISTORY_PAGES = 4
_READ_PER_PAGE = 50
"""Messages per history page: re-reading the labels of this many costs far more than one page of history."""
_FEW = 10
"""Up to this many messages are re-read rather than following the history of a large change."""


class CacheRefresh:
    """Follows the history of one account as long as that is cheaper than re-reading messages."""

    def __init__(self, account: GmailAccount) -> None:
        self._account, self._known = account, account.known

    async def refresh(self, ids: Sequence[str]) -> None:
        """Bring the cached labels of these messages up to date, or drop the messages from the cache."""
        if not self._known.has_any(ids) or self._known.fresh(ids, loop_time() - TRUSTED_S):
            return
        if len(ids) > _FEW:
            await self._refresh_all(max(_HISTORY_PAGES, len(ids) // _READ_PER_PAGE))
        elif not await self._follow(1):
            self._known.forget(ids)

    async def refresh_meanwhile(self) -> bool:
        """Refresh the cache while a search runs; return True if the cached labels can be used.

        If many messages changed, following the history takes more requests than fetching the search results, so only
        one page is read. Errors are ignored: the search itself reports them.
        """
        if not len(self._known) or self._known.fresh((), loop_time() - TRUSTED_S):
            return True
        try:
            return await self._follow(1)
        except MailError:
            return True

    async def _refresh_all(self, pages: int = _HISTORY_PAGES) -> None:
        """Bring the labels in `known` up to date, or clear the cache if that takes more than `pages` of history."""
        if not await self._follow(pages):
            self._known.clear((await self._account.profile()).history)

    async def _follow(self, pages: int) -> bool:
        """Follow at most this many pages of history; return True if its end was reached."""
        now = loop_time()
        # An account with notes from an earlier run has not read its history id yet.
        if not self._known.history:
            self._known.clear((await self._account.profile()).history)
            self._known.mark_refreshed(now)
            return True
        for _ in range(pages):
            try:
                page = await self._account.client.call(history_call(self._known.history, MOST_LISTED))
            except (NotFound, BadArgument):
                return False
            records: list[Resource] = page.get("history", [])
            self._known.apply(records)
            if not page.get("nextPageToken"):
                self._known.history = page.get("historyId", self._known.history)
                self._known.mark_refreshed(now)
                return True
            self._known.history = records[-1]["id"]
        return False
