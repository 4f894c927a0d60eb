"""What the guard before language models refused, in the event log, so that a person is told. Entry: `note_refusal`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.ledger import Ledger, NewLedgerEvent
from gaia_email_registry.errors import MailError

if TYPE_CHECKING:
    from sqlalchemy import Connection

REFUSED = "model.refused"
TOLD_S = 24 * 3600.0
"""Seconds for which a refusal is told of."""

MOST_TOLD = 3


def note_refusal(app: App, error: MailError, *, actor: str) -> None:
    """Keep that something was not sent to a model, and why.

    Raises:
        MailError: The ledger cannot be written.
    """
    with app.ledger() as ledger, ledger.write() as tx:
        ledger.events.append(
            tx, NewLedgerEvent(kind=REFUSED, actor=actor, payload={"reason": error.message[:300]})
        )


def recent_refusals(ledger: Ledger, tx: Connection) -> list[str]:
    """What was refused in the last day, a sentence each, the newest first."""
    after = ledger.clock() - TOLD_S
    found = [one for one in ledger.events.since(tx, kind=REFUSED) if one.at >= after]
    return list(dict.fromkeys(str(one.payload.get("reason", "")) for one in reversed(found)))[:MOST_TOLD]
