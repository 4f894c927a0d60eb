"""What the account itself said of each cached message: its summary word for word, and its bytes once read.

Everything else in the copy is made from these, so who reads them sees what the account would have answered.
Entry points: `MailSources`, `MessageSource`.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from sqlalchemy import Connection, Select, insert, select, update

from gaia_email.ledger.contacts import Contacts, in_inbox
from gaia_email.ledger.statements import chunks, from_lines, upsert
from gaia_email.ledger.tables import MESSAGE_SOURCE, MESSAGES
from gaia_email.ledger.text import from_json, to_json
from gaia_email_registry.contract.wire import Email, Summary

LEVEL = 1
"""Of deflate: text shrinks to a third, and a message costs a fifth of a millisecond."""

_MOVING = ("labels", "flags", "thread_id")
"""What changes while a message stays; the columns of `messages` have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageSource:
    """What the account said of a message.

    Attributes:
        summary: As it was listed.
        body: RFC 5322 bytes; None while they were not read, or where they are not kept here.
        cut: Size and defects as the account told them, where the end of a huge message is missing from `body` or it
            says what else is wrong with it.
        refused: The account was asked for the bytes and could not give them.
    """

    summary: Summary
    body: bytes | None = None
    cut: tuple[int, tuple[str, ...]] | None = None
    refused: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryPage:
    """Summaries, newest first; `after` is what to ask for the next page with, None on the last one."""

    summaries: list[Summary]
    after: int | None


class MailSources:
    """All methods take the connection of `Ledger.write()`, or of `Ledger.read()` where they only read."""

    def __init__(self, contacts: Contacts) -> None:
        self._contacts = contacts

    def put(self, tx: Connection, account_id: str, sources: Sequence[tuple[int, MessageSource]]) -> None:
        """Keep these, each by the row of its message in `messages`, and to whom it is addressed; none is here yet."""
        if sources:
            tx.execute(insert(MESSAGE_SOURCE), [_row(number, source) for number, source in sources])
            self._contacts.put(tx, account_id, ((number, source.summary) for number, source in sources))

    def confirm(self, tx: Connection, account_id: str, listed: Sequence[Summary]) -> None:
        """These messages, which are here, were listed again; what is known of their bytes stays."""
        by_id = {one["id"]: one for one in listed}
        table = MESSAGES.c
        query = select(table.row, table.message_id).outerjoin_from(
            MESSAGES, MESSAGE_SOURCE, table.row == MESSAGE_SOURCE.c.row
        )
        new: list[tuple[int, MessageSource]] = []
        for some in chunks(by_id):
            these = (table.account_id == account_id, table.message_id.in_(some))
            found = tx.execute(query.where(*these, MESSAGE_SOURCE.c.row.is_(None)))
            new += [(row, MessageSource(summary=by_id[id_])) for row, id_ in found]
        self.put(tx, account_id, new)

    def give_body(self, tx: Connection, account_id: str, bodies: Sequence[tuple[str, MessageSource]]) -> None:
        """Keep the bytes of these messages, whose words are here already."""
        rows = rows_of_ids(tx, account_id, (id_ for id_, _ in bodies))
        upsert(tx, MESSAGE_SOURCE, [_row(rows[id_], source) for id_, source in bodies if id_ in rows])

    def drop_bodies(self, tx: Connection, account_id: str, ids: Iterable[str]) -> None:
        """Forget the bytes of these messages, not their words."""
        for some in chunks(rows_of_ids(tx, account_id, ids).values()):
            query = update(MESSAGE_SOURCE).where(MESSAGE_SOURCE.c.row.in_(some))
            tx.execute(query.values(body=None, defects=""))

    def page(self, tx: Connection, account_id: str, *, limit: int, after: int | None = None) -> SummaryPage:
        """Summaries of an account, as it would list them now, newest first."""
        query = _summaries(account_id).order_by(MESSAGES.c.row.desc()).limit(limit)
        if after is not None:
            query = query.where(MESSAGES.c.row < after)
        found = tx.execute(query).all()
        return SummaryPage(
            summaries=[_summary(row[1:5]) for row in found],
            after=found[-1][0] if len(found) == limit else None,
        )

    def inbox(self, tx: Connection, account_id: str, threads: Collection[str] | None = None) -> list[Summary]:
        """Summaries of what lies in the inbox of an account, newest first; of these threads, None for all."""
        query = _summaries(account_id).where(*in_inbox(account_id)).order_by(MESSAGES.c.row.desc())
        if threads is None:
            return [_summary(row[1:5]) for row in tx.execute(query)]
        found = [
            row for some in chunks(threads) for row in tx.execute(query.where(MESSAGES.c.thread_id.in_(some)))
        ]
        return [_summary(row[1:5]) for row in sorted(found, key=lambda row: -row[0])]

    def thread(self, tx: Connection, account_id: str, thread_id: str) -> list[Summary]:
        """Summaries of the messages of a thread wherever they are, in no order."""
        query = _summaries(account_id).where(MESSAGES.c.thread_id == thread_id)
        return [_summary(row[1:5]) for row in tx.execute(query)]

    def summaries(self, tx: Connection, account_id: str, ids: Iterable[str]) -> dict[str, Summary]:
        """Those of the messages that are here, by id."""
        found: dict[str, Summary] = {}
        for some in chunks(ids):
            for row in tx.execute(_summaries(account_id).where(MESSAGES.c.message_id.in_(some))):
                summary = _summary(row[1:5])
                found[summary["id"]] = summary
        return found

    def bodies(
        self, tx: Connection, account_id: str, ids: Iterable[str]
    ) -> Iterator[tuple[Summary, MessageSource]]:
        """Those of the messages whose bytes are here; what was damaged is not."""
        source = MESSAGE_SOURCE.c
        for some in chunks(ids):
            query = _summaries(account_id).add_columns(source.body, source.defects)
            for row in tx.execute(query.where(MESSAGES.c.message_id.in_(some), source.body.is_not(None))):
                summary = _summary(row[1:5])
                try:
                    body = zlib.decompress(row[5])
                except zlib.error:
                    continue
                yield summary, MessageSource(summary=summary, body=body, cut=_cut(row[6]))

    def unread(
        self, tx: Connection, account_id: str, *, refused: bool = False, limit: int | None = None
    ) -> list[str]:
        """Messages whose words are not here, newest first: nobody asked for them yet, or (`refused`) in vain."""
        table = MESSAGES.c
        query = select(table.message_id).join_from(
            MESSAGES, MESSAGE_SOURCE, table.row == MESSAGE_SOURCE.c.row
        )
        query = query.where(
            table.account_id == account_id,
            table.has_text.is_(False),
            MESSAGE_SOURCE.c.refused.is_(refused),
        )
        return list(tx.execute(query.order_by(table.row.desc()).limit(limit)).scalars())


