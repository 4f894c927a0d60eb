"""What the guard before language models refused to any program, for a person to be told. Entry: `recent_refusals`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.ledger import Ledger
from gaia_email.models.answer_store import REFUSED

if TYPE_CHECKING:
    from sqlalchemy import Connection

TOLD_S = 24 * 3600.0
"""Seconds for which a refusal is told of."""

MOST_TOLD = 3


def recent_refusals(ledger: Ledger, tx: Connection) -> list[str]:
    """What was refused in the last day, a sentence each, the newest first."""
    after = ledger.clock() - TOLD_S
    found = [one for one in ledger.events.since(tx, kind=REFUSED) if one.at >= after]
    return list(dict.fromkeys(str(one.payload.get("reason", "")) for one in reversed(found)))[:MOST_TOLD]
