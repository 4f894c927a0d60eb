"""The local copy of mail: headers, labels, text, and the search index. Entry points: `MailCache`, `CachedMessage`.

It mirrors the mailboxes that `gaia_email.mailbox.sync` follows and can be rebuilt from them at any time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from gaia_email.ledger import search_index
from gaia_email.ledger.contacts import Contacts
from gaia_email.ledger.inbox_rows import InboxRows
from gaia_email.ledger.message_sources import MailSources, MessageSource
from gaia_email.ledger.search_index import ATTACHMENT, SECOND, first_row, marks_of
from gaia_email.ledger.statements import chunks, from_lines, rows_of, to_lines, upsert
from gaia_email.ledger.tables import (
    INBOX_VERDICTS,
    MESSAGE_MARKS,
    MESSAGE_SOURCE,
    MESSAGE_TEXT,
    MESSAGES,
    RECIPIENTS,
    SYNC_STATE,
)
from gaia_email.ledger.text import from_json, storable, to_json
from gaia_email_registry.contract.wire import Changed, Summary

TEXT_LIMIT = 200_000
"""Maximum characters of a message's text that are stored and searched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedMessage:
    """A cached message. `to`, `cc`, `bcc` and `delivered_to` are header texts, `date` is in epoch seconds.

    `text` is None if only the headers were read. `content_hash` is the SHA-256 of the message's bytes. `source` is
    the account's own answer, for readers that use the copy instead of the account; None for messages that are only
    searched.
    """

    account_id: str
    message_id: str
    thread_id: str
    header_message_id: str
    date: float | None
    size: int
    has_attachments: bool
    labels: tuple[str, ...]
    flags: tuple[str, ...]
    sender: str
    sender_name: str
    subject: str
    to: str = ""
    cc: str = ""
    bcc: str = ""
    delivered_to: str = ""
    snippet: str = ""
    list_id: str = ""
    filenames: tuple[str, ...] = ()
    text: str | None = None
    content_hash: str = ""
    source: MessageSource | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncState:
    """Sync progress of an account. `complete`: the listing of `generation` reached its end."""

    account_id: str
    cursor: str | None = None
    generation: int = 0
    complete: bool = False
    last_sync: float | None = None
    last_full_sync: float | None = None
    last_error: str | None = None
    last_error_at: float | None = None


