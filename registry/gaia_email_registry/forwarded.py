"""Logins that a host forwards to this process, which keeps them in memory only. Entries: `forward`, `forwarded_login`.

A host that has the OAuth login of an account hands out its access tokens, which end soon. While this process lives, the
account stands among those of `accounts.json` (`accounts.read_accounts`), and our mail servers, which run inside the
process that opens them and are told texts only, find the token here by data directory. So it is in no file, no variable
and no argument, and nothing is there to renew it with.
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
    """A login for which somebody else is responsible.

    Attributes:
        provider: What the host calls the provider, such as `google`.
        account_id: The account it opens.
        address: The address of that account.
        server: Which of our servers serves it.
        access_token: In memory only, and never shown.
        expires_at: When the token ends, in seconds since the epoch.
        scopes: What it allows, as the provider calls it; empty where the host did not say.
        host: Who forwarded it, for sentences to people.
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
        """What helps where the login does not do any more."""
        return f"have {self.host} forward the login of {self.address} again."

    def usable(self, company: str, now: float) -> str:
        """The token.

        Args:
            company: Who gave it out, as people call it.
            now: Seconds since the epoch.

        Raises:
            NeedsAuth: It has ended.
        """
        if now >= self.expires_at:
            raise NeedsAuth(
                f"The {company} login that {self.host} forwarded has expired; it is not renewed here.",
                hint=self.again,
            )
        return self.access_token


_LOGINS: dict[Path, dict[str, ForwardedLogin]] = {}


def forward(login: ForwardedLogin, environ: Mapping[str, str]) -> None:
    """List its account, or use this login for it from now on; what the same provider had before is forgotten.

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
    """Those of the data directory, in the order they came."""
    return list(_LOGINS.get(paths.home(environ), {}).values())


def forwarded_login(account_id: str, environ: Mapping[str, str]) -> ForwardedLogin | None:
    """That of an account; None where it was withdrawn, or there never was one."""
    return _LOGINS.get(paths.home(environ), {}).get(account_id)


def withdraw(account_id: str, environ: Mapping[str, str]) -> None:
    """Forget the login and its account; harmless where there is none.

    Raises:
        ProviderError, BadArgument: The list of accounts cannot be read.
    """
    if _LOGINS.get(paths.home(environ), {}).pop(account_id, None) is not None:
        remove_account(account_id, environ)


def withdraw_all(environ: Mapping[str, str]) -> None:
    """Forget every login of the data directory, for the end of the program that took them."""
    for login in forwarded_logins(environ):
        withdraw(login.account_id, environ)
