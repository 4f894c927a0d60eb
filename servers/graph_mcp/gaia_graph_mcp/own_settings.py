"""Settings that act on mail: rules as filters, automatic replies and unsubscribing. Entry: `GraphSettings`.

Rules and replies need `MailboxSettings.ReadWrite`.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gaia_email_registry.contract.wire import Filter, FilterAction, FilterCriteria, Vacation
from gaia_email_registry.errors import BadArgument, NotFound, ProviderError
from gaia_graph_mcp.calls import Resource, delete, get, objects, patch, post
from gaia_graph_mcp.changing import GraphChanging
from gaia_graph_mcp.reading import FRESH_S
from gaia_graph_mcp.rules import filter_of, rule_of
from gaia_graph_mcp.vacation import setting_of, vacation_of
from gaia_mail_mcp.label_names import require_known
from gaia_mail_mcp.mailbox import FilterStore, Unsubscribed, Unsubscriber, VacationStore

if TYPE_CHECKING:
    from gaia_mail_mcp.one_click import OneClick

_RULES = ("mailFolders", "inbox", "messageRules")


class GraphSettings(GraphChanging, FilterStore, Unsubscriber, VacationStore):
    """Adds the capabilities `FILTERS`, `VACATION` and `UNSUBSCRIBE`."""

    one_click: OneClick | None = None
    """Client for one-click unsubscribing, created on first use."""

    @override
    async def filters(self) -> list[Filter]:
        """Return the inbox rules, including those that a filter cannot express completely."""
        await self.refresh(within_s=FRESH_S)
        folders = self.replica.folders()
        return [filter_of(rule, folders)[0] for rule in await self._rules()]

    @override
    async def create_filter(self, criteria: FilterCriteria, action: FilterAction) -> Filter:
        """Create a filter once, even though Microsoft would create two if asked twice."""
        await self.refresh(within_s=FRESH_S)
        known = [label["id"] for label in self.known_labels()]
        require_known(known, added=action.get("addLabelIds", []), removed=action.get("removeLabelIds", []))
        rule = rule_of(criteria, action, self.replica.folders())
        before = {str(one.get("id")) for one in await self._rules()}
        rule["sequence"] = len(before) + 1
        try:
            made = await self.client.call(post(*_RULES, body=rule))
        except ProviderError:
            already = next((one for one in await self._rules() if _is(one, rule, before)), None)
            if already is None:
                raise
            made = already
        return filter_of(made, self.replica.folders())[0]

    @override
    async def delete_filter(self, filter_id: str) -> Filter:
        """Delete a filter; raises `BadArgument` for a rule that undo could not restore."""
        await self.refresh(within_s=FRESH_S)
        for rule in await self._rules():
            if rule.get("id") != filter_id:
                continue
            found, whole = filter_of(rule, self.replica.folders())
            if not whole:
                raise BadArgument(
                    "This rule says more than can be made again from here; remove it in Outlook's settings.",
                    argument="filterId",
                )
            with suppress(NotFound):  # an earlier try deleted it
                await self.client.call(delete(*_RULES, filter_id))
            return found
        raise NotFound(f"There is no filter {filter_id[:80]!r}.", argument="filterId")

    @override
    async def vacation(self) -> Vacation:
        return vacation_of(await self.client.call(get("mailboxSettings", "automaticRepliesSetting")))

    @override
    async def set_vacation(self, vacation: Vacation) -> Vacation:
        """Set the automatic answer; its text stays stored while the answer is off."""
        before = await self.vacation()
        setting = setting_of(vacation, before, self._now())
        await self.client.call(patch("mailboxSettings", body={"automaticRepliesSetting": setting}))
        return await self.vacation()

    @override
    async def unsubscribe(self, message_id: str) -> Unsubscribed:
        """Unsubscribe, and log the result next to the replica, if that is a file."""
        stored = await self.read([message_id], raw=True)
        if not stored:
            raise NotFound(f"There is no message {message_id[:80]!r}.", argument="message_id")
        if self.one_click is None:
            from gaia_mail_mcp.one_click import OneClick, TrustedAuthServers, UnsubscribeLog

            path = self._replica_at
            log = UnsubscribeLog(path.with_name("unsubscribed.jsonl")) if isinstance(path, Path) else None
            # Exchange's own verdicts are recognized by their form, so no server needs to be trusted by name.
            self.one_click = OneClick(trust=TrustedAuthServers(), account=self.account, log=log)
        return await self.one_click.leave(stored[0].raw or b"")

    async def _rules(self) -> list[Resource]:
        return objects((await self.client.call(get(*_RULES))).get("value"))


def _is(found: Resource, rule: dict[str, Any], before: set[str]) -> bool:
    return str(found.get("id")) not in before and found.get("displayName") == rule["displayName"]
