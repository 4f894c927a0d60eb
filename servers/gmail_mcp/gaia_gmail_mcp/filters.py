"""Filters of a Gmail account. Entry: `Filters`."""

from __future__ import annotations

from typing_extensions import override

from gaia_email_registry.contract.wire import Filter, FilterAction, FilterCriteria
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_gmail_mcp.account import GmailAccount
from gaia_gmail_mcp.calls import Resource, delete, get, post
from gaia_gmail_mcp.units import Units
from gaia_mail_mcp.mailbox import FilterStore


class Filters(FilterStore):
    """Rules that Gmail applies to mail as it arrives."""

    def __init__(self, account: GmailAccount) -> None:
        self._account = account

    @override
    async def filters(self) -> list[Filter]:
        found = await self._account.call(get("settings", "filters", units=Units.LIST_SETTINGS))
        return [_filter(item) for item in found.get("filter", ())]

    @override
    async def create_filter(self, criteria: FilterCriteria, action: FilterAction) -> Filter:
        for argument, given in (("criteria", criteria), ("action", action)):
            if not given:
                raise BadArgument(
                    "A filter needs something to look for, and something to do.", argument=argument
                )
        body = {"criteria": criteria, "action": action}
        call = post("settings", "filters", units=Units.MESSAGE, body=body, repeatable=False)
        return _filter(await self._account.call(call))

    @override
    async def delete_filter(self, filter_id: str) -> Filter:
        for found in await self.filters():
            if found["id"] == filter_id:
                await self._account.call(delete("settings", "filters", filter_id, units=Units.MESSAGE))
                return found
        raise NotFound(f"There is no filter {filter_id[:80]!r}.", argument="filterId")


def _filter(resource: Resource) -> Filter:
    return Filter(id=resource["id"], criteria=resource.get("criteria", {}), action=resource.get("action", {}))
