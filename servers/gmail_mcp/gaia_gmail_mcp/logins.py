"""Google logins: requested in the browser, or taken from the archived Gmail server's file.

Entries: `connect_account`; `granted_login` and `stored_login` for a program that keeps the login itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gaia_email_registry.errors import NeedsAuth, ProviderError
from gaia_gmail_mcp.client import open_client
from gaia_gmail_mcp.credentials import CONNECT_KEPT, GoogleLoginStore, keys_path
from gaia_gmail_mcp.endpoints import GOOGLE, Endpoints
from gaia_gmail_mcp.profile import profile_of
from gaia_gmail_mcp.scopes import ACCESS, READS, asked_names, names_of, urls_of
from gaia_mail_mcp.web.grant import PATIENCE_S, GrantRequest, grant
from gaia_mail_mcp.web.login_storage import MemoryLoginStorage
from gaia_mail_mcp.web.login_store import LoginStore, OAuthLogin


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorizationRequest:
    """A login to request from Google; without a callback URL, a free port is used."""

    store: LoginStore
    endpoints: Endpoints
    names: Sequence[str]
    callback_url: str = ""
    browser: bool = True
    email: str = ""
    """Address of the expected account, which Google preselects."""
    agree: Callable[[], bool] = lambda: True
    """Called before the browser opens, after the user has seen what the login allows."""


async def connect_account(
    plan: AuthorizationRequest, say: Callable[[str], None], *, patience_s: float = PATIENCE_S
) -> OAuthLogin:
    """Open Google's page, wait for the user and store the tokens; `say` prints a line.

    Raises:
        NeedsAuth: There is no client file, the user declined, or Google refused.
        BadArgument: The callback URL is invalid.
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
    withheld = [name for name in plan.names if name not in names_of(login.scopes)]
    if withheld:
        say(f"Google did not grant {', '.join(withheld)}; tools that need it will not be offered.")
    return login


async def granted_login(
    options: Mapping[str, str],
    environ: Mapping[str, str],
    say: Callable[[str], None],
    agree: Callable[[], bool],
) -> Mapping[str, str]:
    """Request a login from Google and find out its address, as `ServedProvider.log_in` requires.

    Raises:
        MailError: Google or the user declined, or the login is for another account than expected.
    """
    store = GoogleLoginStore(keys_path(environ), storage=MemoryLoginStorage(CONNECT_KEPT))
    plan = AuthorizationRequest(
        store=store,
        endpoints=Endpoints.from_environment(environ),
        names=asked_names(environ),
        callback_url=options.get("callback_url", ""),
        browser=options.get("no_browser", "") != "true",
        email=options.get("email", ""),
        agree=agree,
    )
    login = await connect_account(plan, say)
    names = names_of(login.scopes)
    if not READS.intersection(names):
        raise NeedsAuth("Google did not grant reading mail; tick it on Google's page.")
    return await _identify(plan.email, store, plan.endpoints, names)


async def stored_login(options: Mapping[str, str], environ: Mapping[str, str]) -> Mapping[str, str]:
    """Return the same as `granted_login`, from the unencrypted file in which the archived Gmail server keeps logins.

    The file is not removed: `file` in the result is its path, so that the caller can remove it once the login is stored
    elsewhere.

    Raises:
        MailError: There is no login, it cannot read mail, or it is for another account than expected.
    """
    file = GoogleLoginStore.from_environment(environ)
    tokens = file.storage.read()
    names = names_of(str((tokens or {}).get("scope", "")).split())
    if not tokens or not tokens.get("refresh_token") or not READS.intersection(names):
        raise NeedsAuth(
            f"{file.credentials_path} contains no login that can read mail.",
            hint=f"log in again: {CONNECT_KEPT}",
        )
    storage = MemoryLoginStorage(CONNECT_KEPT)
    storage.write(tokens)
    store = GoogleLoginStore(keys_path(environ), storage=storage)
    found = await _identify(options.get("email", ""), store, Endpoints.from_environment(environ), names)
    return {**found, "file": str(file.credentials_path)}


async def _identify(
    email: str, store: GoogleLoginStore, endpoints: Endpoints, names: Sequence[str]
) -> Mapping[str, str]:
    client = open_client(endpoints, store, why="sign-in")
    try:
        address = (await profile_of(client)).address
    finally:
        await client.http.aclose()
    if email and email.casefold() != address.casefold():
        raise NeedsAuth(
            f"Google logged in {address}, not {email[:100]}; nothing was kept.",
            hint="choose the other account on Google's page.",
        )
    tokens = store.storage.read()
    if tokens is None:
        raise ProviderError("Google gave no login.")
    return {"address": address, "granted": ",".join(names), "login": json.dumps(tokens)}
