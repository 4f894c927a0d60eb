"""Notes in the Agent Inbox that are about no message. Entry points: `tell`, `take_back`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.actions.pending.proposal import PendingProposal
from gaia_email.ledger import Ledger, NewItem, NewLedgerEvent, PendingItem
from gaia_email_registry.origin import RequestOrigin

if TYPE_CHECKING:
    from sqlalchemy import Connection


AGENT = "agent:"
"""How what stands in the place of an account's id begins for a question of an agent of another program."""


def tell(
    ledger: Ledger,
    tx: Connection,
    about: str,
    *,
    asked: str,
    why: str,
    origin: RequestOrigin,
    expires_at: float | None = None,
) -> bool:
    """Put up a note in the place of an older one about the same; whether it is new.

    One that says the same is not put up twice: not while it waits, and not after the user has seen it.

    Args:
        ledger: Whose Agent Inbox it is.
        tx: The transaction of what is told of.
        about: What it is about, such as `server:post`; stands where an account's id does.
        asked: What there is to know, with the command that helps.
        why: How it came to be known.
        origin: The asker and its interface.
        expires_at: Until when it is worth knowing, epoch seconds; None for always.
    """
    store = ledger.pending
    waiting = _notes(store.select(tx, type="notify", account_id=about))
    answered = [
        *store.select(tx, state="approved", type="notify", account_id=about),
        *store.select(tx, state="rejected", type="notify", account_id=about),
    ]
    if any(
        (PendingProposal.of(item).asked, item.why, item.origin) == (asked, why, origin)
        for item in (*waiting, *_notes(answered))
    ):
        return False
    store.void(tx, item_ids=[item.item_id for item in waiting])
    proposal = PendingProposal(doing="tell", bucket="informational", asked=asked)
    item = NewItem(
        type="notify",
        account_id=about,
        proposal=proposal.to_json(about),
        why=why,
        origin=origin,
        expires_at=expires_at,
    )
    store.add(tx, [item])
    payload = {"items": 1, "item_ids": [item.item_id]}
    ledger.events.append(tx, NewLedgerEvent(kind="pending.told", account_id=about, payload=payload))
    return True


def take_back(ledger: Ledger, tx: Connection, about: str) -> None:
    """Take down what still waits about it: it is not so any more."""
    waiting = _notes(ledger.pending.select(tx, type="notify", account_id=about))
    ledger.pending.void(tx, item_ids=[item.item_id for item in waiting])


def _notes(items: list[PendingItem]) -> list[PendingItem]:
    """Those about no message, for an account may have others."""
    return [item for item in items if item.message_id is None]
