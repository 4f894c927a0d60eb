"""Notes in the Agent Inbox that are not about a message. Entry points: `tell`, `take_back`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.actions.pending.proposal import PendingProposal
from gaia_email.ledger import Ledger, NewItem, NewLedgerEvent, PendingItem
from gaia_email_registry.origin import RequestOrigin

if TYPE_CHECKING:
    from sqlalchemy import Connection


AGENT = "agent:"
"""Prefix used instead of an account ID for questions of an agent of another program."""


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
    """Add a note, replacing an older one about the same topic. Returns True if it is new.

    An identical note is not added again, neither while it waits nor after the user has seen it.

    Args:
        ledger: The ledger with the Agent Inbox.
        tx: The transaction of the event that is reported.
        about: The topic, such as `server:post`; stored as the account ID.
        asked: The text of the note, with a command that helps.
        why: How this became known.
        origin: The asker and its interface.
        expires_at: Epoch seconds after which it is no longer relevant; None for never.
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
    """Remove waiting notes about a topic that no longer apply."""
    waiting = _notes(ledger.pending.select(tx, type="notify", account_id=about))
    ledger.pending.void(tx, item_ids=[item.item_id for item in waiting])


def _notes(items: list[PendingItem]) -> list[PendingItem]:
    """Return the items without a message, since an account may have others."""
    return [item for item in items if item.message_id is None]
