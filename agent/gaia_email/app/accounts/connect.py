"""Connects and disconnects accounts: tests the login over MCP, then stores account and password. Entry: `connect`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from gaia_email.app.accounts.provider_logins import log_out
from gaia_email.mailbox.client import MailClient, open_mail
from gaia_email_registry import paths
from gaia_email_registry.accounts import (
    Account,
    find_account,
    now_text,
    read_accounts,
    remove_account,
    store_account,
)
from gaia_email_registry.errors import BadArgument, MailError
from gaia_email_registry.providers import PROVIDERS, MailProvider, provider_of
from gaia_email_registry.servers import InProcessServer
from gaia_email_registry.vault import open_vault

VAULT = "vault:"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectedAccount:
    """A working account; `labels` counts its labels, `problems` lists what does not work (usually sending)."""

    account: Account
    labels: int
    can_send: bool
    problems: tuple[str, ...]


def checked_address(address: str) -> str:
    """Return an address without surrounding whitespace.

    Raises:
        BadArgument: It is not an address.
    """
    local, at, domain = address.strip().rpartition("@")
    if not (local and at and domain) or not address.isprintable() or " " in address.strip():
        raise BadArgument(f"{address[:80]!r} is not an address, such as you@example.org.", argument="email")
    return address.strip()


def plan_account(
    address: str, provider: str | None, settings: Mapping[str, str]
) -> tuple[Account, MailProvider | None]:
    """Return the account to store, still without a secret, and its provider if known.

    Raises:
        BadArgument: The address is invalid, or its mail servers are unknown.
    """
    address = checked_address(address)
    known = PROVIDERS[provider] if provider else provider_of(address)
    if known is None and "imap_host" not in settings:
        raise BadArgument(
            f"The mail servers of {address.rpartition('@')[2][:80]} are not known here.",
            argument="imap_host",
            hint=f"gaia email connect --email {address} --imap-host HOST --smtp-host HOST",
        )
    named = known if "imap_host" not in settings or provider else None
    account = Account(
        id=address,
        provider=named.id if named else "other",
        address=address,
        server="imap",
        settings=dict(settings),
        added_at=now_text(),
    )
    return account, named


async def connect(
    account: Account, environ: Mapping[str, str], *, password: str | None = None, reference: str = ""
) -> ConnectedAccount:
    """Test the login, then store the account; an account with the same id is replaced.

    Args:
        account: From `plan_account`.
        environ: Determines the data directory and the vault.
        password: Will be stored in the vault.
        reference: The password's location otherwise, as `secret_source` reads it.

    Raises:
        MailError: The login failed, or nothing can be stored. Nothing has changed then.
    """
    before = _stored(account.id, environ)
    vault = open_vault(environ)
    undo: Callable[[], object] = _nothing
    if password is not None:
        held = before.secret.removeprefix(VAULT) if before and before.secret.startswith(VAULT) else ""
        old = _held(held, environ)
        kept = vault.put(account.id, password)
        reference = VAULT + kept
        undo = (lambda: vault.put(account.id, old)) if old is not None else (lambda: vault.remove(kept))
    account = replace(account, secret=reference)
    try:
        found = await _try(account)
        store_account(account, environ)
    except BaseException:
        undo()
        raise
    if before and before.secret.startswith(VAULT) and before.secret != account.secret:
        vault.remove(before.secret.removeprefix(VAULT))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class DisconnectedAccount:
    """An account that was deleted; `told` is a sentence about revoking its login, if its provider issued one."""

    account: Account
    told: str


def disconnect(name: str, environ: Mapping[str, str]) -> DisconnectedAccount:
    """Delete an account, its password and the copy of its mail; its mail and the other accounts stay.

    A login that its provider issued is revoked there, if the provider can be reached.

    Raises:
        NeedsAuth: The account is not connected.
        ProviderError: Part of it cannot be removed.
    """
    from gaia_email.ledger import open_ledger
    from gaia_email.ledger.policy_store import has_ledger

    account = find_account(name, environ, disabled_too=True)
    told = log_out(account, environ)
    if account.secret.startswith(VAULT):
        open_vault(environ).remove(account.secret.removeprefix(VAULT))
    shutil.rmtree(paths.account_directory(environ, account.id), ignore_errors=True)
    remove_account(account.id, environ)
    if has_ledger(environ):
        with open_ledger(environ=environ) as ledger:
            ledger.purge("mail", account.address)
    return DisconnectedAccount(account=account, told=told)


async def _try(account: Account) -> ConnectedAccount:
    options = {**account.settings, "secret": account.secret, "read_only": "true"}
    if account.server == "imap":
        options.setdefault("imap_user", account.address)
        options |= {"imap_provider": account.provider, "imap_no_index": "true"}
    else:
        options["account"] = account.id

    async def look(mail: MailClient) -> ConnectedAccount:
        labels = await mail.labels()
        status = await mail.status()
        return ConnectedAccount(
            account=account,
            labels=len(labels),
            can_send=account.server != "imap" or "send" in status["scopes"],
            problems=tuple(status["errors"]),
        )

    async with open_mail(InProcessServer(provider=account.server, options=options)) as mail:
        return await look(mail)


def _stored(account_id: str, environ: Mapping[str, str]) -> Account | None:
    return next((found for found in read_accounts(environ) if found.id == account_id), None)


def _held(reference: str, environ: Mapping[str, str]) -> str | None:
    """Return the stored password, to be restored if the new one does not work."""
    if not reference:
        return None
    try:
        return open_vault(environ).get(reference)
    except MailError:
        return None


def _nothing() -> None:
    return None
