"""A Gmail account as a `Mailbox`: the whole of it. Entry: `GmailMailbox`."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gaia_email_registry.contract.wire import Filter, FilterAction, FilterCriteria, Label
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_gmail_mcp.account_settings import GmailSettings
from gaia_gmail_mcp.calendar import CalendarMethods
from gaia_gmail_mcp.calls import Call, Resource, delete, get, patch, post, put, upload
from gaia_gmail_mcp.pull import Puller
from gaia_gmail_mcp.push import Push
from gaia_gmail_mcp.reading import label_of
from gaia_gmail_mcp.summaries import raw_of
from gaia_gmail_mcp.units import CALENDAR_BURST, CALENDAR_RATE, Units
from gaia_mail_mcp.mailbox import Capability, Draft
from gaia_mail_mcp.pacing import Bucket
from gaia_mail_mcp.web.http import HttpClient

CAPABILITIES = frozenset(
    {
        Capability.MODIFY,
        Capability.DELETE,
        Capability.LABELS,
        Capability.DRAFTS,
        Capability.SEND,
        Capability.FILTERS,
        Capability.SNOOZE,
        Capability.REPORT_SPAM,
        Capability.UNSUBSCRIBE,
        Capability.SEND_AS,
        Capability.VACATION,
        Capability.CALENDAR,
        Capability.CALENDAR_WRITE,
        Capability.PUSH,
    }
)

MOST_INLINE = 3_000_000
"""Bytes of a message that go inside JSON; larger ones are uploaded beside it."""

MAX_NAME = 225

PULL_S = 120.0
"""Pub/Sub answers a pull when there is something, or after about 90 seconds."""

SHOWN = {"messageListVisibility": "show", "labelListVisibility": "labelShow"}
"""Gmail wants to be told how a new label is shown."""

_DRAFT = "id,message(id,threadId)"


class GmailMailbox(GmailSettings, CalendarMethods):
    """Adds labels, drafts, sending and filters; the calendar is beside it."""

    capabilities: frozenset[Capability] = CAPABILITIES

    def add_services(self, calendar_root: str, push: Push) -> None:
        """Reach the account's calendar, and its news; each has a quota of its own."""
        client = self.client
        self.calendar = replace(client, root=calendar_root, bucket=_paced(), service="Google Calendar")
        self.push = push
        if push.subscription:
            slow = HttpClient("Google", read_s=PULL_S)
            pubsub = replace(client, root=push.root, http=slow, bucket=_paced(), service="Pub/Sub")
            self.puller = Puller(pubsub, push.subscription, lambda: self.account, self.news.tell)

    async def aclose(self) -> None:
        """See `Mailbox`."""
        if self.puller is not None:
            await self.puller.aclose()
            await self.puller.client.http.aclose()
        await super().aclose()

    async def create_label(self, name: str, visibility: dict[str, str]) -> Label:
        """See `Mailbox`."""
        await self.connect()
        _check_name(name)
        body = {"name": name, **SHOWN, **visibility}
        return await self._label(post("labels", units=Units.MESSAGE, body=body, repeatable=False))

    async def update_label(self, label_id: str, name: str | None, visibility: dict[str, str]) -> Label:
        """See `Mailbox`."""
        await self.connect()
        if name is not None:
            _check_name(name)
        _check_own(label_id)
        body = {**({"name": name} if name is not None else {}), **visibility}
        if not body:
            return await self._label(get("labels", label_id, units=Units.LIST_SETTINGS))
        return await self._label(patch("labels", label_id, units=Units.MESSAGE, body=body))

    async def delete_label(self, label_id: str) -> Label:
        """See `Mailbox`."""
        await self.connect()
        _check_own(label_id)
        label = await self._label(get("labels", label_id, units=Units.LIST_SETTINGS))
        await self.client.call(delete("labels", label_id, units=Units.MESSAGE))
        self.known.distrust()
        return label

    async def create_draft(self, raw: bytes, thread_id: str | None) -> Draft:
        """See `Mailbox`."""
        await self.connect()
        call = _outgoing("drafts", raw=raw, thread_id=thread_id, draft=True, units=Units.DRAFT, fields=_DRAFT)
        return _draft(await self.client.call(call))

    async def update_draft(self, draft_id: str, raw: bytes) -> Draft:
        """See `Mailbox`."""
        old = await self._draft(draft_id, "minimal")
        call = _outgoing(
            "drafts",
            draft_id,
            raw=raw,
            thread_id=old["message"]["threadId"],
            draft=True,
            units=Units.UPDATE_DRAFT,
            fields=_DRAFT,
            method="PUT",
        )
        draft = _draft(await self.client.call(call))
        self.known.forget((old["message"]["id"], draft.message_id))
        return draft

    async def drafts(self, *, limit: int) -> list[Draft]:
        """See `Mailbox`."""
        await self.connect()
        found: list[Draft] = []
        token = ""
        while True:
            query = {"maxResults": max(1, min(limit - len(found), 500)), "pageToken": token}
            call = get(
                "drafts",
                units=Units.MESSAGE,
                query=query,
                fields=f"drafts({_DRAFT}),nextPageToken",
            )
            page = await self.client.call(call)
            found += [_draft(item) for item in page.get("drafts", ())]
            token = page.get("nextPageToken", "")
            if not token or len(found) >= limit:
                return found

    async def delete_draft(self, draft_id: str) -> bytes:
        """See `Mailbox`."""
        old = await self._draft(draft_id, "raw")
        await self.client.call(delete("drafts", draft_id, units=Units.DRAFT))
        return raw_of(old["message"])

    async def send_draft(self, draft_id: str, raw: bytes | None = None) -> str:
        """See `Mailbox`; what was shown is handed over with the call and goes out in the draft's place.

        https://developers.google.com/workspace/gmail/api/guides/drafts#send_drafts
        """
        await self.connect()
        call = post("drafts", "send", units=Units.SEND, body={"id": draft_id}, fields="id", repeatable=False)
        if raw is not None:
            thread_id = (await self._draft(draft_id, "minimal"))["message"]["threadId"]
            call = _outgoing(
                "drafts",
                "send",
                raw=raw,
                thread_id=thread_id,
                draft=True,
                draft_id=draft_id,
                units=Units.SEND,
                fields="id",
            )
        try:
            sent: str = (await self.client.call(call))["id"]
        except NotFound:
            raise _no_draft(draft_id) from None
        self.known.distrust()
        return sent

    async def send(self, raw: bytes, thread_id: str | None) -> str:
        """See `Mailbox`."""
        await self.connect()
        call = _outgoing("messages", "send", raw=raw, thread_id=thread_id, units=Units.SEND, fields="id")
        sent: str = (await self.client.call(call))["id"]
        return sent

    async def filters(self) -> list[Filter]:
        """See `FilterStore`."""
        await self.connect()
        found = await self.client.call(get("settings", "filters", units=Units.LIST_SETTINGS))
        return [_filter(item) for item in found.get("filter", ())]

    async def create_filter(self, criteria: FilterCriteria, action: FilterAction) -> Filter:
        """See `FilterStore`."""
        await self.connect()
        for argument, given in (("criteria", criteria), ("action", action)):
            if not given:
                raise BadArgument(
                    "A filter needs something to look for, and something to do.", argument=argument
                )
        body = {"criteria": criteria, "action": action}
        call = post("settings", "filters", units=Units.MESSAGE, body=body, repeatable=False)
        return _filter(await self.client.call(call))

    async def delete_filter(self, filter_id: str) -> Filter:
        """See `FilterStore`."""
        for found in await self.filters():
            if found["id"] == filter_id:
                await self.client.call(delete("settings", "filters", filter_id, units=Units.MESSAGE))
                return found
        raise NotFound(f"There is no filter {filter_id[:80]!r}.", argument="filterId")

    async def _label(self, call: Call) -> Label:
        try:
            return label_of(await self.client.call(call))
        except NotFound:
            raise NotFound("There is no such label.", argument="id") from None
        except BadArgument as error:
            raise BadArgument(error.message, argument="name") from None

    async def _draft(self, draft_id: str, form: str) -> Resource:
        await self.connect()
        fields = f"id,message(id,threadId{',raw' if form == 'raw' else ''})"
        try:
            return await self.client.call(
                get("drafts", draft_id, units=Units.MESSAGE, query={"format": form}, fields=fields)
            )
        except (NotFound, BadArgument):
            raise _no_draft(draft_id) from None


