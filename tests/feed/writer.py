"""A process that writes events until it is killed; preloaded by the fork server, so each starts at once."""

from __future__ import annotations

from gaia_email.ledger import NewLedgerEvent, migrating, open_ledger

PRELOADED = (migrating,)


def write_until_killed(environ: dict[str, str]) -> None:
    """One, two or three events a transaction, and again."""
    with open_ledger(environ=environ) as ledger:
        while True:
            for count in (1, 2, 3):
                with ledger.write() as tx:
                    ledger.events.append(tx, *[NewLedgerEvent(kind="x.y", subject="Plan" * 20)] * count)


def write_some(environ: dict[str, str], count: int) -> None:
    """So many events, in one transaction."""
    with open_ledger(environ=environ) as ledger, ledger.write() as tx:
        ledger.events.append(tx, *[NewLedgerEvent(kind="x.y")] * count)
