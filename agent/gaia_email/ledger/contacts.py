"""Correspondents and the inbox, from the rows of the local copy of mail. Entry point: `Contacts`.

Sync keeps the rows up to date, so a question about one sender reads only messages of that sender and not all mail.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, func, insert, select

from gaia_email.ledger.statements import chunks
from gaia_email.ledger.tables import MESSAGES, RECIPIENTS
from gaia_email.ledger.text import storable
from gaia_email_registry.contract.wire import Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnMessage:
    """A message with the owner as its sender. `may_be_forged`: it is in the inbox and not in sent mail."""

    row: int
    thread_id: str
    date: float | None
    may_be_forged: bool


class Contacts:
    """Queries on correspondents. Methods take a `Ledger.write()` connection, or `Ledger.read()` if they only read.

    Drafts and mail in Spam and Trash are never counted.
    """

    def put(self, tx: Connection, account_id: str, listed: Iterable[tuple[int, Summary]]) -> None:
        """Store the recipients of messages, by row of `messages`; none may be stored yet."""
        rows = [
            {"row": row, "place": place, "account_id": account_id, "address": storable(address)}
            for row, summary in listed
            for place, address in enumerate(_addresses(summary))
        ]
        if rows:
            tx.execute(insert(RECIPIENTS), rows)

    def owner(self, tx: Connection, account_id: str) -> str:
        """Return the most frequent recipient, the first alphabetically if tied; empty if there is no mail."""
        address = RECIPIENTS.c.address
        query = (
            select(address)
            .join_from(RECIPIENTS, MESSAGES, RECIPIENTS.c.row == MESSAGES.c.row)
            .where(RECIPIENTS.c.account_id == account_id, *_in_sight(account_id))
            .group_by(address)
            .order_by(func.count().desc(), address)
        )
        return tx.execute(query.limit(1)).scalar() or ""

    def is_more_than_one(self, tx: Connection, account_id: str) -> bool:
        """Return True if there is more than one message."""
        query = select(MESSAGES.c.row).where(*_in_sight(account_id)).limit(2)
        return len(tx.execute(query).all()) > 1

    def keeps_sent(self, tx: Connection, account_id: str) -> bool:
        """Return True if there is any sent mail."""
        query = select(MESSAGES.c.row).where(*_in_sight(account_id), _labelled("SENT"))
        return tx.execute(query.limit(1)).first() is not None

    def newest(self, tx: Connection, account_id: str) -> float:
        """Return the date of the newest message in epoch seconds; 0 if none has a date."""
        query = select(MESSAGES.c.date).where(*_in_sight(account_id), MESSAGES.c.date.is_not(None))
        found = tx.execute(query.order_by(MESSAGES.c.row.desc()).limit(1)).scalar()
        return max(0.0, found or 0.0)

    def list_received(
        self, tx: Connection, account_id: str, owner: Collection[str], senders: Collection[str] | None = None
    ) -> Iterator[tuple[str, float | None]]:
        """Yield sender and date of each message that the owner did not write, from these senders (None: all)."""
        table = MESSAGES.c
        query = select(table.sender, table.date).where(*_in_sight(account_id), table.sender != "")
        queries = (
            [query]
            if senders is None
            else [query.where(table.sender.in_(some)) for some in chunks(map(storable, senders))]
        )
        own = set(map(storable, owner))
        for one in queries:
            for sender, date in tx.execute(one):
                if sender not in own:
                    yield sender, date

    def own(self, tx: Connection, account_id: str, owner: Collection[str]) -> list[OwnMessage]:
        """Return the messages with the owner as their sender."""
        table = MESSAGES.c
        may_be_forged = _labelled("INBOX") & ~_labelled("SENT")
        query = select(table.row, table.thread_id, table.date, may_be_forged).where(
            *_in_sight(account_id), table.sender.in_([storable(one) for one in owner])
        )
        return [
            OwnMessage(row=row, thread_id=thread_id, date=date, may_be_forged=bool(forged))
            for row, thread_id, date, forged in tx.execute(query)
        ]

    def recipients(self, tx: Connection, rows: Iterable[int]) -> Iterator[tuple[int, str]]:
        """Yield row and address of each recipient; an address that is named twice is yielded twice."""
        table = RECIPIENTS.c
        for some in chunks(rows):
            for row, address in tx.execute(select(table.row, table.address).where(table.row.in_(some))):
                yield int(row), str(address)

    def samples(self, tx: Connection, account_id: str, most_bytes: int) -> list[str]:
        """Return IDs of received inbox messages of at most `most_bytes`, newest first."""
        table = MESSAGES.c
        query = select(table.message_id).where(
            *_in_sight(account_id),
            _labelled("INBOX"),
            ~_labelled("SENT"),
            table.size <= most_bytes,
        )
        return list(tx.execute(query.order_by(table.row.desc())).scalars())


def in_inbox(account_id: str) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for messages in an account's inbox."""
    return (*_in_sight(account_id), _labelled("INBOX"))


def _in_sight(account_id: str) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions that match `gaia_mail.exchanged.was_exchanged`."""
    flags = MESSAGES.c.flags
    is_draft = func.replace(flags, "\n\\Draft\n", "") != flags
    return (
        MESSAGES.c.account_id == account_id,
        ~_labelled("SPAM"),
        ~_labelled("TRASH"),
        ~_labelled("DRAFT"),
        ~is_draft,
    )


def _labelled(label: str) -> ColumnElement[bool]:
    """Match messages with a label. LIKE would match `sent` for `SENT`, and `instr` differs between databases."""
    labels = MESSAGES.c.labels
    return func.replace(labels, f"\n{label}\n", "") != labels


def _addresses(summary: Summary) -> Sequence[str]:
    people = (*summary["to"], *summary["cc"])
    return [person["address"].lower() for person in people if person["address"]]
