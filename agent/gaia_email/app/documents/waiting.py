"""The document of open questions, each with its messages. Entries: `WaitingRow`, `waiting_row`."""

from __future__ import annotations

from typing import TypedDict

from gaia_email.actions.pending.proposal import PendingProposal
from gaia_email.app.documents.pending import confirmation_row, item_row
from gaia_email.app.documents.pending_types import ConfirmationRow, ItemRow
from gaia_email.document import NamedAddress, Version, clean
from gaia_email.ledger import PendingItem
from gaia_email_registry.approvals import Approval


class TargetRow(NamedAddress):
    """A message that an item is about, and its sender."""

    id: str
    subject: str


class WaitingRow(TypedDict):
    """One open question: an exact call, or an item with its messages."""

    id: str
    confirmation: ConfirmationRow | None
    item: ItemRow | None
    messages: list[TargetRow]


class WaitingDocument(TypedDict):
    """The document of all open questions."""

    schema_version: Version
    waiting: list[WaitingRow]


def waiting_row(found: Approval | PendingItem) -> WaitingRow:
    """Return a question of a mail server or of the gate, or an item, as a row."""
    if isinstance(found, PendingItem):
        messages: list[TargetRow] = [
            {
                "id": one.message_id,
                "name": clean(one.name),
                "address": clean(one.address),
                "subject": clean(one.subject),
            }
            for one in PendingProposal.of(found).targets
        ]
        return {"id": found.item_id, "confirmation": None, "item": item_row(found), "messages": messages}
    row = confirmation_row(found)
    return {"id": row["id"], "confirmation": row, "item": None, "messages": []}
