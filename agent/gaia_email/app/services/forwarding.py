"""Logins that a host forwards, to this process and those it starts. Entries: `forward_login`, `withdraw_login`."""

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
"""Our mail server for what hosts call a provider."""

ADDRESS_S = 8.0
"""Seconds that the provider may take to say whose a login is; hosts wait about ten."""


def forward_login(app: App, login: ForwardedLogin, *, look: bool = True) -> ForwardedLogin:
    """Use a login from now on until it ends or is withdrawn; nothing of it is written.

    Args:
        app: The running program.
        login: With an empty `address` where the host does not know whose it is.
        look: Ask the provider then; without, the account is called by the provider's name.

    Raises:
        BadArgument: The provider does not say whose it is either.
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
    """Forget the login of a provider; which account it was, None where there was none.

    Raises:
        ProviderError, BadArgument: The list of accounts cannot be read.
    """
    for login in forwarded_logins(app.environ):
        if login.provider == provider:
            withdraw(login.account_id, app.environ)
            return login.account_id
    return None


def lent_login(app: App, source: SourceSpec) -> dict[str, Any] | None:
    """What a process that this one starts has to be told over its standard input to open a mailbox; often nothing."""
    login = forwarded_login(source.path, app.environ) if source.kind == "account" else None
    return None if login is None else asdict(login)


def take_login(app: App, lent: object) -> None:
    """What `lent_login` told, in the process that was started; an account that is no longer lent is forgotten."""
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
