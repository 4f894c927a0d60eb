"""The account's own answer for each cached message: its summary verbatim, and its bytes once read.

Everything else in the copy is derived from these, so readers see what the account would have answered.

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
"""Deflate level: text shrinks to a third, at a fifth of a millisecond per message."""

_MOVING = ("labels", "flags", "thread_id")
"""Fields that can change during a message's life; columns of `messages` store them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageSource:
    """The account's answer for a message.

    Attributes:
        summary: The message as listed.
        body: RFC 5322 bytes; None if they were not read or are not stored here.
        cut: Size and defects reported by the account, if `body` lacks the end of a huge message or has other defects.
        refused: True if the account could not provide the bytes.
    """

    summary: Summary
    body: bytes | None = None
    cut: tuple[int, tuple[str, ...]] | None = None
    refused: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryPage:
    """Summaries, newest first; `after` requests the next page, None on the last one."""

    summaries: list[Summary]
    after: int | None


class MailSources:
    """Store of sources. Methods take a `Ledger.write()` connection, or `Ledger.read()` if they only read."""

    def __init__(self, contacts: Contacts) -> None:
        self._contacts = contacts

    def put(self, tx: Connection, account_id: str, sources: Sequence[tuple[int, MessageSource]]) -> None:
        """Store sources and recipients by row of `messages`; none may be stored yet."""
        if sources:
            tx.execute(insert(MESSAGE_SOURCE), [_row(number, source) for number, source in sources])
            self._contacts.put(tx, account_id, ((number, source.summary) for number, source in sources))

    def confirm(self, tx: Connection, account_id: str, listed: Sequence[Summary]) -> None:
        """Record that cached messages were listed again; their stored bytes stay."""
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
        """Store the bytes of messages whose text is already cached."""
        rows = rows_of_ids(tx, account_id, (id_ for id_, _ in bodies))
        upsert(tx, MESSAGE_SOURCE, [_row(rows[id_], source) for id_, source in bodies if id_ in rows])

    def drop_bodies(self, tx: Connection, account_id: str, ids: Iterable[str]) -> None:
        """Delete the bytes of these messages, but not their text."""
        for some in chunks(rows_of_ids(tx, account_id, ids).values()):
            query = update(MESSAGE_SOURCE).where(MESSAGE_SOURCE.c.row.in_(some))
            tx.execute(query.values(body=None, defects=""))

    def page(self, tx: Connection, account_id: str, *, limit: int, after: int | None = None) -> SummaryPage:
        """Return summaries of an account as it would list them now, newest first."""
        query = _summaries(account_id).order_by(MESSAGES.c.row.desc()).limit(limit)
        if after is not None:
            query = query.where(MESSAGES.c.row < after)
        found = tx.execute(query).all()
        return SummaryPage(
            summaries=[_summary(row[1:5]) for row in found],
            after=found[-1][0] if len(found) == limit else None,
        )

    def inbox(self, tx: Connection, account_id: str, threads: Collection[str] | None = None) -> list[Summary]:
        """Return summaries of an account's inbox, newest first; only of these threads, if given."""
        query = _summaries(account_id).where(*in_inbox(account_id)).order_by(MESSAGES.c.row.desc())
        if threads is None:
            return [_summary(row[1:5]) for row in tx.execute(query)]
        found = [
            row for some in chunks(threads) for row in tx.execute(query.where(MESSAGES.c.thread_id.in_(some)))
        ]
        return [_summary(row[1:5]) for row in sorted(found, key=lambda row: -row[0])]

    def thread(self, tx: Connection, account_id: str, thread_id: str) -> list[Summary]:
        """Return summaries of all messages of a thread in any folder, unordered."""
        query = _summaries(account_id).where(MESSAGES.c.thread_id == thread_id)
        return [_summary(row[1:5]) for row in tx.execute(query)]

    def summaries(self, tx: Connection, account_id: str, ids: Iterable[str]) -> dict[str, Summary]:
        """Return the summaries of the cached messages, by ID."""
        found: dict[str, Summary] = {}
        for some in chunks(ids):
            for row in tx.execute(_summaries(account_id).where(MESSAGES.c.message_id.in_(some))):
                summary = _summary(row[1:5])
                found[summary["id"]] = summary
        return found

    def bodies(
        self, tx: Connection, account_id: str, ids: Iterable[str]
    ) -> Iterator[tuple[Summary, MessageSource]]:
        """Yield the messages whose bytes are cached and not damaged."""
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
        """Return messages without cached text, newest first: not requested yet, or (`refused`) not provided."""
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
    """Return the source of a message that was read; `summary` is the listed form, if known."""
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
    """Return the rows of cached messages in `messages`, by ID."""
    table = MESSAGES.c
    found: dict[str, int] = {}
    for some in chunks(ids):
        query = select(table.message_id, table.row).where(
            table.account_id == account_id, table.message_id.in_(some)
        )
        found.update((id_, row) for id_, row in tx.execute(query))
    return found
