"""Settings of a Gmail account: send-as addresses, vacation responder, unsubscribing and filters.

Entries: `AccountSettings`, `Filters`.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from typing import TYPE_CHECKING

from typing_extensions import override

from gaia_email_registry.contract.wire import Filter, FilterAction, FilterCriteria, SendAs, Vacation
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_gmail_mcp.account import GmailAccount
from gaia_gmail_mcp.calls import Resource, delete, get, post, put
from gaia_gmail_mcp.reading import GmailReader
from gaia_gmail_mcp.units import Units
from gaia_mail_mcp.mailbox import FilterStore, SendAsMailbox, Unsubscribed, Unsubscriber, VacationStore

if TYPE_CHECKING:
    from gaia_mail_mcp.one_click import OneClick

KEPT_S = 300.0
"""Seconds for which the list of send-as addresses is cached."""

GOOGLE = frozenset({"mx.google.com"})
"""Servers whose Authentication-Results headers are trusted in mail that Gmail received."""

_SEND_AS = "sendAs(sendAsEmail,displayName,signature,isPrimary,isDefault,verificationStatus)"


class AccountSettings(SendAsMailbox, Unsubscriber, VacationStore):
    """Implements the capabilities `SEND_AS`, `VACATION` and `UNSUBSCRIBE`.

    Attributes:
        one_click: Client for one-click unsubscribing, created on first use.
    """

    def __init__(self, account: GmailAccount, reader: GmailReader) -> None:
        self._account, self._reader = account, reader
        self.one_click: OneClick | None = None
        self._senders: tuple[float, list[SendAs]] | None = None

    @override
    async def send_as(self) -> list[SendAs]:
        """Return only the addresses that Gmail has verified."""
        now = asyncio.get_running_loop().time()
        if self._senders is None or now - self._senders[0] > KEPT_S:
            self._senders = (now, await self._read_senders())
        return [item.copy() for item in self._senders[1]]

    @override
    async def vacation(self) -> Vacation:
        return _vacation(await self._account.call(get("settings", "vacation", units=Units.LIST_SETTINGS)))

    @override
    async def set_vacation(self, vacation: Vacation) -> Vacation:
        if vacation["enabled"] and not any((vacation["subject"], vacation["body"], vacation["html_body"])):
            raise BadArgument("An automatic answer needs a subject or a text.", argument="body")
        call = put("settings", "vacation", units=Units.MESSAGE, body=_resource(vacation))
        return _vacation(await self._account.call(call))

    @override
    async def unsubscribe(self, message_id: str) -> Unsubscribed:
        """Unsubscribe, and log the result next to the account's notes."""
        notes = await self._account.connect()
        stored = await self._reader.read([message_id], raw=True)
        if not stored:
            raise NotFound(f"There is no message {message_id[:80]!r}.", argument="message_id")
        if self.one_click is None:
            from gaia_mail_mcp.one_click import OneClick, TrustedAuthServers, UnsubscribeLog

            self.one_click = OneClick(
                trust=TrustedAuthServers(servers=GOOGLE),
                account=self._account.address,
                log=UnsubscribeLog(notes.folder / "unsubscribed.jsonl"),
            )
        return await self.one_click.leave(stored[0].raw or b"")

    async def _read_senders(self) -> list[SendAs]:
        try:
            call = get("settings", "sendAs", units=Units.LIST_SETTINGS, fields=_SEND_AS)
            found: list[Resource] = (await self._account.call(call)).get("sendAs", [])
        except NotFound:  # a Gmail emulator without this endpoint
            found = []
        usable = [item for item in found if item.get("verificationStatus", "accepted") == "accepted"]
        default = next((item for item in usable if item.get("isDefault")), usable[0] if usable else None)
        if default is None:
            return [SendAs(address=self._account.address, name="", signature="", default=True)]
        usable.sort(key=lambda item: (item is not default, not item.get("isPrimary", False)))
        return [
            SendAs(
                address=item["sendAsEmail"],
                name=item.get("displayName", ""),
                signature=item.get("signature", ""),
                default=item is default,
            )
            for item in usable
        ]


def _vacation(resource: Resource) -> Vacation:
    return Vacation(
        enabled=bool(resource.get("enableAutoReply")),
        subject=resource.get("responseSubject", ""),
        body=resource.get("responseBodyPlainText", ""),
        html_body=resource.get("responseBodyHtml", ""),
        start=_shown(resource.get("startTime")),
        end=_shown(resource.get("endTime")),
        contacts_only=bool(resource.get("restrictToContacts")),
        domain_only=bool(resource.get("restrictToDomain")),
    )


def _resource(vacation: Vacation) -> Resource:
    resource: Resource = {
        "enableAutoReply": vacation["enabled"],
        "responseSubject": vacation["subject"],
        "responseBodyPlainText": vacation["body"],
        "responseBodyHtml": vacation["html_body"],
        "restrictToContacts": vacation["contacts_only"],
        "restrictToDomain": vacation["domain_only"],
    }
    for name, text in (("startTime", vacation["start"]), ("endTime", vacation["end"])):
        if text:
            resource[name] = str(int(dt.datetime.fromisoformat(text).timestamp() * 1000))
    return resource


def _shown(milliseconds: object) -> str:
    """Convert Google's milliseconds since the epoch to RFC 3339; an unset time becomes an empty string."""
    if not isinstance(milliseconds, str) or not milliseconds.isdigit() or milliseconds == "0":
        return ""
    return dt.datetime.fromtimestamp(int(milliseconds) / 1000, dt.UTC).isoformat(timespec="seconds")


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
