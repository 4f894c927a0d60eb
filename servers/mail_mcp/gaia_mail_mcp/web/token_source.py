"""What gives out access tokens; those of a host are never renewed. Entries: `TokenSource`, `ForwardedTokens`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from gaia_email_registry.errors import NeedsAuth
from gaia_email_registry.forwarded import ForwardedLogin
from gaia_mail_mcp.web.provider import ProviderNames


class TokenSource(Protocol):
    """Gives out access tokens."""

    async def access(self) -> str:
        """A token that should be accepted; `NeedsAuth` when there is none."""
        ...

    def distrust(self, token: str) -> None:
        """It was refused: give out another one."""
        ...


class ScopedTokens(TokenSource, Protocol):
    """One that knows what its tokens allow."""

    @property
    def scopes(self) -> tuple[str, ...]:
        """What the account agreed to, as far as it was said."""
        ...

    @property
    def again(self) -> str:
        """What gives a login that allows more, where that is not the provider's usual command; else empty."""
        ...


class ForwardedTokens:
    """Tokens of a login that a host forwarded: used until they end or the login is withdrawn, and never renewed.

    Args:
        login: Looked up at each use, since the host may have forwarded a newer one, or taken it back.
        provider: Who gave it out.
        clock: Seconds since the epoch.
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
        """What the host said that the login allows."""
        login = self._login()
        return () if login is None else login.scopes

    @property
    def again(self) -> str:
        """What to do for another login."""
        login = self._login()
        return "" if login is None else login.again

    def distrust(self, token: str) -> None:
        """The provider refused it."""
        self._refused = token

    async def access(self) -> str:
        """The host's token.

        Raises:
            NeedsAuth: It has ended, was refused, or the host took it back.
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
                f"{company} does not accept the login that {login.host} forwarded: it was revoked, or is no login.",
                hint=login.again,
            )
        return token
