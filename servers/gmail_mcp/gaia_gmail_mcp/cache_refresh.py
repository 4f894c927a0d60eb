"""Keeps the labels of summaries that were read in line with Gmail, by its history. Entry: `CacheRefresh`."""

from __future__ import annotations

from collections.abc import Sequence

from gaia_email_registry.errors import BadArgument, MailError, NotFound
from gaia_gmail_mcp.account import GmailAccount, loop_time
from gaia_gmail_mcp.calls import Resource
from gaia_gmail_mcp.profile import MOST_LISTED, history_call

TRUSTED_S = 2.0
"""Seconds for which labels just read are taken as they were; a tool that reads and then writes asks once."""

_HISTORY_PAGES = 4
_READ_PER_PAGE = 50
"""Messages of which reading the labels again costs far more than a page of the history does."""
_FEW = 10
"""So many messages are sooner read again than the history of a change of many is followed."""


class CacheRefresh:
    """Follows the history of one account as far as that is cheaper than reading again."""

    def __init__(self, account: GmailAccount) -> None:
        self._account, self._known = account, account.known

    async def refresh(self, ids: Sequence[str]) -> None:
        """See to it that the labels of those that are kept are right, or that they are kept no more."""
        if not self._known.has_any(ids) or self._known.fresh(ids, loop_time() - TRUSTED_S):
            return
        if len(ids) > _FEW:
            await self._look(max(_HISTORY_PAGES, len(ids) // _READ_PER_PAGE))
        elif not await self._followed(1):
            self._known.forget(ids)

    async def refresh_meanwhile(self) -> bool:
        """Beside a search whose hits will likely be kept: whether labels are right; what goes wrong shows later.

        After a change of many messages the history takes more requests than the hits do.
        """
        if not len(self._known) or self._known.fresh((), loop_time() - TRUSTED_S):
            return True
        try:
            return await self._followed(1)
        except MailError:
            return True

    async def _look(self, pages: int = _HISTORY_PAGES) -> None:
        """Bring the labels in `known` up to date, or forget them where that takes more pages of the history."""
        if not await self._followed(pages):
            self._known.clear((await self._account.profile()).history)

    async def _followed(self, pages: int) -> bool:
        """Follow the history for so many pages; whether it was followed to its end."""
        now = loop_time()
        if (
            not self._known.history
        ):  # of an account that was known, Gmail has not said yet where its history stands
            self._known.clear((await self._account.profile()).history)
            self._known.looked(now)
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
                self._known.looked(now)
                return True
            self._known.history = records[-1]["id"]
        return False
