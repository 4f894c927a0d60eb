"""Whose login a name stands for: a connected account, one of a host, or a credential file. Entry: `login_of`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gaia_gmail_mcp.credentials import GoogleLoginStore, keys_path
from gaia_gmail_mcp.endpoints import GOOGLE
from gaia_gmail_mcp.scopes import READS, granted
from gaia_mail_mcp.web.accounts import AccountBook
from gaia_mail_mcp.web.token_source import ForwardedTokens


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownLogin:
    """Where the login of an account is.

    Attributes:
        store: Its key file and tokens; a host's login has none.
        environ: The environment, with the account's own settings under it.
        granted: What Google granted, where that is known without asking the vault.
        forwarded: The tokens of a login that a host forwarded.
    """

    store: GoogleLoginStore | None = None
    environ: Mapping[str, str]
    granted: str = ""
    forwarded: ForwardedTokens | None = None


def login_of(name: str, environ: Mapping[str, str]) -> KnownLogin:
    """The login of the account with that id or address, else that of the credential file of that name.

    Raises:
        MailError: `accounts.json` cannot be read, or the account's login is not in the vault.
    """
    book = _book(environ)
    account = book.find(name)
    if account is None:
        return KnownLogin(store=GoogleLoginStore.from_environment(environ, name), environ=environ)
    merged = book.environment_of(account)
    if account.is_forwarded:
        forwarded = book.forwarded_tokens(account)
        names = granted(forwarded.scopes)
        allowed = ",".join(names) if READS.intersection(names) else ""
        return KnownLogin(environ=merged, granted=allowed, forwarded=forwarded)
    store = GoogleLoginStore(keys_path(merged), storage=book.storage_of(account))
    return KnownLogin(store=store, environ=merged, granted=account.settings.get("granted", ""))


def login_in_vault(options: Mapping[str, str], environ: Mapping[str, str]) -> KnownLogin:
    """The login under `options["secret"]`, for an account that is only being connected."""
    name = options.get("account", "")
    store = GoogleLoginStore(
        keys_path(environ), storage=_book(environ).storage(options["secret"], name, name)
    )
    return KnownLogin(store=store, environ=environ, granted=options.get("granted", ""))


def served(given: Sequence[str], environ: Mapping[str, str]) -> Sequence[str]:
    """The accounts to serve: those given, else the usual credential file's, else every connected one.

    Raises:
        MailError: `accounts.json` has to be looked at and cannot be read.
    """
    if (
        given
        or environ.get("GMAIL_CREDENTIALS_PATH")
        or GoogleLoginStore.from_environment(environ).credentials_path.exists()
    ):
        return given or [""]
    return [account.id for account in _book(environ).connected() if account.enabled] or [""]


def _book(environ: Mapping[str, str]) -> AccountBook:
    return AccountBook(server="gmail", provider=GOOGLE, environ=environ)