class MailCache:
    """Cache of messages. Methods take a `Ledger.write()` connection, or `Ledger.read()` if they only read.

    Attributes:
        sources: The account's own summary of each message, and the bytes read so far.
        contacts: Senders and recipients of the cached mail.
        rows: The rows of the inbox listing, and the verdict on each message.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.contacts = Contacts()
        self.rows = InboxRows()
        self.sources = MailSources(self.contacts)

    def put(self, tx: Connection, messages: Sequence[CachedMessage], *, generation: int = 0) -> None:
        """Store messages of one account; each replaces the message with the same ID."""
        if not messages:
            return
        account = messages[0].account_id
        listed = {one.message_id: (_lines(one.labels), _lines(one.flags), one.thread_id) for one in messages}
        changed = self.rows.before(tx, account, listed)
        for some in chunks(message.message_id for message in messages):
            _remove(tx, (MESSAGES.c.account_id == account) & MESSAGES.c.message_id.in_(some))
        numbers = _free_rows(tx, messages)
        now = float(self._clock())
        rows = [_row(one, number, generation, now) for one, number in zip(messages, numbers, strict=True)]
        tx.execute(insert(MESSAGES), rows)
        tx.execute(insert(MESSAGE_MARKS), [_marked(row) for row in rows])
        texts = [
            {"row": number, "content_hash": one.content_hash, "text": storable(one.text[:TEXT_LIMIT])}
            for one, number in zip(messages, numbers, strict=True)
            if one.text is not None
        ]
        if texts:
            tx.execute(insert(MESSAGE_TEXT), texts)
        told = [(number, one.source) for one, number in zip(messages, numbers, strict=True)]
        self.sources.put(tx, account, [(number, source) for number, source in told if source is not None])
        bodies = {text["row"]: str(text["text"]) for text in texts}
        search_index.add(tx, (_indexed(row, bodies.get(row["row"], "")) for row in rows))
        self.rows.touch(tx, account, changed)

    def relabel(
        self, tx: Connection, account_id: str, changed: Sequence[Changed], *, generation: int
    ) -> None:
        """Update the labels and flags of messages; messages that are not cached are skipped.

        Bytes of messages outside the inbox are dropped, because they are rarely read again and the copy would grow
        without limit.
        """
        rows = [
            {
                "account": account_id,
                "id": one["id"],
                "new_labels": _lines(one["labels"]),
                "new_flags": _lines(one["flags"]),
                "new_generation": generation,
            }
            for one in changed
        ]
        if rows:
            self.rows.before(tx, account_id, {one["id"]: _as_lines(one) for one in changed})
            tx.execute(_RELABEL, rows)
            _mark_again(tx, account_id, changed)
            left = [one["id"] for one in changed if "INBOX" not in one["labels"]]
            self.sources.drop_bodies(tx, account_id, left)

    def confirm(self, tx: Connection, account_id: str, listed: Sequence[Summary], *, generation: int) -> None:
        """Update cached messages from the listing of a generation."""
        now = {one["id"]: _as_lines(one, one["thread_id"]) for one in listed}
        changed = self._listed_otherwise(tx, account_id, now)
        same = {"generation": generation}
        for some in chunks(id_ for id_ in now if id_ not in changed):
            these = (MESSAGES.c.account_id == account_id, MESSAGES.c.message_id.in_(some))
            tx.execute(update(MESSAGES).where(*these).values(same))
        if changed:
            moved = self.rows.before(tx, account_id, {id_: now[id_] for id_ in changed})
            rows = [
                {
                    "account": account_id,
                    "id": id_,
                    "new_thread": now[id_][2],
                    "new_labels": now[id_][0],
                    "new_flags": now[id_][1],
                    "new_generation": generation,
                }
                for id_ in changed
            ]
            tx.execute(_CONFIRM, rows)
            self.rows.touch(tx, account_id, moved)
            _mark_again(tx, account_id, [one for one in listed if one["id"] in changed])
        self.sources.confirm(tx, account_id, listed)

    def _listed_otherwise(
        self, tx: Connection, account_id: str, now: Mapping[str, tuple[str, str, str | None]]
    ) -> set[str]:
        """Return the messages that are not cached with these labels, flags and thread."""
        table = MESSAGES.c
        found = set(now)
        for some in chunks(now):
            query = select(table.message_id, table.labels, table.flags, table.thread_id)
            these = (table.account_id == account_id, table.message_id.in_(some))
            for id_, *here in tx.execute(query.where(*these)):
                if now[id_] == tuple(here):
                    found.discard(id_)
        return found

    def remove(self, tx: Connection, account_id: str, ids: Iterable[str]) -> int:
        """Delete messages from the cache. Returns how many were cached."""
        table = MESSAGES.c
        ids = list(ids)
        self.rows.touch(tx, account_id, ids)
        return sum(
            _remove(tx, (table.account_id == account_id) & table.message_id.in_(some)) for some in chunks(ids)
        )

    def remove_older(self, tx: Connection, account_id: str, generation: int) -> int:
        """Delete messages that were not in the listing of that generation. Returns how many."""
        table = MESSAGES.c
        older = (table.account_id == account_id) & (table.generation < generation)
        self.rows.touch(tx, account_id, list(tx.execute(select(table.message_id).where(older)).scalars()))
        return _remove(tx, older)

    def clear(self, tx: Connection, account_id: str | None = None) -> int:
        """Delete every message (of an account) and the sync state. Returns the number of messages."""
        self.rows.clear(tx, account_id)
        state = delete(SYNC_STATE)
        if account_id is not None:
            tx.execute(state.where(SYNC_STATE.c.account_id == account_id))
            return _remove(tx, MESSAGES.c.account_id == account_id)
        tx.execute(state)
        tx.execute(delete(MESSAGE_TEXT))
        tx.execute(delete(MESSAGE_SOURCE))
        tx.execute(delete(MESSAGE_MARKS))
        tx.execute(delete(INBOX_VERDICTS))
        tx.execute(delete(RECIPIENTS))
        search_index.clear(tx)
        return tx.execute(delete(MESSAGES)).rowcount

    def find_with_text(self, tx: Connection, account_id: str, ids: Iterable[str]) -> set[str]:
        """Return the IDs that are cached with their text."""
        return _here(tx, account_id, ids, MESSAGES.c.has_text.is_(True))

    def labels(self, tx: Connection, account_id: str, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Return the labels of the cached messages, by ID."""
        query = select(MESSAGES.c.message_id, MESSAGES.c.labels).where(MESSAGES.c.account_id == account_id)
        return {
            id_: from_lines(labels)
            for some in chunks(ids)
            for id_, labels in tx.execute(query.where(MESSAGES.c.message_id.in_(some)))
        }

    def here(self, tx: Connection, account_id: str, ids: Iterable[str]) -> set[str]:
        """Return the IDs that are cached, with or without text."""
        return _here(tx, account_id, ids)

    def starting_with(self, tx: Connection, account_id: str, beginning: str, *, limit: int) -> list[str]:
        """Return message IDs with this prefix in order; an exact match comes first."""
        id_ = MESSAGES.c.message_id
        begins = func.substr(id_, 1, len(beginning)) == beginning
        query = select(id_).where(MESSAGES.c.account_id == account_id, begins).order_by(func.length(id_), id_)
        return list(tx.execute(query.limit(limit)).scalars())

    def get(
        self, tx: Connection, account_id: str, ids: Iterable[str], *, texts: bool = False
    ) -> dict[str, CachedMessage]:
        """Return the cached messages with these IDs, by ID; with their texts if requested."""
        table = MESSAGES.c
        found: list[dict[str, Any]] = []
        for some in chunks(ids):
            query = select(MESSAGES).where(table.account_id == account_id, table.message_id.in_(some))
            found += rows_of(tx, query)
        kept = self.texts(tx, [row["row"] for row in found]) if texts else {}
        return {row["message_id"]: message_from_row(row, kept.get(row["row"])) for row in found}

    def texts(self, tx: Connection, rows: Iterable[int]) -> dict[int, tuple[str, str]]:
        """Return content hash and text by row; rows without text are omitted."""
        found: dict[int, tuple[str, str]] = {}
        for some in chunks(rows):
            query = select(MESSAGE_TEXT).where(MESSAGE_TEXT.c.row.in_(some))
            found.update((row["row"], (row["content_hash"], row["text"])) for row in rows_of(tx, query))
        return found

    def count(self, tx: Connection, account_id: str | None = None) -> int:
        """Count the cached messages."""
        query = select(func.count()).select_from(MESSAGES)
        if account_id is not None:
            query = query.where(MESSAGES.c.account_id == account_id)
        return tx.execute(query).scalar_one()

    def state(self, tx: Connection, account_id: str) -> SyncState:
        """Return the sync state of an account; an empty one if it was never synced."""
        for row in rows_of(tx, select(SYNC_STATE).where(SYNC_STATE.c.account_id == account_id)):
            return SyncState(**row)
        return SyncState(account_id=account_id)

    def count_since(self, tx: Connection, account_id: str, since: float) -> int:
        """Count the messages of an account dated at or after a time (epoch seconds)."""
        table = MESSAGES.c
        query = select(func.count()).where(table.account_id == account_id, table.date >= since)
        return tx.execute(query).scalar_one()

    def states(self, tx: Connection) -> list[SyncState]:
        """Return the sync state of every account."""
        return [SyncState(**row) for row in rows_of(tx, select(SYNC_STATE).order_by(SYNC_STATE.c.account_id))]

    def save_state(self, tx: Connection, state: SyncState) -> None:
        """Save the sync state of an account, in the transaction that stores the page."""
        upsert(tx, SYNC_STATE, [{name: getattr(state, name) for name in _STATE}])


