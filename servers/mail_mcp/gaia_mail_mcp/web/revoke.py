"""Asks a provider to revoke a login that is about to be forgotten here (RFC 7009). Entry: `revoke`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from urllib.parse import urlencode

from gaia_email_registry.errors import MailError
from gaia_mail_mcp.web.http import HttpClient
from gaia_mail_mcp.web.json_files import parsed_object
from gaia_mail_mcp.web.login_store import LoginStore
from gaia_mail_mcp.web.provider import ProviderNames

REVOKE_S = 10.0
"""Seconds for the whole attempt, so that disconnecting does not wait for the provider."""


async def revoke(store: LoginStore, urls: Sequence[str], provider: ProviderNames, *, scope: str = "") -> str:
    """Try to revoke a login once; return a sentence about the outcome. Changes nothing here and never raises.

    Args:
        store: Contains the login.
        urls: Revocation endpoints; if one does not exist, the next is tried.
        provider: The provider.
        scope: What else the revocation ends, as the end of a sentence.
    """
    company, by_hand = provider.company, f"remove it at {provider.permissions}"
    try:
        login = store.login()
    except MailError as error:
        return (
            f"Its login cannot be read, so {company} was not told ({error.message.rstrip('.')}): {by_hand}."
        )
    token = "" if login is None else login.refresh_token or login.access_token
    if not token:
        return f"There was no login here that {company} could revoke."
    http = HttpClient(company, read_s=REVOKE_S, whole_s=REVOKE_S, why="sign-in")
    try:
        async with asyncio.timeout(REVOKE_S):
            status, reason = await _ask(http, token, urls)
    except (MailError, TimeoutError):
        return f"{company} could not be told to revoke its login: {by_hand}."
    finally:
        await http.aclose()
    if status == 200:
        return f"{company} has revoked its login{scope}."
    if status == 400 and reason == "invalid_token":
        return f"{company} did not know its login any more."
    return f"{company} did not revoke its login ({status}): {by_hand}."


async def _ask(http: HttpClient, token: str, urls: Sequence[str]) -> tuple[int, object]:
    """Return the status and error of the response."""
    form = urlencode({"token": token}).encode()
    answer = await http.post_form(urls[0], form)
    for url in urls[1:]:
        if answer.status != 404:
            break
        answer = await http.post_form(url, form)
    return answer.status, parsed_object(answer.body).get("error")
