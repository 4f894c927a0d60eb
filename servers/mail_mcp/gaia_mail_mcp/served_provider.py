"""Base of mail servers whose provider grants logins over the web. Entry: `ServedProvider`.

A provider defines its scopes, endpoints and mailbox. Shared by all: the choice of accounts, their logins, pushes, and
the functions for a program that keeps logins itself.
"""

from __future__ import annotations

import argparse
import os
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Generic, Protocol, TypeVar

from typing_extensions import override

from gaia_email_registry.accounts import Account, check_enabled
from gaia_email_registry.errors import MailError
from gaia_mail_mcp.mailbox import Capability, Mailbox
from gaia_mail_mcp.provider_server import ProviderServer, ServedMailboxes
from gaia_mail_mcp.source import MailboxSource
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.web.accounts import AccountBook, KnownLogin
from gaia_mail_mcp.web.provider import ProviderNames
from gaia_mail_mcp.web.token_source import ForwardedTokens

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from gaia_email_registry.forwarded import ForwardedLogin
    from gaia_mail_mcp.web.http import HttpClient


class _Client(Protocol):
    http: HttpClient


MailboxT = TypeVar("MailboxT", bound=Mailbox)
ClientT = TypeVar("ClientT", bound=_Client)


class ServedProvider(ProviderServer, Generic[MailboxT, ClientT]):
    """A server for accounts that are connected in a browser."""

    names: ClassVar[ProviderNames]
    server: ClassVar[str]
    """Name of the server in `accounts.json`."""
    preset: ClassVar[str]
    """Provider of its accounts in `accounts.json`, and the name of an account while there is none."""
    login_settings: ClassVar[tuple[str, ...]] = ("granted",)
    """Fields of `log_in`'s result, other than the login, that are stored in the account's settings."""
    account_help: ClassVar[str]

    @abstractmethod
    def capabilities_of(self, login: KnownLogin) -> frozenset[Capability]:
        """Return the capabilities that the login allows; before there is one, those that will be requested."""

    @abstractmethod
    def open_mailbox(
        self, login: KnownLogin, capabilities: frozenset[Capability], *, wakes: bool, hears: bool
    ) -> MailboxT:
        """Open the mailbox of a login.

        Args:
            login: The account and its login.
            capabilities: The mailbox's capabilities.
            wakes: True to bring back snoozed messages.
            hears: True if pushes reach this program.
        """

    @abstractmethod
    def open_client(self, tokens: ForwardedTokens, environ: Mapping[str, str]) -> ClientT:
        """Open a client for the provider's API with forwarded tokens."""

    @abstractmethod
    async def ask_address(self, client: ClientT) -> str:
        """Ask the provider for the address of the tokens' account; empty if they do not allow it."""

    @abstractmethod
    def push_door(
        self, environ: Mapping[str, str], live: Sequence[MailboxT]
    ) -> Callable[[ASGIApp], ASGIApp] | None:
        """Return the ASGI wrapper that receives the provider's pushes for the mailboxes in `live`; None without pushes.

        Raises:
            BadArgument: A value in the environment is invalid.
        """

    @abstractmethod
    async def log_in(
        self, options: Mapping[str, str], say: Callable[[str], None], agree: Callable[[], bool]
    ) -> Mapping[str, str]:
        """Connect an account for a program that keeps the login itself.

        Args:
            options: The flags of `auth`, by their names with underscores; `email` for the expected account.
            say: Prints a line.
            agree: Called before the browser opens, after showing what the login allows.

        Returns:
            `address`, `login`, which is secret, and the settings of the account (`login_settings`).

        Raises:
            MailError: The provider or the user declined, or the login is for another account than expected.
        """

    @abstractmethod
    def allowed_words(self, granted: str, environ: Mapping[str, str]) -> Sequence[str]:
        """Describe what a login allows, one line each in plain language: a login with these grants, else a new one."""

    @abstractmethod
    def check_ready(self, environ: Mapping[str, str]) -> None:
        """Check that a login can be requested.

        Raises:
            MailError: A requirement is missing; the message explains how to meet it.
        """

    @abstractmethod
    async def revoke(self, login: KnownLogin) -> str:
        """Ask the provider to revoke a login that will be forgotten here; return a sentence about the outcome."""

    def unlisted_login(self, account: Account, environ: Mapping[str, str]) -> KnownLogin:
        """Return the login of an account that is not in `accounts.json`; usually there is none.

        Raises:
            BadArgument: The name is invalid.
        """
        return self.known_login(account, environ)

    def default_names(self, environ: Mapping[str, str]) -> Sequence[str]:
        """Return the accounts to serve if none is named: all connected accounts that are switched on."""
        return [account.id for account in self.book(environ).list_accounts() if account.enabled]

    @override
    def add_flags(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--account", metavar="NAME", action="append", help=self.account_help)

    @override
    def serve(
        self, options: argparse.Namespace, environ: Mapping[str, str], settings: SurfaceSettings
    ) -> ServedMailboxes:
        environ = self.environment(vars(options), environ)
        live: list[MailboxT] = []
        heard = live if settings.http is not None else None
        sources = {
            name: self.source(self.login_of(name, environ), read_only=settings.read_only, live=heard)
            for name in options.account or self.default_names(environ) or [""]
        }
        return ServedMailboxes(sources=sources, around=self.push_door(environ, live))

    @override
    def embed(
        self, options: Mapping[str, str], environ: Mapping[str, str], settings: SurfaceSettings
    ) -> MailboxSource:
        environ = self.environment(options, environ)
        name = options.get("account", "")
        if "secret" not in options:
            return self.source(self.login_of(name, environ), read_only=settings.read_only)
        known = self.book(environ).find(name)
        account = Account(
            id=name,
            provider=self.preset,
            address=options.get("email", "") or (known.address if known else name),
            server=self.server,
            settings={setting: options.get(setting, "") for setting in self.login_settings},
            secret=options["secret"],
        )
        return self.source(self.known_login(account, environ), read_only=settings.read_only)

    def source(
        self, login: KnownLogin, *, read_only: bool = False, live: list[MailboxT] | None = None
    ) -> MailboxSource:
        """Return the mailbox of a login; the first call of a method opens it, and reports errors.

        An open mailbox is added to `live`, whose mailboxes receive the pushes of `push_door`.

        Raises:
            BadArgument: A value in the environment is invalid.
        """
        capabilities = self.capabilities_of(login)

        def open_live() -> MailboxT:
            mailbox = self.open_mailbox(login, capabilities, wakes=not read_only, hears=live is not None)
            if live is not None:
                live[:] = [one for one in live if one.account != mailbox.account] + [mailbox]
            return mailbox

        name = login.account.id
        return MailboxSource(
            open_live,
            account=name or self.preset,
            provider=self.server,
            capabilities=capabilities,
            may_open=partial(check_enabled, name, login.environ),
        )

    def book(self, environ: Mapping[str, str]) -> AccountBook:
        """Return the accounts in `accounts.json` that this server serves."""
        return AccountBook(server=self.server, provider=self.names, environ=environ)

    def login_of(self, name: str, environ: Mapping[str, str]) -> KnownLogin:
        """Return the login of the account with this id or address.

        Raises:
            MailError: `accounts.json` cannot be read, or the account's login is not in the vault.
        """
        account = self.book(environ).find(name)
        if account is not None:
            return self.known_login(account, environ)
        return self.unlisted_login(
            Account(id=name, provider=self.preset, address=name, server=self.server), environ
        )

    def known_login(self, account: Account, environ: Mapping[str, str]) -> KnownLogin:
        """Return the login of an account, forwarded by a host or kept in the vault.

        Raises:
            BadArgument: It is in neither.
        """
        book = self.book(environ)
        merged = book.environment_of(account)
        if account.is_forwarded:
            return KnownLogin(account=account, environ=merged, forwarded=book.forwarded_tokens(account))
        return KnownLogin(account=account, environ=merged, storage=book.storage_of(account))

    def login_terms(self, options: Mapping[str, str]) -> Mapping[str, object]:
        """Return what a login would allow, before anyone is asked for one.

        Args:
            options: As for `log_in`; `granted` for an existing login, as `log_in` returned it.

        Returns:
            `allows`, one line each in plain language; `missing` and `hint`, a missing requirement and how to meet it,
            empty if nothing is missing.
        """
        environ = self.environment(options, os.environ)
        missing, hint = "", ""
        try:
            self.check_ready(environ)
        except MailError as error:
            missing, hint = error.message, error.hint or ""
        allows = self.allowed_words(options.get("granted", ""), environ)
        return {"allows": allows, "missing": missing, "hint": hint}

    async def log_out(self, account: str, environ: Mapping[str, str]) -> str:
        """End the login of a connected account, for the program that is about to forget it.

        Returns:
            A sentence about the outcome.

        Raises:
            MailError: The account's settings are invalid; the provider was not contacted.
        """
        login = self.login_of(account, environ)
        if login.forwarded is not None:
            return "Its login stays with the host that forwarded it."
        return await self.revoke(login)

    async def address_of(self, login: ForwardedLogin, environ: Mapping[str, str]) -> str:
        """Return the address of the account that a forwarded login opens; empty if the login does not allow it.

        Raises:
            NeedsAuth: The provider does not accept the login.
            MailError: The provider cannot be reached.
        """
        client = self.open_client(ForwardedTokens(lambda: login, self.names), environ)
        try:
            return await self.ask_address(client)
        finally:
            await client.http.aclose()