_OF_MESSAGES = (
    MESSAGE_TEXT,
    MESSAGE_SOURCE,
    MESSAGE_MARKS,
    RECIPIENTS,
    INBOX_VERDICTS,
    MESSAGES,
)
"""Tables that use the row number of their message."""

_STATE = tuple(column.name for column in SYNC_STATE.columns)
_RELABEL = (
    update(MESSAGES)
    .where(MESSAGES.c.account_id == bindparam("account"), MESSAGES.c.message_id == bindparam("id"))
    .values(
        labels=bindparam("new_labels"),
        flags=bindparam("new_flags"),
        generation=bindparam("new_generation"),
    )
)

_CONFIRM = _RELABEL.values(thread_id=bindparam("new_thread"))

_MARK = (
    update(MESSAGE_MARKS)
    .where(
        MESSAGE_MARKS.c.row
        == select(MESSAGES.c.row)
        .where(MESSAGES.c.account_id == bindparam("account"), MESSAGES.c.message_id == bindparam("id"))
        .scalar_subquery()
    )
    .values(
        marks=MESSAGE_MARKS.c.marks.bitwise_and(bindparam("kept", ATTACHMENT)).bitwise_or(bindparam("bits"))
    )
)


def message_from_row(row: Mapping[str, Any], text: tuple[str, str] | None = None) -> CachedMessage:
    """Build the message of a row of `messages`; `text` is its content hash and text."""
    people = from_json(row["recipients"])
    return CachedMessage(
        account_id=row["account_id"],
        message_id=row["message_id"],
        thread_id=row["thread_id"],
        header_message_id=row["header_message_id"],
        date=row["date"],
        size=row["size"],
        has_attachments=row["has_attachments"],
        labels=from_lines(row["labels"]),
        flags=from_lines(row["flags"]),
        sender=row["sender"],
        sender_name=row["sender_name"],
        subject=row["subject"],
        to=str(people.get("to", "")),
        cc=str(people.get("cc", "")),
        bcc=str(people.get("bcc", "")),
        delivered_to=str(people.get("delivered_to", "")),
        snippet=row["snippet"],
        list_id=row["list_id"],
        filenames=from_lines(row["filenames"]),
        content_hash=text[0] if text else "",
        text=text[1] if text else None,
    )


