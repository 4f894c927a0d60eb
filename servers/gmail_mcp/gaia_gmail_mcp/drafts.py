"""Drafts of a Gmail account, and sending. Entry: `Drafts`."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from gaia_email_registry.errors import BadArgument, NotFound
from gaia_gmail_mcp.account import GmailAccount
from gaia_gmail_mcp.calls import GmailCall, Resource, delete, get, post, put, upload
from gaia_gmail_mcp.summaries import raw_of
from gaia_gmail_mcp.units import Units
from gaia_mail_mcp.mailbox import Draft

MOST_INLINE = 3_000_000
"""Largest message, in bytes, that is embedded in JSON; larger ones are uploaded separately."""

_DRAFT = "id,message(id,threadId)"


class Drafts:
    """Creates, changes, deletes and sends drafts, and sends messages."""

    def __init__(self, account: GmailAccount) -> None:
        self._account = account

    async def create_draft(self, raw: bytes, thread_id: str | None) -> Draft:
        """Store a draft in the given thread, or in the one its headers refer to."""
        call = _outgoing("drafts", raw=raw, thread_id=thread_id, draft=True, units=Units.DRAFT, fields=_DRAFT)
        return _draft(await self._account.call(call))

    async def update_draft(self, draft_id: str, raw: bytes) -> Draft:
        """Replace a draft's content; the draft id stays the same."""
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
        draft = _draft(await self._account.call(call))
        self._account.known.forget((old["message"]["id"], draft.message_id))
        return draft

    async def drafts(self, *, limit: int) -> list[Draft]:
        """Return the drafts, newest first."""
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
            page = await self._account.call(call)
            found += [_draft(item) for item in page.get("drafts", ())]
            token = page.get("nextPageToken", "")
            if not token or len(found) >= limit:
                return found

    async def delete_draft(self, draft_id: str) -> bytes:
        """Delete a draft permanently and return its bytes, so that it can be restored."""
        old = await self._draft(draft_id, "raw")
        await self._account.call(delete("drafts", draft_id, units=Units.DRAFT))
        return raw_of(old["message"])

    async def send_draft(self, draft_id: str, raw: bytes | None = None) -> str:
        """Send a draft and return the id of the sent message.

        `raw` is the draft as the user approved it. Gmail sends it in place of the stored content.

        https://developers.google.com/workspace/gmail/api/guides/drafts#send_drafts
        """
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
            sent: str = (await self._account.call(call))["id"]
        except NotFound:
            raise _no_draft(draft_id) from None
        self._account.known.distrust()
        return sent

    async def send(self, raw: bytes, thread_id: str | None) -> str:
        """Send RFC 5322 bytes and return the id of the copy in SENT."""
        call = _outgoing("messages", "send", raw=raw, thread_id=thread_id, units=Units.SEND, fields="id")
        sent: str = (await self._account.call(call))["id"]
        return sent

    async def _draft(self, draft_id: str, form: str) -> Resource:
        fields = f"id,message(id,threadId{',raw' if form == 'raw' else ''})"
        try:
            return await self._account.call(
                get("drafts", draft_id, units=Units.MESSAGE, query={"format": form}, fields=fields)
            )
        except (NotFound, BadArgument):
            raise _no_draft(draft_id) from None


def _outgoing(
    *path: str,
    raw: bytes,
    thread_id: str | None,
    units: int,
    fields: str,
    draft: bool = False,
    draft_id: str = "",
    method: str = "POST",
) -> GmailCall:
    """Return a call that sends or stores a message; `draft_id` names an existing draft."""
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


def _no_draft(draft_id: str) -> NotFound:
    return NotFound(f"There is no draft {draft_id[:80]!r}.", argument="draft_id")
