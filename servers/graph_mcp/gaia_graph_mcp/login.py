"""A Microsoft login in the vault, renewed by msal. Entries: `GraphLogin`, `MsalTokens`.

Importing msal takes 0.1 to 0.3 s, so it is imported only when a token is needed. Its cache is stored as msal writes it.
Renewing takes a lock and re-reads the cache first, because Microsoft may issue a new refresh token each time.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from typing import Any

from gaia_email_registry.errors import BadArgument, MailError, NeedsAuth, ProviderError
from gaia_graph_mcp.failures import CONNECT
from gaia_graph_mcp.refusals import refusal_of
from gaia_mail_mcp.web.login_storage import LoginStorage, StoredTokens

SCOPES = {
    "mail": ("Mail.ReadWrite",),
    "send": ("Mail.Send",),
    "settings": ("MailboxSettings.ReadWrite",),
    "calendar": ("Calendars.ReadWrite", "MailboxSettings.Read"),
}
"""Scopes that can be requested, by the names in GAIA_GRAPH_SCOPES; msal adds offline_access itself.

The calendar needs MailboxSettings.Read for its time zone, which is stored only in the mailbox settings.
"""

WORDS = {
    "mail": "read, move, label, draft and delete mail",
    "send": "send mail in your name",
    "settings": "read and change the automatic answer, rules and other settings of the mailbox",
    "calendar": "see and change your events, and see the time zone of the mailbox",
}
"""Descriptions of the scopes in plain language."""

SHAREABLE = frozenset({"Mail.ReadWrite", "Mail.Send", "Calendars.ReadWrite"})
"""Scopes that exist for shared mailboxes too, with the suffix `.Shared`."""

DEFAULT = ("mail", "send")

CLOUDS = {
    "global": ("https://login.microsoftonline.com", "https://graph.microsoft.com/v1.0"),
    "us": ("https://login.microsoftonline.us", "https://graph.microsoft.us/v1.0"),
}
"""Sign-in and API URLs of each cloud (https://learn.microsoft.com/graph/deployments)."""

_SIGN_IN_S = 30.0
"""Timeout in seconds for requests to Microsoft's sign-in."""

_EARLY_S = 120.0
"""Seconds before its expiry from which a token is no longer used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphLogin:
    """An account's login in the vault; `cache` is msal's and secret."""

    client_id: str
    tenant: str
    address: str
    granted: str
    cache: str
    cloud: str = "global"

    def dump(self) -> str:
        """Serialize the login for the vault."""
        return json.dumps(asdict(self))

    @classmethod
    def load(cls, stored: StoredTokens | None) -> GraphLogin:
        """Restore a login from what `dump` wrote.

        Raises:
            NeedsAuth: There is no login, or it is not a Microsoft login.
        """
        if stored is None:
            raise NeedsAuth("Outlook is not connected yet.", hint=f"Run: {CONNECT}")
        try:
            return cls(**{name: str(value) for name, value in stored.items()})
        except TypeError:
            raise NeedsAuth(
                "The vault entry of this account is not a Microsoft login.", hint=f"Run: {CONNECT}"
            ) from None


def authority_of(tenant: str, cloud: str) -> str:
    """Return the sign-in URL of a tenant; `consumers` is for personal accounts.

    Raises:
        BadArgument: The cloud is not supported, or the tenant is invalid.
    """
    if cloud == "china":
        raise BadArgument(
            "The Chinese cloud (21Vianet) tells no changes of messages, which this server lives on; use IMAP there.",
            argument="cloud",
        )
    if cloud not in CLOUDS:
        raise BadArgument(
            f"There is no cloud {cloud[:40]!r}; there are {', '.join(CLOUDS)}.", argument="cloud"
        )
    if not tenant or not all(char.isalnum() or char in ".-" for char in tenant):
        raise BadArgument(
            "A tenant is consumers, organizations, common, an id or a domain.", argument="tenant"
        )
    return f"{CLOUDS[cloud][0]}/{tenant}"


def scopes_of(names: str, *, shared: bool = False) -> list[str]:
    """Return Graph's scopes for our names; reading and changing mail is always included.

    Args:
        names: Our names, separated by commas; empty for the default.
        shared: True for a mailbox that is shared with the account.

    Raises:
        BadArgument: A name is unknown, or Microsoft grants the scope only to the mailbox's owner.
    """
    wanted = _parse_names(names)
    if shared and "settings" in wanted:
        raise BadArgument(
            "Microsoft lets only its owner have the settings of a mailbox; leave settings out for a shared one.",
            argument="scopes",
        )
    found = [scope for name in wanted for scope in SCOPES[name]]
    found = [scope for scope in found if f"{scope}Write" not in found]  # write access includes read access
    return [f"{scope}.Shared" if shared and scope in SHAREABLE else scope for scope in found]


def allowed_words(names: str) -> list[str]:
    """Return what these scopes allow, one line each.

    Raises:
        BadArgument: A name is unknown.
    """
    return [WORDS[name] for name in _parse_names(names)]


def granted_names(scopes: str) -> str:
    """Convert Graph's scopes, separated by spaces, to our names, separated by commas."""
    held = {scope.removesuffix(".Shared") for scope in scopes.split()}
    return ",".join(name for name, needed in SCOPES.items() if held.issuperset(needed[:1]))


def _parse_names(names: str) -> tuple[str, ...]:
    wanted = [name.strip() for name in names.split(",") if name.strip()] or list(DEFAULT)
    for name in wanted:
        if name not in SCOPES:
            raise BadArgument(
                f"There is no scope {name[:40]!r}; there are {', '.join(SCOPES)}.", argument="scopes"
            )
    return tuple(dict.fromkeys(("mail", *wanted)))


class MsalTokens:
    """Access tokens of one account, renewed by msal. Implements `token_source.TokenSource`.

    Args:
        storage: Storage of the account's login.
        http: HTTP client for msal; None for the default of `msal_http`.
        clock: Returns seconds since the epoch.
    """

    def __init__(
        self, storage: LoginStorage, *, http: Any = None, clock: Callable[[], float] = time.time
    ) -> None:
        self._storage, self._http, self._clock = storage, http, clock
        self._token, self._until = "", 0.0
        self._refused = ""
        self._renewing = asyncio.Lock()

    async def access(self) -> str:
        """Return a token that should be accepted; raises `NeedsAuth` if there is none."""
        if not self._usable():
            async with self._renewing:
                if not self._usable():
                    self._token, self._until = await asyncio.to_thread(self._renew)
        return self._token

    def distrust(self, token: str) -> None:
        """Stop using this token, which was refused."""
        self._refused = token

    def _usable(self) -> bool:
        return bool(self._token) and self._token != self._refused and self._clock() < self._until - _EARLY_S

    def _renew(self) -> tuple[str, float]:
        """Return a token and its expiry, from msal's cache or from Microsoft."""
        with self._storage.alone():
            login = GraphLogin.load(self._storage.read())
            cache = opened_cache(login.cache)
            with msal_http(self._http, login.address) as http:
                found = call_msal(lambda: self._ask(login, cache, http))
            if cache.has_state_changed:
                self._storage.write(asdict(replace(login, cache=cache.serialize())))
        if not found or "access_token" not in found:
            raise refusal_of(found or {})
        return str(found["access_token"]), self._clock() + float(found.get("expires_in", 0))

    def _ask(self, login: GraphLogin, cache: Any, http: Any) -> Mapping[str, Any] | None:
        app = application(login.client_id, login.tenant, login.cloud, cache, http)
        accounts = app.get_accounts()
        if not accounts:
            raise NeedsAuth("The login of this account is empty.", hint=f"Run: {CONNECT}")
        found: Mapping[str, Any] | None = app.acquire_token_silent_with_error(
            login.granted.split(), account=accounts[0], force_refresh=bool(self._refused)
        )
        return found


def call_msal(ask: Callable[[], Any]) -> Any:
    """Return Microsoft's response to a call of msal, whose HTTP client may raise any exception.

    Raises:
        MailError: Microsoft cannot be reached, or `ask` raised this error.
    """
    try:
        return ask()
    except MailError:
        raise
    except ValueError:
        raise NeedsAuth(
            "Microsoft's answer does not belong to this sign-in; run the command again.",
            hint=f"Run: {CONNECT}",
        ) from None
    except Exception as error:
        raise ProviderError(
            "Microsoft's sign-in cannot be reached; check the network and try again."
        ) from error


def _msal() -> Any:
    """Import msal, which has no types. Its debug log contains codes and verifiers, so it is turned off."""
    logging.getLogger("msal").setLevel(logging.WARNING)
    return import_module("msal")


@contextmanager
def msal_http(given: Any = None, account: str = "") -> Generator[Any, None, None]:
    """Yield the HTTP client for msal: `given`, or a client of ours that records connections in the egress ledger.

    Args:
        given: A client to use as is; it is not closed.
        account: The account named in the egress ledger.
    """
    if given is not None:
        yield given
        return
    from gaia_email_registry.egress.http import open_blocking_client

    with open_blocking_client("sign-in", account, timeout=_SIGN_IN_S) as http:
        yield http


def opened_cache(text: str) -> Any:
    """Open msal's cache from its text."""
    cache = _msal().SerializableTokenCache()
    if text:
        cache.deserialize(text)
    return cache


def check_client_id(client_id: str) -> None:
    """Check that a client id is configured.

    Raises:
        NeedsAuth: It is not.
    """
    if not client_id:
        raise NeedsAuth(
            "Microsoft wants every program to be registered: set GAIA_GRAPH_CLIENT_ID (docs/graph.md says how, in four "
            "lines).",
            hint="Set GAIA_GRAPH_CLIENT_ID, then run the command again.",
        )


def application(client_id: str, tenant: str, cloud: str, cache: Any, http: Any) -> Any:
    """Return msal's public client application.

    Raises:
        MailError: A setting is invalid, or Microsoft does not respond.
    """
    check_client_id(client_id)
    try:
        return _msal().PublicClientApplication(
            client_id,
            authority=authority_of(tenant, cloud),
            token_cache=cache,
            http_client=http,
            instance_discovery=False,
        )
    except ValueError:
        raise BadArgument(
            f"Microsoft knows no tenant {tenant[:80]!r}; GAIA_GRAPH_TENANT is consumers, organizations, common, or the "
            "domain or id of your organisation.",
            argument="tenant",
        ) from None
