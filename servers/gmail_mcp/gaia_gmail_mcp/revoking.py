"""Has Google forget a login that is about to be forgotten here (RFC 7009). Entry: `revoke`.

https://developers.google.com/identity/protocols/oauth2/native-app#tokenrevoke
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from urllib.parse import urlencode

from gaia_email_registry.errors import MailError
from gaia_gmail_mcp.credentials import Store
from gaia_gmail_mcp.files import is_object
from gaia_gmail_mcp.wire import Wire

REVOKE_S = 10.0
"""Seconds for all of it: who disconnects does not wait for Google."""

BY_HAND = "remove it at myaccount.google.com/permissions"


async def revoke(store: Store, urls: Sequence[str]) -> str:
    """Try once; a sentence on what came of it. Nothing here is changed, and nothing is raised.

    Google ends every login that the same OAuth client has to that Google account.

    Args:
        store: Has the login.
        urls: Where tokens are revoked; the next is asked where one does not exist.
    """
    try:
        login = store.login()
    except MailError as error:
        return f"Its login cannot be read, so Google was not told ({error.message.rstrip('.')}): {BY_HAND}."
    token = "" if login is None else login.refresh_token or login.access_token
    if not token:
        return "There was no login here that Google could revoke."
    wire = Wire(read_s=REVOKE_S, whole_s=REVOKE_S)
    try:
        async with asyncio.timeout(REVOKE_S):
            return await _asked(wire, token, urls)
    except (MailError, TimeoutError):
        return f"Google could not be told to revoke its login: {BY_HAND}."
    finally:
        await wire.aclose()


async def _asked(wire: Wire, token: str, urls: Sequence[str]) -> str:
    form = urlencode({"token": token}).encode()
    answer = await wire.post_form(urls[0], form)
    for url in urls[1:]:
        if answer.status != 404:
            break
        answer = await wire.post_form(url, form)
    if answer.status == 200:
        return "Google has revoked its login, and any other of the same OAuth client to that address."
    if answer.status == 400 and _reason(answer.body) == "invalid_token":
        return "Google did not know its login any more."
    return f"Google did not revoke its login ({answer.status}): {BY_HAND}."


def _reason(body: bytes) -> object:
    try:
        found: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found.get("error") if is_object(found) else None
