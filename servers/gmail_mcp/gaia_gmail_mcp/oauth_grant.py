"""A login of Google's for a program that keeps it itself: asks, and finds out whose it is. Entry: `granted_login`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gaia_email_registry.errors import NeedsAuth, ProviderError
from gaia_gmail_mcp.auth import Plan, connect_account
from gaia_gmail_mcp.client import Client
from gaia_gmail_mcp.credentials import Store, keys_path
from gaia_gmail_mcp.endpoints import GOOGLE, Endpoints
from gaia_gmail_mcp.profile import profile_of
from gaia_gmail_mcp.scopes import DEFAULT, READS, granted, read_names
from gaia_mail_mcp.pacing import Bucket
from gaia_mail_mcp.web.http import HttpClient
from gaia_mail_mcp.web.login_places import NoPlace
from gaia_mail_mcp.web.tokens import Tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is asked for; `environ` has the scopes, the key file and Google's addresses."""

    environ: Mapping[str, str]
    email: str = ""
    callback_url: str = ""
    browser: bool = True


async def granted_login(
    wish: Wish, say: Callable[[str], None], agree: Callable[[], bool]
) -> Mapping[str, str]:
    """`address`, `granted` and `login`, as `server.log_in` says.

    Raises:
        MailError: Google, or the user, did not agree, or it is another account than was meant.
    """
    place = NoPlace("gaia email connect --provider gmail")
    store = Store(keys_path(wish.environ), place=place)
    endpoints = Endpoints.from_environment(wish.environ)
    given = wish.environ.get("GAIA_GMAIL_SCOPES", "").strip()
    plan = Plan(
        store=store,
        endpoints=endpoints,
        names=read_names(given) if given else DEFAULT,
        callback_url=wish.callback_url,
        browser=wish.browser,
        email=wish.email,
        agree=agree,
    )
    login = await connect_account(plan, say)
    names = granted(login.scopes)
    if not READS.intersection(names):
        raise NeedsAuth("Google did not grant reading mail; tick it on Google's page.")
    address = await _address(store, endpoints)
    if wish.email and wish.email.casefold() != address.casefold():
        raise NeedsAuth(
            f"Google logged in {address}, not {wish.email[:100]}; nothing was kept.",
            hint="choose the other account on Google's page.",
        )
    if place.tokens is None:
        raise ProviderError("Google gave no login.")
    return {"address": address, "granted": ",".join(names), "login": json.dumps(place.tokens)}


async def _address(store: Store, endpoints: Endpoints) -> str:
    http = HttpClient(GOOGLE.company, why="sign-in")
    client = Client(
        root=endpoints.gmail,
        http=http,
        tokens=Tokens(store, endpoints.tokens, http.post_form, GOOGLE),
        bucket=Bucket(rate=1.0, burst=100.0),
    )
    try:
        return (await profile_of(client)).address
    finally:
        await http.aclose()