def _paced() -> Bucket:
    return Bucket(rate=CALENDAR_RATE, burst=CALENDAR_BURST)


def _outgoing(
    *path: str,
    raw: bytes,
    thread_id: str | None,
    units: int,
    fields: str,
    draft: bool = False,
    draft_id: str = "",
    method: str = "POST",
) -> Call:
    """A call that hands over a message; as a draft, of that id where it is one that exists."""
    message: dict[str, Any] = {"threadId": thread_id} if thread_id is not None else {}
    named: dict[str, object] = {"id": draft_id} if draft_id else {}
    if len(raw) > MOST_INLINE:
        body: Mapping[str, object] = {**named, "message": message} if draft else message
        return upload(method, *path, units=units, body=body, raw=raw, fields=fields)
    message["raw"] = base64.urlsafe_b64encode(raw).decode("ascii")
    body = {**named, "message": message} if draft else message
    if method == "PUT":
        return put(*path, units=units, body=body, fields=fields)
    return post(*path, units=units, body=body, fields=fields, repeatable=False)


def _draft(resource: Resource) -> Draft:
    message: Resource = resource["message"]
    return Draft(
        id=resource["id"], message_id=message["id"], thread_id=str(message.get("threadId") or message["id"])
    )


def _filter(resource: Resource) -> Filter:
    return Filter(id=resource["id"], criteria=resource.get("criteria", {}), action=resource.get("action", {}))


def _no_draft(draft_id: str) -> NotFound:
    return NotFound(f"There is no draft {draft_id[:80]!r}.", argument="draft_id")


def _check_own(label_id: str) -> None:
    if not label_id.startswith("Label_") and label_id.upper() == label_id and label_id:
        raise BadArgument(f"{label_id[:80]} belongs to the system and stays as it is.", argument="id")


def _check_name(name: str) -> None:
    if not name.strip() or len(name) > MAX_NAME or not name.isprintable():
        raise BadArgument(
            f"A label needs a name of 1 to {MAX_NAME} characters without control characters.", argument="name"
        )
