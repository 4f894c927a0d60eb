"""A Microsoft login in the vault, kept fresh by msal. Entries: `GraphLogin`, `MsalTokens`.

Msal is imported only when a token is needed: it takes 0.1 to 0.3 s. Its cache is kept as it writes it. Who renews a
token holds a lock and reads the cache again first, because Microsoft may give out a new refresh token with each.
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
"""What may be asked for, by the names that GAIA_GRAPH_SCOPES takes; msal adds offline_access itself.

The calendar's time zone stands in the settings of the mailbox, nowhere else.
"""

WORDS = {
    "mail": "read, move, label, draft and delete mail",
    "send": "send mail in your name",
    "settings": "read and change the automatic answer, rules and other settings of the mailbox",
    "calendar": "see and change your events, and see the time zone of the mailbox",
}
"""The same in plain words."""

SHAREABLE = frozenset({"Mail.ReadWrite", "Mail.Send", "Calendars.ReadWrite"})
"""Of these there is one for other people's mailboxes: with `.Shared` behind it."""

DEFAULT = ("mail", "send")

CLOUDS = {
    "global": ("https://login.microsoftonline.com", "https://graph.microsoft.com/v1.0"),
    "us": ("https://login.microsoftonline.us", "https://graph.microsoft.us/v1.0"),
}
"""Where a cloud signs in and where its API is (https://learn.microsoft.com/graph/deployments)."""

_SIGN_IN_S = 30.0
"""How long Microsoft's sign-in may say nothing."""

_EARLY_S = 120.0
"""Seconds before its end from which on a token is not used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphLogin:
    """What the vault has of an account; `cache` is msal's, and secret."""

    client_id: str
    tenant: str
    address: str
    granted: str
    cache: str
    cloud: str = "global"

    def dumped(self) -> str:
        """As text for the vault."""
        return json.dumps(asdict(self))

    @classmethod
    def loaded(cls, stored: StoredTokens | None) -> GraphLogin:
        """What `dumped` wrote, as it is read from where logins are kept.

        Raises:
            NeedsAuth: There is none, or it is no such login.
        """
        if stored is None:
            raise NeedsAuth("Outlook is not connected yet.", hint=f"Run: {CONNECT}")
        try:
            return cls(**{name: str(value) for name, value in stored.items()})
        except TypeError:
            raise NeedsAuth(
                "What the vault has for this account is no Microsoft login.", hint=f"Run: {CONNECT}"
            ) from None


def authority_of(tenant: str, cloud: str) -> str:
    """Where an account signs in; `consumers` for personal accounts.

    Raises:
        BadArgument: The cloud is not one that can be served.
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
    """Graph's scopes for our names; reading and changing mail is always among them.

    Args:
        names: Ours, with commas; empty for the default.
        shared: Whether the mailbox is one that somebody shares with the account.

    Raises:
        BadArgument: There is no such name, or Microsoft gives that to nobody but the mailbox's owner.
    """
    wanted = _wanted(names)
    if shared and "settings" in wanted:
        raise BadArgument(
            "Microsoft lets only its owner have the settings of a mailbox; leave settings out for a shared one.",
            argument="scopes",
        )
    found = [scope for name in wanted for scope in SCOPES[name]]
    found = [scope for scope in found if f"{scope}Write" not in found]  # who may write may read
    return [f"{scope}.Shared" if shared and scope in SHAREABLE else scope for scope in found]


def allowed_words(names: str) -> list[str]:
    """What such scopes allow, a line each.

    Raises:
        BadArgument: There is no such name.
    """
    return [WORDS[name] for name in _wanted(names)]


def granted_names(scopes: str) -> str:
    """The names, with commas, of what Graph's scopes, with blanks, stand for."""
    held = {scope.removesuffix(".Shared") for scope in scopes.split()}
    return ",".join(name for name, needed in SCOPES.items() if held.issuperset(needed[:1]))