def _free_rows(tx: Connection, messages: Sequence[CachedMessage]) -> list[int]:
    """Choose a row for each message: by date, within the second by a hash of the ID, else the next free row."""
    wanted = [first_row(one.date) + _spread(one) for one in messages]
    taken: set[int] = set()
    for some in chunks(wanted):
        taken.update(tx.execute(select(MESSAGES.c.row).where(MESSAGES.c.row.in_(some))).scalars())
    numbers: list[int] = []
    for number in wanted:
        if number in taken:
            number += 1
            while (
                number in taken or tx.execute(select(MESSAGES.c.row).where(MESSAGES.c.row == number)).first()
            ):
                number += 1
        taken.add(number)
        numbers.append(number)
    return numbers


def _spread(message: CachedMessage) -> int:
    name = f"{message.account_id}\0{message.message_id}".encode(errors="replace")
    return int.from_bytes(hashlib.blake2b(name, digest_size=4).digest(), "big") % SECOND


def _row(message: CachedMessage, number: int, generation: int, now: float) -> dict[str, Any]:
    people = {"to": message.to, "cc": message.cc, "bcc": message.bcc, "delivered_to": message.delivered_to}
    return {
        "row": number,
        "account_id": message.account_id,
        "message_id": message.message_id,
        "thread_id": message.thread_id,
        "header_message_id": storable(message.header_message_id),
        "date": message.date,
        "size": message.size,
        "has_attachments": message.has_attachments,
        "labels": _lines(message.labels),
        "flags": _lines(message.flags),
        "sender": storable(message.sender),
        "sender_name": storable(message.sender_name),
        "subject": storable(message.subject),
        "recipients": to_json({name: storable(text) for name, text in people.items() if text}),
        "snippet": storable(message.snippet),
        "list_id": storable(message.list_id),
        "filenames": _lines(message.filenames),
        "has_text": message.text is not None,
        "generation": generation,
        "cached_at": now,
    }


def _as_lines(one: Changed | Summary, thread_id: str | None = None) -> tuple[str, str, str | None]:
    return _lines(one["labels"]), _lines(one["flags"]), thread_id


def _marked(row: Mapping[str, Any]) -> dict[str, Any]:
    marks = marks_of(row["labels"], row["has_attachments"])
    return {"marks": marks, **{name: row[name] for name in ("row", "account_id", "size", "date")}}


def _mark_again(tx: Connection, account_id: str, changed: Sequence[Changed | Summary]) -> None:
    bits = [
        {"account": account_id, "id": one["id"], "bits": marks_of(_lines(one["labels"]), False)}
        for one in changed
    ]
    tx.execute(_MARK, bits)


def _lines(items: Sequence[str]) -> str:
    return to_lines(storable(item).replace("\n", " ") for item in items)


def _indexed(row: Mapping[str, Any], body: str) -> search_index.IndexedText:
    recipients = from_json(row["recipients"])
    people = [str(recipients.get(name, "")) for name in ("to", "cc", "bcc")]
    return search_index.IndexedText(
        row=row["row"],
        subject=row["subject"],
        sender=f"{row['sender_name']} <{row['sender']}>",
        people="\n".join((*people, row["list_id"], row["filenames"])),
        body=body,
    )


def _here(tx: Connection, account_id: str, ids: Iterable[str], *only: ColumnElement[bool]) -> set[str]:
    table = MESSAGES.c
    found: set[str] = set()
    for some in chunks(ids):
        query = select(table.message_id).where(
            table.account_id == account_id, table.message_id.in_(some), *only
        )
        found.update(tx.execute(query).scalars())
    return found


def _remove(tx: Connection, condition: ColumnElement[bool]) -> int:
    """Delete matching messages. The index needs the words it removes, so texts are read again."""
    columns = (
        *(
            MESSAGES.c[name]
            for name in ("row", "subject", "sender", "sender_name", "recipients", "list_id", "filenames")
        ),
        MESSAGE_TEXT.c.text,
    )
    query = select(*columns).outerjoin_from(MESSAGES, MESSAGE_TEXT, MESSAGES.c.row == MESSAGE_TEXT.c.row)
    count = 0
    for some in chunks(rows_of(tx, query.where(condition))):
        search_index.remove(tx, (_indexed(row, row["text"] or "") for row in some))
        numbers = [row["row"] for row in some]
        for table in _OF_MESSAGES:
            tx.execute(delete(table).where(table.c.row.in_(numbers)))
        count += len(some)
    return count