def source_of(email: Email, raw: bytes, summary: Summary | None = None) -> MessageSource:
    """What is kept of a message that was read; `summary` is as it was listed, where that is known."""
    listed = summary or cast(
        Summary, {name: value for name, value in email.items() if name in Summary.__annotations__}
    )
    defects = email.get("defects")
    return MessageSource(summary=listed, body=raw, cut=(email["size"], tuple(defects)) if defects else None)


def _row(number: int, source: MessageSource) -> dict[str, object]:
    kept = {name: value for name, value in source.summary.items() if name not in _MOVING}
    return {
        "row": number,
        "summary": to_json(kept),
        "refused": source.refused,
        "body": None if source.body is None else zlib.compress(source.body, LEVEL),
        "defects": json.dumps(source.cut) if source.cut else "",
    }


def _cut(text: str) -> tuple[int, tuple[str, ...]] | None:
    if not text:
        return None
    size, defects = json.loads(text)
    return size, tuple(defects)


def _summaries(account_id: str) -> Select[int, str, str, str, str]:
    table = MESSAGES.c
    return (
        select(table.row, MESSAGE_SOURCE.c.summary, table.labels, table.flags, table.thread_id)
        .join_from(MESSAGES, MESSAGE_SOURCE, table.row == MESSAGE_SOURCE.c.row)
        .where(table.account_id == account_id)
    )


def _summary(row: Sequence[str]) -> Summary:
    text, labels, flags, thread_id = row
    moving = {"labels": list(from_lines(labels)), "flags": list(from_lines(flags)), "thread_id": thread_id}
    return cast(Summary, {**from_json(text), **moving})


def rows_of_ids(tx: Connection, account_id: str, ids: Iterable[str]) -> dict[str, int]:
    """The rows that messages have in `messages`, by id; those that are not here are left out."""
    table = MESSAGES.c
    found: dict[str, int] = {}
    for some in chunks(ids):
        query = select(table.message_id, table.row).where(
            table.account_id == account_id, table.message_id.in_(some)
        )
        found.update((id_, row) for id_, row in tx.execute(query))
    return found
