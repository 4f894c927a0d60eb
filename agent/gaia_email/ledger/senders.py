"""What is known of each sender of an account. Entry point: `StoredSenders`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, select, update

from gaia_email.ledger.statements import chunks, columns_of, objects_of, upsert
from gaia_email.ledger.tables import SENDER_REPUTATION

Override = Literal["vip", "muted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSender:
    """A sender, by lower-case address. Rates are shares of one, None while nothing is known.

    `user_override` is what the user said himself; nothing learned changes it.
    """

    account_id: str
    sender: str
    first_seen: float | None = None
    last_seen: float | None = None
    message_count: int = 0
    reply_rate: float | None = None
    read_rate: float | None = None
    avg_response_hours: float | None = None
    category: str | None = None
    cohort: str | None = None
    user_override: Override | None = None
    last_correction: float | None = None


class StoredSenders:
    """All methods take the connection of `Ledger.write()`, or of `Ledger.read()` where they only read."""

    def put(self, tx: Connection, senders: Sequence[StoredSender]) -> None:
        """Keep what is known of them, whole rows."""
        upsert(tx, SENDER_REPUTATION, [columns_of(sender) for sender in senders])

    def get(self, tx: Connection, account_id: str, addresses: Iterable[str]) -> dict[str, StoredSender]:
        """Those of the addresses that are known, by lower-case address."""
        table = SENDER_REPUTATION.c
        found: dict[str, StoredSender] = {}
        for some in chunks(address.lower() for address in addresses):
            query = select(SENDER_REPUTATION).where(table.account_id == account_id, table.sender.in_(some))
            found.update((one.sender, one) for one in objects_of(tx, StoredSender, query))
        return found

    def set_override(self, tx: Connection, account_id: str, address: str, override: Override | None) -> bool:
        """The user calls a sender VIP or muted, or takes that back; whether that changed anything."""
        address = address.lower()
        known = self.get(tx, account_id, [address]).get(address)
        if (known.user_override if known else None) == override:
            return False
        if known is None:
            self.put(tx, [StoredSender(account_id=account_id, sender=address, user_override=override)])
            return True
        table = SENDER_REPUTATION.c
        query = update(SENDER_REPUTATION).where(table.account_id == account_id, table.sender == address)
        tx.execute(query.values(user_override=override))
        return True

    def overridden(self, tx: Connection, account_id: str | None, override: Override) -> list[StoredSender]:
        """The user's VIPs, or the muted, by address; of every account without `account_id`."""
        table = SENDER_REPUTATION.c
        query = select(SENDER_REPUTATION).where(table.user_override == override)
        if account_id is not None:
            query = query.where(table.account_id == account_id)
        return objects_of(tx, StoredSender, query.order_by(table.sender, table.account_id))
