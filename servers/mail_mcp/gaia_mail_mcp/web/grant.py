"""Connects an account in the browser: the authorization code grant, with PKCE and a loopback callback. Entry: `grant`.

RFC 6749 §4.1, RFC 7636 and RFC 8252.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from gaia_email_registry.errors import NeedsAuth
from gaia_mail_mcp.web.callback import PATH, OAuthCallback
from gaia_mail_mcp.web.http import HttpClient
from gaia_mail_mcp.web.login_store import LoginStore, OAuthClient, OAuthLogin
from gaia_mail_mcp.web.provider import ProviderNames
from gaia_mail_mcp.web.tokens import AccessTokens

PATIENCE_S = 600.0
"""How long the user may take on the provider's pages."""

WEB_CALLBACK = f"http://localhost:3000{PATH}"
"""For clients registered for the web, whose callback URL is fixed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantRequest:
    """What to ask for.

    Attributes:
        store: Has the OAuth client; takes the tokens.
        provider: Who is asked.
        authorize: The URL of the page where the user agrees.
        tokens: Where tokens are given out; the next is asked where one does not exist.
        scope: Separated by spaces.
        allows: What the login will allow, in plain words, a line each.
        parameters: What the provider wants in the page's URL besides.
        callback_url: On this machine; without one a free port is used.
        browser: Whether to open a browser, or only to show the URL.
        agree: Asked once the user was told what the login allows, before a browser opens.
    """

    store: LoginStore
    provider: ProviderNames
    authorize: str
    tokens: Sequence[str]
    scope: str
    allows: Sequence[str]
    parameters: Mapping[str, str] = field(default_factory=dict[str, str])
    callback_url: str = ""
    browser: bool = True
    agree: Callable[[], bool] = lambda: True


async def grant(
    request: GrantRequest, say: Callable[[str], None], *, patience_s: float = PATIENCE_S
) -> OAuthLogin:
    """Send the user to the provider, wait for them, keep the tokens; `say` shows a line.

    Raises:
        NeedsAuth: There is no OAuth client, the user declined, or the provider did.
        BadArgument: The callback URL cannot be used.
    """
    keys = request.store.keys()
    verifier, state = secrets.token_urlsafe(64), secrets.token_urlsafe(32)
    fallback = WEB_CALLBACK if keys.web else f"http://127.0.0.1:0{PATH}"
    callback = OAuthCallback(request.callback_url or fallback, state, request.provider)
    http = HttpClient(request.provider.company, why="sign-in")
    try:
        redirect = await callback.start()
        _announce(request, _authorization_url(request, keys, redirect, state, verifier), say)
        form = {
            "grant_type": "authorization_code",
            "code": await callback.code(patience_s),
            "redirect_uri": redirect,
            "code_verifier": verifier,
        }
        return await AccessTokens(request.store, request.tokens, http.post_form, request.provider).exchange(
            form
        )
    finally:
        await callback.aclose()
        await http.aclose()


def _authorization_url(
    request: GrantRequest, keys: OAuthClient, redirect: str, state: str, verifier: str
) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    query = {
        "client_id": keys.client_id,
        "redirect_uri": redirect,
        "response_type": "code",
        "scope": request.scope,
        **request.parameters,
        "state": state,
        "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
        "code_challenge_method": "S256",
    }
    return f"{request.authorize}?{urlencode(query)}"


def _announce(request: GrantRequest, url: str, say: Callable[[str], None]) -> None:
    company = request.provider.company
    say(f"{company} will ask you to let gaia-email:")
    for words in request.allows:
        say(f"  - {words}")
    if not request.agree():
        raise NeedsAuth("Nothing was connected.")
    opened = request.browser and webbrowser.open(url)
    shown = f"Your browser shows {company}'s page; if it does not, open this:"
    say(shown if opened else "Open this in a browser:")
    say(url)
