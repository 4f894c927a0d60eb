"""`gaia-gmail-mcp auth`: connects an account, with PKCE, over a loopback callback. Entry: `connect_account`."""

from __future__ import annotations

import base64
import hashlib
import secrets
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from gaia_email_registry.errors import NeedsAuth
from gaia_gmail_mcp.callback import PATH, Callback
from gaia_gmail_mcp.credentials import Login, Store
from gaia_gmail_mcp.endpoints import Endpoints
from gaia_gmail_mcp.scopes import ACCESS, granted, urls_of
from gaia_gmail_mcp.tokens import Tokens
from gaia_gmail_mcp.wire import Wire

PATIENCE_S = 600.0
"""How long the user may take on Google's pages."""

WEB_CALLBACK = f"http://localhost:3000{PATH}"
"""Where the archived server listened; clients of the kind `web` are registered with a fixed URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to ask Google for; without a callback URL a free port is used."""

    store: Store
    endpoints: Endpoints
    names: Sequence[str]
    callback_url: str = ""
    browser: bool = True
    email: str = ""
    """The account that is meant, for Google to suggest."""
    agree: Callable[[], bool] = lambda: True
    """Asked once the user has been told what the login allows, before a browser opens."""


async def connect_account(plan: Plan, say: Callable[[str], None], *, patience_s: float = PATIENCE_S) -> Login:
    """Send the user to Google, wait for them, keep the tokens; `say` shows a line.

    Raises:
        NeedsAuth: There is no client file, the user declined, or Google did.
        BadArgument: The callback URL cannot be used.
    """
    keys = plan.store.keys()
    verifier, state = secrets.token_urlsafe(64), secrets.token_urlsafe(32)
    fallback = WEB_CALLBACK if keys.web else f"http://127.0.0.1:0{PATH}"
    callback = Callback(plan.callback_url or fallback, state)
    wire = Wire()
    try:
        redirect = await callback.start()
        url = _authorization_url(plan, keys.client_id, redirect, state, verifier)
        _announce(plan, url, say)
        form = {
            "grant_type": "authorization_code",
            "code": await callback.code(patience_s),
            "redirect_uri": redirect,
            "code_verifier": verifier,
        }
        login = await Tokens(plan.store, plan.endpoints.tokens, wire.post_form).exchange(form)
    finally:
        await callback.aclose()
        await wire.aclose()
    withheld = [name for name in plan.names if name not in granted(login.scopes)]
    if withheld:
        say(f"Google did not grant {', '.join(withheld)}; tools that need it will not be offered.")
    return login


def _authorization_url(plan: Plan, client_id: str, redirect: str, state: str, verifier: str) -> str:
    """RFC 6749 §4.1.1 with RFC 7636. `prompt=consent` makes Google give a refresh token every time."""
    digest = hashlib.sha256(verifier.encode()).digest()
    query = {
        "client_id": client_id,
        "redirect_uri": redirect,
        "response_type": "code",
        "scope": urls_of(plan.names),
        "access_type": "offline",
        "prompt": "consent",
        "state": state,
        "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
        "code_challenge_method": "S256",
    }
    if plan.email:
        query["login_hint"] = plan.email
    return f"{plan.endpoints.authorize}?{urlencode(query)}"


def _announce(plan: Plan, url: str, say: Callable[[str], None]) -> None:
    say("Google will ask you to let gaia-email:")
    for name in plan.names:
        say(f"  - {ACCESS[name].words}")
    if not plan.agree():
        raise NeedsAuth("Nothing was connected.")
    opened = plan.browser and webbrowser.open(url)
    say(
        "Your browser shows Google's page; if it does not, open this:"
        if opened
        else "Open this in a browser:"
    )
    say(url)
