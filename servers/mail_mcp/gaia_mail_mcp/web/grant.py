"""Connects an account in the browser: authorization code grant with PKCE and a loopback callback. Entry: `grant`.

See RFC 6749 §4.1, RFC 7636 and RFC 8252.
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
"""Seconds that the user may take on the provider's pages."""

WEB_CALLBACK = f"http://localhost:3000{PATH}"
"""Callback of clients registered for the web, whose URL is fixed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantRequest:
    """A login to request.

    Attributes:
        store: Contains the OAuth client; receives the tokens.
        provider: The provider.
        authorize: URL of the page on which the user agrees.
        tokens: Token endpoints; if one does not exist, the next is tried.
        scope: Scopes, separated by spaces.
        allows: What the login will allow, in plain language, one line each.
        parameters: Other parameters of the page's URL.
        callback_url: Callback on this machine; if empty, a free port is used.
        browser: True to open a browser, False to only print the URL.
        agree: Called before the browser opens, after the user has seen what the login allows.
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
    """Open the provider's page, wait for the user and store the tokens; `say` prints a line.

    Raises:
        NeedsAuth: There is no OAuth client, the user declined, or the provider refused.
        BadArgument: The callback URL is invalid.
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
