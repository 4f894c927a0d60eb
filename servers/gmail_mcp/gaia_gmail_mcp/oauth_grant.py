"""A login of Google's for a program that keeps it itself: asks, and finds out whose it is.

Entries: `granted_login`; `stored_login` for one that lies in the archived Gmail server's file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gaia_email_registry.errors import NeedsAuth, ProviderError
from gaia_gmail_mcp.auth import AuthorizationRequest, connect_account
from gaia_gmail_mcp.client import GmailClient
from gaia_gmail_mcp.credentials import GoogleLoginStore, keys_path
from gaia_gmail_mcp.endpoints import GOOGLE, Endpoints
from gaia_gmail_mcp.profile import profile_of
from gaia_gmail_mcp.scopes import DEFAULT, READS, granted, read_names
from gaia_mail_mcp.pacing import TokenBucket
from gaia_mail_mcp.web.http import HttpClient
from gaia_mail_mcp.web.login_storage import MemoryLoginStorage
from gaia_mail_mcp.web.tokens import AccessTokens

CONNECT = "gaia email connect --provider gmail"


@dataclass(frozen=True, slots=True, kw_only=True)
class GoogleGrantRequest:
    """What is asked for; `environ` has the scopes, the key file and Google's addresses."""

    environ: Mapping[str, str]
    email: str = ""
    callback_url: str = ""
    browser: bool = True


async def granted_login(
    request: GoogleGrantRequest, say: Callable[[str], None], agree: Callable[[], bool]
) -> Mapping[str, str]:
    """`address`, `granted` and `login`, as `server.log_in` says.

    Raises:
        MailError: Google, or the user, did not agree, or it is another account than was meant.
    """
    storage = MemoryLoginStorage(CONNECT)
    store = GoogleLoginStore(keys_path(request.environ), storage=storage)
    endpoints = Endpoints.from_environment(request.environ)
    given = request.environ.get("GAIA_GMAIL_SCOPES", "").strip()
    plan = AuthorizationRequest(
        store=store,
        endpoints=endpoints,
        names=read_names(given) if given else DEFAULT,
        callback_url=request.callback_url,
        browser=request.browser,
        email=request.email,
        agree=agree,
    )
    login = await connect_account(plan, say)
    names = granted(login.scopes)
    if not READS.intersection(names):
        raise NeedsAuth("Google did not grant reading mail; tick it on Google's page.")
    return await _identified(request, storage, store, endpoints, names)


async def stored_login(request: GoogleGrantRequest) -> Mapping[str, str]:
    """What `granted_login` gives, from the file that the archived Gmail server keeps logins in, unencrypted.

    The file stays: `file` says where it is, for who removes it once the login is kept elsewhere.

    Raises:
        MailError: There is none, it does not let mail be read, or it is of another account than was meant.
    """
    file = GoogleLoginStore.from_environment(request.environ)
    tokens = file.storage.read()
    names = granted(str((tokens or {}).get("scope", "")).split())
    if not tokens or not tokens.get("refresh_token") or not READS.intersection(names):
        raise NeedsAuth(
            f"{file.credentials_path} holds no login that reads mail.",
            hint=f"log in anew: {CONNECT}",
        )
    storage = MemoryLoginStorage(CONNECT)
    storage.write(tokens)
    store = GoogleLoginStore(keys_path(request.environ), storage=storage)
    found = await _identified(request, storage, store, Endpoints.from_environment(request.environ), names)
    return {**found, "file": str(file.credentials_path)}


async def _identified(
    request: GoogleGrantRequest,
    storage: MemoryLoginStorage,
    store: GoogleLoginStore,
    endpoints: Endpoints,
    names: Sequence[str],
) -> Mapping[str, str]:
    address = await _address(store, endpoints)
    if request.email and request.email.casefold() != address.casefold():
        raise NeedsAuth(
            f"Google logged in {address}, not {request.email[:100]}; nothing was kept.",
            hint="choose the other account on Google's page.",
        )
    if storage.tokens is None:
        raise ProviderError("Google gave no login.")
    return {"address": address, "granted": ",".join(names), "login": json.dumps(storage.tokens)}


async def _address(store: GoogleLoginStore, endpoints: Endpoints) -> str:
    http = HttpClient(GOOGLE.company, why="sign-in")
    client = GmailClient(
        root=endpoints.gmail,
        http=http,
        tokens=AccessTokens(store, endpoints.tokens, http.post_form, GOOGLE),
        bucket=TokenBucket(rate=1.0, burst=100.0),
    )
    try:
        return (await profile_of(client)).address
    finally:
        await http.aclose()
