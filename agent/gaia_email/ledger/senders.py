"""Statistics about each sender of an account. Entry points: `StoredSenders`, `senders_by_volume`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, case, func, select, update

from gaia_email.document import Count, Document, Ratio, Timestamp
from gaia_email.ledger.contacts import Contacts
from gaia_email.ledger.search_index import OWN
from gaia_email.ledger.statements import chunks, columns_of, objects_of, rows_of, upsert
from gaia_email.ledger.tables import MESSAGE_MARKS, MESSAGES, SENDER_REPUTATION
from gaia_mail.exchanged import DRAFT_FLAG, NOT_EXCHANGED

Override = Literal["vip", "muted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSender:
    """A sender, by lower-case address. Rates are from 0 to 1; None if unknown.

    `user_override` is the user's own choice, which learning never changes.
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
    """Store of senders. Methods take a `Ledger.write()` connection, or `Ledger.read()` if they only read."""

    def put(self, tx: Connection, senders: Sequence[StoredSender]) -> None:
        """Store senders as whole rows."""
        upsert(tx, SENDER_REPUTATION, [columns_of(sender) for sender in senders])

    def get(self, tx: Connection, account_id: str, addresses: Iterable[str]) -> dict[str, StoredSender]:
        """Return the known senders by lower-case address."""
        table = SENDER_REPUTATION.c
        found: dict[str, StoredSender] = {}
        for some in chunks(address.lower() for address in addresses):
            query = select(SENDER_REPUTATION).where(table.account_id == account_id, table.sender.in_(some))
            found.update((one.sender, one) for one in objects_of(tx, StoredSender, query))
        return found

    def set_override(self, tx: Connection, account_id: str, address: str, override: Override | None) -> bool:
        """Mark a sender as VIP or muted, or clear the mark. Returns True if this changed anything."""
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
        """Return the user's VIPs or muted senders by address; of every account if `account_id` is None."""
        table = SENDER_REPUTATION.c
        query = select(SENDER_REPUTATION).where(table.user_override == override)
        if account_id is not None:
            query = query.where(table.account_id == account_id)
        return objects_of(tx, StoredSender, query.order_by(table.sender, table.account_id))


class SenderVolume(Document, frozen=True, kw_only=True):
    """Mail from one sender; `last` is the date of the newest message."""

    address: str
    name: str
    messages: Count
    read: Count
    read_share: Ratio
    last: Timestamp | None


class TopSenders(Document, frozen=True, kw_only=True):
    """Senders, most messages first. `total` and `messages` include senders beyond the limit."""

    total: Count
    messages: Count
    senders: list[SenderVolume]


def senders_by_volume(
    tx: Connection, accounts: Sequence[str], *, own: Sequence[str], since: float | None, limit: int
) -> TopSenders:
    """Count the cached mail of these accounts by sender.

    Args:
        tx: A connection of the ledger.
        accounts: Accounts whose mail is counted.
        own: The owner's addresses, which are excluded; if empty, each account's most frequent recipient.
        since: Only mail since this time (epoch seconds); None for all.
        limit: Maximum number of senders.
    """
    mail, marks = MESSAGES.c, MESSAGE_MARKS.c.marks
    hidden = sum(OWN[label] for label in (*NOT_EXCHANGED, "SENT"))
    owners = {address.lower() for address in own or [Contacts().owner(tx, one) for one in accounts]}
    those = [
        mail.account_id.in_(accounts),
        mail.sender != "",
        mail.sender.not_in(owners),
        marks.bitwise_and(hidden) == 0,
        ~mail.flags.contains(DRAFT_FLAG, autoescape=True),
        *([] if since is None else [mail.date >= since]),
    ]
    joined = MESSAGES.join(MESSAGE_MARKS, MESSAGE_MARKS.c.row == mail.row)
    read = func.sum(case((marks.bitwise_and(OWN["UNREAD"]) == 0, 1), else_=0))
    count = func.count().label("messages")
    query = (
        select(mail.sender, count, read, func.max(mail.date), func.max(mail.row))
        .select_from(joined)
        .where(*those)
        .group_by(mail.sender)
        .order_by(count.desc(), mail.sender)
        .limit(limit)
    )
    found = tx.execute(query).all()
    newest = select(mail.row, mail.sender_name).where(mail.row.in_([row for *_, row in found]))
    names = {one["row"]: str(one["sender_name"]) for one in rows_of(tx, newest)}
    senders, messages = tx.execute(
        select(func.count(mail.sender.distinct()), func.count()).select_from(joined).where(*those)
    ).one()
    return TopSenders(
        total=senders,
        messages=messages,
        senders=[
            SenderVolume(
                address=address,
                name=names[row],
                messages=total,
                read=int(seen),
                read_share=round(seen / total, 2),
                last=None if last is None else Timestamp(last),
            )
            for address, total, seen, last, row in found
        ],
    )
