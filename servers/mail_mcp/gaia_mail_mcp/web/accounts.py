"""The accounts of a server, and their logins. Entries: `AccountBook`, `KnownLogin`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gaia_email_registry import paths
from gaia_email_registry.accounts import Account, read_accounts
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.forwarded import forwarded_login
from gaia_email_registry.settings import SETTINGS
from gaia_mail_mcp.web.login_storage import LoginStorage, VaultLoginStorage
from gaia_mail_mcp.web.provider import ProviderNames
from gaia_mail_mcp.web.token_source import ForwardedTokens


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownLogin:
    """An account with its login.

    Attributes:
        account: The account from `accounts.json`; one without a secret if it is not listed there.
        environ: The environment, with the account's own settings as defaults.
        storage: Storage of its tokens; None for a login that a host forwarded.
        forwarded: Tokens of a login that a host forwarded.
    """

    account: Account
    environ: Mapping[str, str]
    storage: LoginStorage | None = None
    forwarded: ForwardedTokens | None = None

    @property
    def granted(self) -> str:
        """Access that the provider granted, if the account's settings contain it."""
        return self.account.settings.get("granted", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountBook:
    """The connected accounts of one server.

    Attributes:
        server: Name of the server in `accounts.json` and the settings.
        provider: Provider that issues its logins.
        environ: Environment with the location of `accounts.json` and the vault.
    """

    server: str
    provider: ProviderNames
    environ: Mapping[str, str]

    def list_accounts(self) -> list[Account]:
        """Return the accounts in order, including those switched off.

        Raises:
            MailError: `accounts.json` cannot be read.
        """
        return [account for account in read_accounts(self.environ) if account.server == self.server]

    def find(self, name: str) -> Account | None:
        """Return the account with this id or address.

        Raises:
            MailError: `accounts.json` cannot be read.
        """
        wanted = name.casefold()
        for account in self.list_accounts() if name else ():
            if wanted in (account.id.casefold(), account.address.casefold()):
                return account
        return None

    def environment_of(self, account: Account) -> Mapping[str, str]:
        """Return the environment, with the account's own settings as defaults."""
        entries = [entry for entry in SETTINGS if entry.group == self.server]
        own = {entry.env: account.settings.get(entry.dest, "") for entry in entries}
        return {**{name: value for name, value in own.items() if value}, **self.environ}

    def forwarded_tokens(self, account: Account) -> ForwardedTokens:
        """Return the tokens of an account whose login a host forwards."""
        return ForwardedTokens(lambda: forwarded_login(account.id, self.environ), self.provider)

    def storage_of(self, account: Account) -> VaultLoginStorage:
        """Return the storage of an account's login; the account may not be connected yet.

        Raises:
            BadArgument: The login is not in the vault.
        """
        kind, _, reference = account.secret.partition(":")
        if account.secret and kind != "vault":
            raise BadArgument(f"The login of {account.id[:80]} is not in the vault.", argument="secret")
        return VaultLoginStorage(
            reference,
            self.environ,
            lock=paths.account_directory(self.environ, account.id) / "login",
            connect=f"gaia email connect --provider {account.provider} --email {account.address}",
            provider=self.provider,
        )
