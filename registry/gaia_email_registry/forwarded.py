"""Logins that a host forwards to this process, kept in memory only. Entries: `forward`, `forwarded_login`.

A host that has the OAuth login of an account passes on short-lived access tokens. For the lifetime of this process, the
account is listed with those of `accounts.json` (`accounts.read_accounts`). Our mail servers run inside the process that
opens them and accept only text options, so they look up the token here by data directory. It therefore appears in no
file, variable or argument, and cannot be renewed here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gaia_email_registry import paths
from gaia_email_registry.accounts import FORWARDED, Account, read_accounts, remove_account, store_account
from gaia_email_registry.errors import NeedsAuth


@dataclass(frozen=True, slots=True, kw_only=True)
class ForwardedLogin:
    """A login that a host provides and renews.

    Attributes:
        provider: The host's name for the provider, such as `google`.
        account_id: The account it opens.
        address: The address of that account.
        server: Which of our servers opens it.
        access_token: Kept in memory only, and never shown.
        expires_at: Expiry of the token, in seconds since the epoch.
        scopes: Scopes granted, by the provider's names; empty if the host did not send any.
        host: Name of the host, for messages to users.
    """

    provider: str
    account_id: str
    address: str
    server: str
    access_token: str = field(repr=False)
    expires_at: float
    scopes: tuple[str, ...] = ()
    host: str = "the host"

    @property
    def again(self) -> str:
        """Hint for a login that no longer works."""
        return f"have {self.host} forward the login of {self.address} again."

    def usable(self, company: str, now: float) -> str:
        """Return the token if it has not expired.

        Args:
            company: Display name of the issuer.
            now: Seconds since the epoch.

        Raises:
            NeedsAuth: The token has expired.
        """
        if now >= self.expires_at:
            raise NeedsAuth(
                f"The {company} login that {self.host} forwarded has expired; it is not renewed here.",
                hint=self.again,
            )
        return self.access_token


_LOGINS: dict[Path, dict[str, ForwardedLogin]] = {}


def forward(login: ForwardedLogin, environ: Mapping[str, str]) -> None:
    """Add the login and list its account; it replaces an earlier login from the same provider.

    Raises:
        ProviderError, BadArgument: The list of accounts cannot be read.
    """
    for other in forwarded_logins(environ):
        if other.provider == login.provider and other.account_id != login.account_id:
            withdraw(other.account_id, environ)
    _LOGINS.setdefault(paths.home(environ), {})[login.account_id] = login
    if not any(one.id == login.account_id for one in read_accounts(environ)):
        account = Account(
            id=login.account_id,
            provider="gmail" if login.server == "gmail" else "outlook",
            address=login.address,
            server=login.server,
            secret=f"{FORWARDED}{login.provider}",
        )
        store_account(account, environ)


def forwarded_logins(environ: Mapping[str, str]) -> list[ForwardedLogin]:
    """Return the logins for the data directory, in order of arrival."""
    return list(_LOGINS.get(paths.home(environ), {}).values())


def forwarded_login(account_id: str, environ: Mapping[str, str]) -> ForwardedLogin | None:
    """Return the login of an account; None if there is none, or it was withdrawn."""
    return _LOGINS.get(paths.home(environ), {}).get(account_id)


def withdraw(account_id: str, environ: Mapping[str, str]) -> None:
    """Remove the login and its account; harmless if there is none.

    Raises:
        ProviderError, BadArgument: The list of accounts cannot be read.
    """
    if _LOGINS.get(paths.home(environ), {}).pop(account_id, None) is not None:
        remove_account(account_id, environ)


def withdraw_all(environ: Mapping[str, str]) -> None:
    """Remove every login for the data directory, at the end of the program that received them."""
    for login in forwarded_logins(environ):
        withdraw(login.account_id, environ)
