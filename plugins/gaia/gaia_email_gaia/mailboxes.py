"""Finds the mailbox for a `provider`. Entries: `PeerMailboxes`, `provider_name`."""

from __future__ import annotations

from gaia_email.app.services.forwarding import SERVERS
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http.answering import Answering
from gaia_email_registry.accounts import read_accounts
from gaia_email_registry.errors import BadArgument, NeedsAuth
from gaia_email_registry.forwarded import forwarded_logins


class PeerMailboxes:
    """The connected mailboxes, by the peer's provider names."""

    def __init__(self, answering: Answering) -> None:
        self._answering = answering

    def one(self, provider: str | None) -> SourceSpec:
        """Return the mailbox of a provider; without a name, the only one.

        Raises:
            NeedsAuth: No account is connected.
            BadArgument: The named account is not connected, or there are several and none was named.
        """
        if self._answering.shows_sample:
            return self._answering.sources("one", "")[0]
        if provider is not None and provider in SERVERS:
            provider = self._account_of(provider)
        try:
            return self._answering.sources("one", provider or "")[0]
        except NeedsAuth as error:
            if provider is None:
                raise
            raise BadArgument(error.message, argument="provider", hint=error.hint) from None

    def every(self) -> list[SourceSpec]:
        """Return all mailboxes that are connected and enabled.

        Raises:
            NeedsAuth: There are none.
        """
        return list(self._answering.sources("all", ""))

    def _account_of(self, provider: str) -> str:
        environ = self._answering.app.environ
        for login in forwarded_logins(environ):
            if login.provider == provider:
                return login.account_id
        accounts = [one for one in read_accounts(environ) if one.enabled and one.server == SERVERS[provider]]
        if not accounts:
            raise BadArgument(
                f"No {provider} account is connected.",
                argument="provider",
                hint="gaia email connect connects one, or the host forwards its login",
            )
        if len(accounts) > 1:
            names = ", ".join(one.address for one in accounts)
            raise BadArgument(f"Name one of these accounts as provider: {names}.", argument="provider")
        return accounts[0].id


def provider_name(source: SourceSpec) -> str:
    """Return the peer's name for a mailbox's provider; if it has none, our name of the account."""
    if source.kind == "account":
        return next((name for name, server in SERVERS.items() if server == source.server), source.path)
    return source.mailbox.name
