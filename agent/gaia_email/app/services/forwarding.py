"""Logins that a host forwards to this process and its children. Entries: `forward_login`, `withdraw_login`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import msgspec

from gaia_email.app import App
from gaia_email.app.accounts.provider_logins import address_of
from gaia_email_registry.accounts import read_accounts
from gaia_email_registry.errors import BadArgument, NeedsApproval, ProviderError
from gaia_email_registry.forwarded import ForwardedLogin, forward, forwarded_login, forwarded_logins, withdraw

if TYPE_CHECKING:
    from gaia_email.app.services.source import SourceSpec

SERVERS: Mapping[str, str] = {"google": "gmail", "microsoft": "graph", "microsoft_work": "graph"}
"""Mail servers by the host's name for a provider."""

ADDRESS_S = 8.0
"""Seconds to wait for the provider to identify a login; hosts wait about ten."""


def forward_login(app: App, login: ForwardedLogin, *, look: bool = True) -> ForwardedLogin:
    """Use a login until it ends or is withdrawn; nothing is written to disk.

    Args:
        app: The running program.
        login: Has an empty `address` if the host does not know the account.
        look: Ask the provider in that case; otherwise, the account is named after the provider.

    Raises:
        BadArgument: The provider does not identify the account either.
        NeedsApproval: The owner has connected that account here, with a login of its own.
        NeedsAuth: The provider does not accept the login.
        ProviderError: It does not answer in time, or the accounts cannot be read.
    """
    address = login.address or (asyncio.run(_address(app, login)) if look else login.provider)
    if not address:
        raise BadArgument(
            "The login does not let its provider say whose mailbox it opens.",
            argument="/account_email",
            hint="send account_email.",
        )
    for account in read_accounts(app.environ):
        if not account.is_forwarded and address.casefold() in (
            account.id.casefold(),
            account.address.casefold(),
        ):
            raise NeedsApproval(
                f"{account.id} is connected here with a login of its own, so the one that was forwarded is not used.",
                hint=f"gaia email disconnect --account {account.id} gives it up.",
            )
    login = replace(login, account_id=address, address=address)
    forward(login, app.environ)
    return login


def withdraw_login(app: App, provider: str) -> str | None:
    """Forget the login of a provider; return its account, or None if there was no login.

    Raises:
        ProviderError, BadArgument: The list of accounts cannot be read.
    """
    for login in forwarded_logins(app.environ):
        if login.provider == provider:
            withdraw(login.account_id, app.environ)
            return login.account_id
    return None


def lent_login(app: App, source: SourceSpec) -> dict[str, Any] | None:
    """Return the data that a child process needs on its standard input to open a mailbox; often None."""
    login = forwarded_login(source.path, app.environ) if source.kind == "account" else None
    return None if login is None else asdict(login)


def take_login(app: App, lent: object) -> None:
    """Accept the data of `lent_login` in a child process; without data, forwarded logins are forgotten."""
    if lent is not None:
        forward(msgspec.convert(lent, ForwardedLogin), app.environ)
        return
    for login in forwarded_logins(app.environ):
        withdraw(login.account_id, app.environ)


async def _address(app: App, login: ForwardedLogin) -> str:
    try:
        async with asyncio.timeout(ADDRESS_S):
            return await address_of(login, app.environ)
    except TimeoutError:
        raise ProviderError(
            "The provider did not say in time whose login it is.", hint="send account_email, or try again."
        ) from None
