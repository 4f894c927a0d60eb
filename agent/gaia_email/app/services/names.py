"""Looks up ids and mailbox names in the ledger. Entries: `known_id`, `named_to_undo`, `account_named`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.ledger.policy_store import has_ledger
from gaia_email_registry.errors import NotFound

if TYPE_CHECKING:
    from gaia_email.actions.pending.known_ids import KnownId


def known_id(app: App, given: str) -> KnownId | None:
    """Return what the ledger knows by that id; None if it may be a message's id, or without a ledger.

    Raises:
        MailError: The ledger cannot be read, or several ids match.
    """
    if not has_ledger(app.environ):
        return None
    from gaia_email.actions.pending.known_ids import find_known_id

    with app.ledger() as ledger:
        return find_known_id(ledger, given)


def named_to_undo(app: App, given: str) -> KnownId:
    """Return the item to undo that an id names.

    Raises:
        NotFound: No past action has that id.
    """
    found = known_id(app, given)
    if found is None:
        raise NotFound(
            f"Nothing that was done has the id {given[:60]!r}.",
            argument="id",
            hint="gaia email actions lists what was done.",
        )
    return found


def account_named(app: App, account: str | None) -> str | None:
    """Return the ledger's name for a connected account or mail files; other names are returned unchanged."""
    if account is None:
        return None
    from gaia_email.mailbox.ref import mailbox_named
    from gaia_email_registry.accounts import read_accounts

    files = mailbox_named(account)
    if files is not None:
        return files.key
    return next(
        (one.address for one in read_accounts(app.environ) if account in (one.id, one.address)), account
    )
