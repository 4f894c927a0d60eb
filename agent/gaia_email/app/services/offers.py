"""The open offers to archive finished mail, for a card. Entry: `offers_to_archive`."""

from __future__ import annotations

from collections.abc import Mapping

from gaia_email.app import App
from gaia_email.app.services.source import SourceSpec

CONNECTED = ("account", "server", "maildir")
"""Kinds of sources that may be an account of the ledger."""


def offers_to_archive(app: App, whose: Mapping[str, SourceSpec]) -> list[tuple[str, int]]:
    """Return the open offers of these accounts, as id and number of messages; none for files without a ledger."""
    accounts = {account for account, source in whose.items() if source.kind in CONNECTED}
    if not accounts:
        return []
    from gaia_email.actions.pending.groups import is_offer, targets_of
    from gaia_email.ledger.policy_store import has_ledger

    if not has_ledger(app.environ):
        return []
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        found = [one for one in ledger.pending.select(tx, type="question") if is_offer(one)]
    return [(one.item_id, len(targets_of(one))) for one in found if one.account_id in accounts]
