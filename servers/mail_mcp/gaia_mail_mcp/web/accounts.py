"""The accounts that a server serves, and where their logins are. Entries: `AccountBook`, `KnownLogin`."""

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
    """Where the login of an account is.

    Attributes:
        account: As `accounts.json` has it; one without a secret if it is not there.
        environ: The environment, with the account's own settings under it.
        storage: Where its tokens are; a host's login has none.
        forwarded: The tokens of a login that a host forwarded.
    """

    account: Account
    environ: Mapping[str, str]
    storage: LoginStorage | None = None
    forwarded: ForwardedTokens | None = None

    @property
    def granted(self) -> str:
        """What the provider granted, if the account's settings say so."""
        return self.account.settings.get("granted", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountBook:
    """The connected accounts of one server.

    Attributes:
        server: What `accounts.json` and the settings call it.
        provider: Who gives out its logins.
        environ: Says where `accounts.json` and the vault are.
    """

    server: str
    provider: ProviderNames
    environ: Mapping[str, str]

    def connected(self) -> list[Account]:
        """In their order, switched off ones too.

        Raises:
            MailError: `accounts.json` cannot be read.
        """
        return [account for account in read_accounts(self.environ) if account.server == self.server]

    def find(self, name: str) -> Account | None:
        """The account with that id or address.

        Raises:
            MailError: `accounts.json` cannot be read.
        """
        wanted = name.casefold()
        for account in self.connected() if name else ():
            if wanted in (account.id.casefold(), account.address.casefold()):
                return account
        return None

    def environment_of(self, account: Account) -> Mapping[str, str]:
        """The environment, with the account's own settings under it."""
        entries = [entry for entry in SETTINGS if entry.group == self.server]
        own = {entry.env: account.settings.get(entry.dest, "") for entry in entries}
        return {**{name: value for name, value in own.items() if value}, **self.environ}

    def forwarded_tokens(self, account: Account) -> ForwardedTokens:
        """What gives out the tokens of an account whose login a host forwards."""
        return ForwardedTokens(lambda: forwarded_login(account.id, self.environ), self.provider)

    def storage_of(self, account: Account) -> VaultLoginStorage:
        """Where the login of an account is, which may only be about to be connected.

        Raises:
            BadArgument: It is not in the vault.
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
