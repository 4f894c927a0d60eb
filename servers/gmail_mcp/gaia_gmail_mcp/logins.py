"""Whose login a name stands for: a connected account of `accounts.json`, or a credential file. Entry: `login_of`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gaia_email_registry import paths
from gaia_email_registry.accounts import Account, read_accounts
from gaia_email_registry.settings import SETTINGS
from gaia_gmail_mcp.credentials import Store
from gaia_gmail_mcp.login_places import VaultPlace

SERVER = "gmail"
"""What `accounts.json` calls this server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownLogin:
    """Where the login of an account is.

    Attributes:
        store: Its key file and tokens.
        environ: The environment, with the account's own settings under it.
        granted: What Google granted, where that is known without asking the vault.
    """

    store: Store
    environ: Mapping[str, str]
    granted: str = ""


def login_of(name: str, environ: Mapping[str, str]) -> KnownLogin:
    """The login of the account with that id or address, else that of the credential file of that name.

    Raises:
        MailError: `accounts.json` cannot be read.
    """
    wanted = name.casefold()
    for account in _connected(environ) if name else ():
        if wanted in (account.id.casefold(), account.address.casefold()):
            return _kept(account, environ)
    return KnownLogin(store=Store.from_environment(environ, name), environ=environ)


def login_in_vault(options: Mapping[str, str], environ: Mapping[str, str]) -> KnownLogin:
    """The login under `options["secret"]`, for an account that is only being connected."""
    reference = options["secret"].removeprefix("vault:")
    name = options.get("account", "")
    place = VaultPlace(
        reference,
        environ,
        paths.account_directory(environ, name) / "login",
        f"gaia email connect --provider gmail --email {name}",
    )
    keys = Store.from_environment(environ).keys_path
    return KnownLogin(store=Store(keys, place=place), environ=environ, granted=options.get("granted", ""))


def served(given: Sequence[str], environ: Mapping[str, str]) -> Sequence[str]:
    """The accounts to serve: those given, else the usual credential file's, else every connected one.

    Raises:
        MailError: `accounts.json` has to be looked at and cannot be read.
    """
    if (
        given
        or environ.get("GMAIL_CREDENTIALS_PATH")
        or Store.from_environment(environ).credentials_path.exists()
    ):
        return given or [""]
    return [account.id for account in _connected(environ) if account.enabled] or [""]


def _connected(environ: Mapping[str, str]) -> list[Account]:
    return [account for account in read_accounts(environ) if account.server == SERVER]


def _kept(account: Account, environ: Mapping[str, str]) -> KnownLogin:
    own = {entry.env: account.settings.get(entry.dest, "") for entry in SETTINGS if entry.group == "gmail"}
    merged = {**{name: value for name, value in own.items() if value}, **environ}
    return KnownLogin(
        store=Store.of_account(account, merged), environ=merged, granted=account.settings.get("granted", "")
    )
