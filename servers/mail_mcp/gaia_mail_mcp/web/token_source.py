"""Sources of access tokens; tokens from a host are never renewed. Entries: `TokenSource`, `ForwardedTokens`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from gaia_email_registry.errors import NeedsAuth
from gaia_email_registry.forwarded import ForwardedLogin
from gaia_mail_mcp.web.provider import ProviderNames


class TokenSource(Protocol):
    """Supplies access tokens."""

    async def access(self) -> str:
        """Return a token that should be accepted; raises `NeedsAuth` if there is none."""
        ...

    def distrust(self, token: str) -> None:
        """Stop using this token, which was refused."""
        ...


class ScopedTokens(TokenSource, Protocol):
    """A source that knows what its tokens allow."""

    @property
    def scopes(self) -> tuple[str, ...]:
        """Scopes that the account agreed to, if known."""
        ...

    @property
    def again(self) -> str:
        """Instructions for a login that allows more; empty if the provider's usual command gives it."""
        ...


class ForwardedTokens:
    """Tokens of a login that a host forwarded: used until they expire or the login is withdrawn, never renewed.

    Args:
        login: Called on each use, because the host may forward a newer login or withdraw it.
        provider: Provider that issued it.
        clock: Returns seconds since the epoch.
    """

    def __init__(
        self,
        login: Callable[[], ForwardedLogin | None],
        provider: ProviderNames,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._login, self._provider, self._clock = login, provider, clock
        self._refused = ""

    @property
    def scopes(self) -> tuple[str, ...]:
        """Scopes that the login allows, according to the host."""
        login = self._login()
        return () if login is None else login.scopes

    @property
    def again(self) -> str:
        """Instructions for getting another login."""
        login = self._login()
        return "" if login is None else login.again

    def distrust(self, token: str) -> None:
        """Stop using this token, which the provider refused."""
        self._refused = token

    async def access(self) -> str:
        """Return the host's token.

        Raises:
            NeedsAuth: It has expired, was refused, or was withdrawn by the host.
        """
        login, company = self._login(), self._provider.company
        if login is None:
            raise NeedsAuth(
                f"The {company} login that a host forwarded was withdrawn.",
                hint="have the host forward it again.",
            )
        token = login.usable(company, self._clock())
        if token == self._refused:
            raise NeedsAuth(
                f"{company} does not accept the login that {login.host} forwarded: it was revoked, or is not a login.",
                hint=login.again,
            )
        return token
