"""Accounts of this machine that are not connected yet. Entries: `not_connected`, `evident`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from gaia_email_registry.accounts import read_accounts
from gaia_email_registry.discovery import browsers
from gaia_email_registry.discovery.look import COLLECTORS, Candidate, discover
from gaia_email_registry.discovery.machine import Machine
from gaia_email_registry.settings import switch


def not_connected(environ: Mapping[str, str], platform: str = sys.platform) -> tuple[Candidate, ...]:
    """What the machine names and `accounts.json` does not, the likeliest first.

    Browsers are looked at where the user has switched that on.

    Raises:
        ProviderError, BadArgument: The list of accounts cannot be read, or the switch is neither on nor off.
    """
    connected = {account.address.casefold() for account in read_accounts(environ)}
    home = Path(environ.get("HOME", "").strip() or Path.home())
    browsing = (browsers.collect,) if switch("GAIA_DISCOVER_BROWSERS", {}, environ) else ()
    machine = Machine(home=home, platform=platform, environ=environ)
    candidates = discover(machine, (*COLLECTORS, *browsing))
    return tuple(one for one in candidates if one.address.casefold() not in connected)


def evident(candidates: Sequence[Candidate]) -> Candidate | None:
    """The one account that needs no question: a mail program names it, no other comes near, its servers are known."""
    if not candidates or candidates[0].confidence == "medium" or not candidates[0].provider:
        return None
    rivals = [one for one in candidates[1:] if one.confidence != "medium"]
    return None if rivals else candidates[0]


def told_by(candidate: Candidate) -> str:
    """How it is known, in words: `Thunderbird (~/.thunderbird/…)`."""
    best = candidate.signals[0]
    return f"{best.source} ({best.where})"
