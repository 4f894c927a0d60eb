"""Which mailbox a `provider` means, and logins that a host forwards. Entries: `PeerMailboxes`, `ForwardedLogins`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import time

from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http.answering import Answering
from gaia_email.interfaces.http.gaia.answers import ConnectionAnswer
from gaia_email.interfaces.http.refusal import TooManyRuns
from gaia_email_registry.accounts import read_accounts
from gaia_email_registry.errors import BadArgument, NeedsAuth

SERVERS: Mapping[str, str] = {"google": "gmail", "microsoft": "graph", "microsoft_work": "graph"}
"""Our mail server of each of the peer's providers."""

MOST_LOGINS = 20

NOT_USED = "A forwarded login is kept and listed, but no mail server of this program can be given one yet."


@dataclass(frozen=True, slots=True, kw_only=True)
class ForwardedLogin:
    """A login that a host forwarded; `access_token` is in memory only and never shown."""

    access_token: str = field(repr=False)
    expires_at: float
    account_email: str | None
    scopes: tuple[str, ...]


class ForwardedLogins:
    """Those of one server; nothing of them is written, renewed, or outlives it.

    Args:
        clock: Epoch seconds.
    """

    def __init__(self, clock: Callable[[], float] = time) -> None:
        self._clock = clock
        self._kept: dict[str, ForwardedLogin] = {}

    def keep(self, provider: str, login: ForwardedLogin) -> ConnectionAnswer:
        """Keep it in place of an earlier one; one that has ended already is forgotten at the next look.

        Raises:
            TooManyRuns: As many as there may be are kept.
        """
        self._forget_ended()
        if provider not in self._kept and len(self._kept) >= MOST_LOGINS:
            raise TooManyRuns(f"{MOST_LOGINS} logins are kept; withdraw one first.")
        self._kept[provider] = login
        return _shown(provider, login)

    def withdraw(self, provider: str) -> bool:
        """Forget it; whether there was one."""
        self._forget_ended()
        return self._kept.pop(provider, None) is not None

    def listed(self) -> list[ConnectionAnswer]:
        """All of them, without their tokens."""
        self._forget_ended()
        return [_shown(provider, login) for provider, login in self._kept.items()]

    def __contains__(self, provider: object) -> bool:
        self._forget_ended()
        return provider in self._kept

    def _forget_ended(self) -> None:
        now = self._clock()
        self._kept = {name: login for name, login in self._kept.items() if login.expires_at > now}


class PeerMailboxes:
    """The connected mailboxes, by the peer's names of their providers."""

    def __init__(self, answering: Answering, logins: ForwardedLogins) -> None:
        self._answering = answering
        self._logins = logins

    def one(self, provider: str | None) -> SourceSpec:
        """The mailbox that is meant; without a name, the only one.

        Raises:
            NeedsAuth: None is connected.
            BadArgument: The one that is named is not, or it has to be said which of several.
        """
        if self._answering.shows_sample:
            return self._answering.sources("one", "")[0]
        if provider is not None and provider in SERVERS:
            provider = self._account_of(provider)
        try:
            return self._answering.sources("one", provider or "")[0]
        except NeedsAuth as error:
            if provider is None:
                raise self._not_connected(error) from None
            raise BadArgument(error.message, argument="provider", hint=error.hint) from None

    def every(self) -> list[SourceSpec]:
        """All mailboxes that are connected and switched on.

        Raises:
            NeedsAuth: None is.
        """
        try:
            return list(self._answering.sources("all", ""))
        except NeedsAuth as error:
            raise self._not_connected(error) from None

    def _account_of(self, provider: str) -> str:
        accounts = [
            one
            for one in read_accounts(self._answering.app.environ)
            if one.enabled and one.server == SERVERS[provider]
        ]
        if not accounts:
            unused = f" {NOT_USED}" if provider in self._logins else ""
            raise BadArgument(
                f"No {provider} account is connected.{unused}",
                argument="provider",
                hint="gaia email connect connects one",
            )
        if len(accounts) > 1:
            names = ", ".join(one.address for one in accounts)
            raise BadArgument(f"Name one of these accounts as provider: {names}.", argument="provider")
        return accounts[0].id

    def _not_connected(self, error: NeedsAuth) -> NeedsAuth:
        unused = f" {NOT_USED}" if self._logins.listed() else ""
        return NeedsAuth(f"{error.message}{unused}", hint=error.hint)


def provider_name(source: SourceSpec) -> str:
    """What the peer calls the provider of a mailbox; of one that it has no name for, what we call the account."""
    if source.kind == "account":
        return next((name for name, server in SERVERS.items() if server == source.server), source.path)
    return source.mailbox.name


def _shown(provider: str, login: ForwardedLogin) -> ConnectionAnswer:
    return {
        "provider": provider,
        "account_email": login.account_email,
        "expires_at": login.expires_at,
        "scopes": list(login.scopes),
        "forwarded": True,
    }
