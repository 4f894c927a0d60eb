"""Accounts found on this machine. Entries: `not_connected`, `evident`, `named_here`, `defaults_of`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from gaia_email_registry.accounts import read_accounts
from gaia_email_registry.discovery import browsers
from gaia_email_registry.discovery.look import COLLECTORS, AccountCandidate, discover
from gaia_email_registry.discovery.machine import Machine
from gaia_email_registry.providers import is_loopback, provider_of, provider_of_server
from gaia_email_registry.settings import switch


def not_connected(environ: Mapping[str, str], platform: str = sys.platform) -> tuple[AccountCandidate, ...]:
    """Return the accounts found on this machine but not in `accounts.json`, likeliest first.

    Browsers are searched only if the user has enabled that.

    Raises:
        ProviderError, BadArgument: The list of accounts cannot be read, or the setting is neither on nor off.
    """
    connected = {account.address.casefold() for account in read_accounts(environ)}
    return tuple(one for one in _named(environ, platform) if one.address.casefold() not in connected)


def named_here(
    address: str, environ: Mapping[str, str], platform: str = sys.platform
) -> AccountCandidate | None:
    """Return what this machine knows about an address, connected or not; None if it does not name it.

    Raises:
        BadArgument: The setting for browsers is neither on nor off.
    """
    wanted = address.strip().casefold()
    return next((one for one in _named(environ, platform) if one.address.casefold() == wanted), None)


def traces_here(environ: Mapping[str, str], platform: str = sys.platform) -> dict[str, AccountCandidate]:
    """Return what this machine knows about each address, connected or not, by the address in lower case.

    Raises:
        BadArgument: The setting for browsers is neither on nor off.
    """
    return {one.address.casefold(): one for one in _named(environ, platform)}


def defaults_of(candidate: AccountCandidate) -> tuple[str | None, dict[str, str]]:
    """Return the provider and the settings that mail programs have for an account; None and empty if unknown.

    A known provider is reached as our own table defines, with the login name from the file; a bridge to it on
    this machine as the file defines.
    """
    servers = candidate.servers
    if servers is None or servers.imap is None:
        return None, {}
    host, own = servers.imap.host, provider_of(candidate.address)
    if own is not None:
        return own.id, servers.settings() if is_loopback(host) else servers.login()
    other = provider_of_server(host)
    if other is None:
        return None, servers.settings()
    # A custom domain at Microsoft belongs to Microsoft 365, which uses Outlook.com's server.
    return "microsoft365" if other.id == "outlook" else other.id, servers.login()


def _named(environ: Mapping[str, str], platform: str) -> tuple[AccountCandidate, ...]:
    home = Path(environ.get("HOME", "").strip() or Path.home())
    browsing = (browsers.collect,) if switch("GAIA_DISCOVER_BROWSERS", {}, environ) else ()
    machine = Machine(home=home, platform=platform, environ=environ)
    return discover(machine, (*COLLECTORS, *browsing))


def evident(candidates: Sequence[AccountCandidate]) -> AccountCandidate | None:
    """Return the only plausible account: a mail program names it, no other comes close, and its servers are known."""
    if not candidates or candidates[0].confidence == "medium":
        return None
    if not candidates[0].provider and not defaults_of(candidates[0])[1]:
        return None
    rivals = [one for one in candidates[1:] if one.confidence != "medium"]
    return None if rivals else candidates[0]


def reported_by(candidate: AccountCandidate) -> str:
    """Return the source of a candidate in words: `Thunderbird (~/.thunderbird/…)`."""
    best = candidate.signals[0]
    return f"{best.source} ({best.where})"
