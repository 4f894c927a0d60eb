"""`gaia-gmail-mcp auth`: what is asked of Google when an account is connected. Entry: `connect_account`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gaia_gmail_mcp.endpoints import GOOGLE, Endpoints
from gaia_gmail_mcp.scopes import ACCESS, granted, urls_of
from gaia_mail_mcp.web.grant import PATIENCE_S, GrantRequest, grant
from gaia_mail_mcp.web.login_store import LoginStore, OAuthLogin


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorizationRequest:
    """What to ask Google for; without a callback URL a free port is used."""

    store: LoginStore
    endpoints: Endpoints
    names: Sequence[str]
    callback_url: str = ""
    browser: bool = True
    email: str = ""
    """The account that is meant, for Google to suggest."""
    agree: Callable[[], bool] = lambda: True
    """Asked once the user has been told what the login allows, before a browser opens."""


async def connect_account(
    plan: AuthorizationRequest, say: Callable[[str], None], *, patience_s: float = PATIENCE_S
) -> OAuthLogin:
    """Send the user to Google, wait for them, keep the tokens; `say` shows a line.

    Raises:
        NeedsAuth: There is no client file, the user declined, or Google did.
        BadArgument: The callback URL cannot be used.
    """
    # prompt=consent makes Google give a refresh token every time
    # (https://developers.google.com/identity/protocols/oauth2/web-server#creatingclient)
    parameters = {"access_type": "offline", "prompt": "consent"}
    if plan.email:
        parameters["login_hint"] = plan.email
    request = GrantRequest(
        store=plan.store,
        provider=GOOGLE,
        authorize=plan.endpoints.authorize,
        tokens=plan.endpoints.tokens,
        scope=urls_of(plan.names),
        allows=[ACCESS[name].words for name in plan.names],
        parameters=parameters,
        callback_url=plan.callback_url,
        browser=plan.browser,
        agree=plan.agree,
    )
    login = await grant(request, say, patience_s=patience_s)
    withheld = [name for name in plan.names if name not in granted(login.scopes)]
    if withheld:
        say(f"Google did not grant {', '.join(withheld)}; tools that need it will not be offered.")
    return login