def _wanted(names: str) -> tuple[str, ...]:
    wanted = [name.strip() for name in names.split(",") if name.strip()] or list(DEFAULT)
    for name in wanted:
        if name not in SCOPES:
            raise BadArgument(
                f"There is no scope {name[:40]!r}; there are {', '.join(SCOPES)}.", argument="scopes"
            )
    return tuple(dict.fromkeys(("mail", *wanted)))


class MsalTokens:
    """The access token of one account (`token_source.TokenSource`, imported only when mail is asked for).

    Args:
        storage: Where its login is.
        http: What msal sends its requests with; None for `msal_http`'s.
        clock: Seconds since the epoch.
    """

    def __init__(
        self, storage: LoginStorage, *, http: Any = None, clock: Callable[[], float] = time.time
    ) -> None:
        self._storage, self._http, self._clock = storage, http, clock
        self._token, self._until = "", 0.0
        self._refused = ""
        self._renewing = asyncio.Lock()

    async def access(self) -> str:
        """A token that should be accepted; `NeedsAuth` when there is none."""
        if not self._usable():
            async with self._renewing:
                if not self._usable():
                    self._token, self._until = await asyncio.to_thread(self._renewed)
        return self._token

    def distrust(self, token: str) -> None:
        """Give out another token from now on: this one was refused."""
        self._refused = token

    def _usable(self) -> bool:
        return bool(self._token) and self._token != self._refused and self._clock() < self._until - _EARLY_S

    def _renewed(self) -> tuple[str, float]:
        """A token by msal, from its cache or from Microsoft, and its end."""
        with self._storage.alone():
            login = GraphLogin.loaded(self._storage.read())
            cache = opened_cache(login.cache)
            with msal_http(self._http, login.address) as http:
                found = reached(lambda: self._asked(login, cache, http))
            if cache.has_state_changed:
                self._storage.write(asdict(replace(login, cache=cache.serialize())))
        if not found or "access_token" not in found:
            raise refusal_of(found or {})
        return str(found["access_token"]), self._clock() + float(found.get("expires_in", 0))

    def _asked(self, login: GraphLogin, cache: Any, http: Any) -> Mapping[str, Any] | None:
        app = application(login.client_id, login.tenant, login.cloud, cache, http)
        accounts = app.get_accounts()
        if not accounts:
            raise NeedsAuth("The login of this account is empty.", hint=f"Run: {CONNECT}")
        found: Mapping[str, Any] | None = app.acquire_token_silent_with_error(
            login.granted.split(), account=accounts[0], force_refresh=bool(self._refused)
        )
        return found


def reached(ask: Callable[[], Any]) -> Any:
    """What Microsoft answers to msal, whose HTTP client may raise anything.

    Raises:
        MailError: It cannot be reached, or `ask` raised one.
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
    """The library, which has no types; its debugging log shows codes and verifiers, so there is none."""
    logging.getLogger("msal").setLevel(logging.WARNING)
    return import_module("msal")


@contextmanager
def msal_http(given: Any = None, account: str = "") -> Generator[Any, None, None]:
    """What msal sends its requests with: `given`, else a client of ours, whose connections are written down.

    Args:
        given: One that is used as it is, and left open.
        account: Whose login it is, in the egress ledger.
    """
    if given is not None:
        yield given
        return
    from gaia_email_registry.egress.http import open_blocking_client

    with open_blocking_client("sign-in", account, timeout=_SIGN_IN_S) as http:
        yield http


def opened_cache(text: str) -> Any:
    """The cache of msal out of its text."""
    cache = _msal().SerializableTokenCache()
    if text:
        cache.deserialize(text)
    return cache


def check_client_id(client_id: str) -> None:
    """Do nothing if the program is registered.

    Raises:
        NeedsAuth: It is not, or nobody said under which id.
    """
    if not client_id:
        raise NeedsAuth(
            "Microsoft wants every program to be registered: set GAIA_GRAPH_CLIENT_ID (docs/graph.md says how, in four "
            "lines).",
            hint="Set GAIA_GRAPH_CLIENT_ID, then run the command again.",
        )


def application(client_id: str, tenant: str, cloud: str, cache: Any, http: Any) -> Any:
    """The public client of msal.

    Raises:
        MailError: Its settings are of no use, or Microsoft does not answer.
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
