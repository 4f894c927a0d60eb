"""The address of an account and its newest history id. Entries: `profile_of`, `history_call`."""

from __future__ import annotations

from dataclasses import dataclass

from gaia_email_registry.contract.wire import MailboxSize
from gaia_email_registry.errors import NotFound, ProviderError
from gaia_gmail_mcp.calls import GmailCall, get
from gaia_gmail_mcp.client import GmailClient
from gaia_gmail_mcp.units import Units

MOST_LISTED = 500
"""Most ids or history records that Gmail lists at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """`history` is the newest history id; `holds` is None if the server does not count messages."""

    address: str
    history: str
    holds: MailboxSize | None = None


async def profile_of(client: GmailClient) -> Profile:
    """Ask Gmail, for 1 unit. A Gmail emulator without a profile endpoint is asked in other ways."""
    try:
        call = get("profile", units=Units.PROFILE, fields="emailAddress,historyId,messagesTotal,threadsTotal")
        found = await client.call(call)
    except NotFound:
        return await _pieced_together(client)
    holds = MailboxSize(messages=found.get("messagesTotal", 0), threads=found.get("threadsTotal", 0))
    return Profile(address=found["emailAddress"], history=found["historyId"], holds=holds)


def history_call(start: str, limit: int) -> GmailCall:
    """Return the call that lists the history after `start`."""
    labels = "message(id,labelIds),labelIds"
    fields = (
        "history(id,messagesAdded/message/id,messagesDeleted/message/id,"
        f"labelsAdded({labels}),labelsRemoved({labels})),historyId,nextPageToken"
    )
    query = {"startHistoryId": start, "maxResults": limit}
    return get("history", units=Units.HISTORY, query=query, fields=fields)


async def _pieced_together(client: GmailClient) -> Profile:
    """Take the address from OpenID's user information and the history id from the history itself."""
    user = await client.call(GmailCall(method="GET", target="/oauth2/v2/userinfo", units=0))
    address = user.get("email")
    if not isinstance(address, str) or "@" not in address:
        raise ProviderError("The server does not say whose mailbox this is.")
    history = "1"
    listed = await client.call(get("messages", units=Units.MESSAGE, query={"maxResults": 1}))
    for item in listed.get("messages", ()):
        query = {"format": "minimal"}
        newest = await client.call(get("messages", item["id"], units=Units.MESSAGE, query=query))
        history = newest.get("historyId", history)
    told = await client.call(history_call(history, 1))
    return Profile(address=address, history=told.get("historyId", history))
