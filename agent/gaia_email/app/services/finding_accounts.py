"""Looks for mail accounts on this machine and reports new ones. Entries: `look`, `look_and_tell`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gaia_email.actions.pending.telling import take_back, tell
from gaia_email.app import App
from gaia_email.app.accounts.found import not_connected
from gaia_email.app.accounts.last_discovery import last_addresses, store
from gaia_email.ledger.policy_store import has_ledger
from gaia_email_registry import clock
from gaia_email_registry.accounts import read_accounts
from gaia_email_registry.discovery.look import AccountCandidate
from gaia_email_registry.origin import OURS


def look(environ: Mapping[str, str]) -> Sequence[AccountCandidate]:
    """Return the unconnected accounts named on this machine, likeliest first; stored for the next search.

    Raises:
        MailError: The list of accounts cannot be read, or the result cannot be stored.
    """
    candidates = not_connected(environ)
    store(environ, candidates, now=clock.now())
    return candidates


def look_and_tell(app: App) -> list[str]:
    """As `look`, and add a note to the Agent Inbox for each account that the last search did not find.

    The first search reports nothing: the user knows those accounts.

    Returns:
        One sentence per account that is new to the user.

    Raises:
        MailError: As in `look`, or the ledger cannot be written.
    """
    before = last_addresses(app.environ)
    candidates = look(app.environ)
    connected = [account.address for account in read_accounts(app.environ)]
    said: list[str] = []
    with app.ledger() as ledger, ledger.write() as tx:
        for address in connected:
            take_back(ledger, tx, _about(address))
        for one in candidates if before is not None else ():
            if one.address.casefold() in (before or ()):
                continue
            asked = f"{one.address} is not connected: gaia email connect --email {one.address}"
            why = f"{one.signals[0].source} knows this account ({one.signals[0].where})."
            if tell(ledger, tx, _about(one.address), asked=asked, why=why, origin=OURS):
                said.append(f"{one.signals[0].source} knows a new account. {asked}")
    return said


def now_connected(app: App, address: str) -> None:
    """Remove the note about an account that was connected."""
    if has_ledger(app.environ):
        with app.ledger() as ledger, ledger.write() as tx:
            take_back(ledger, tx, _about(address))


def _about(address: str) -> str:
    return f"discovery:{address.casefold()}"
