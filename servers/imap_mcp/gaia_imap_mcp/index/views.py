"""Reads messages from the index. Entries: `IndexRow`, `rows`, `message_copies`, `newest`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gaia_email_registry.contract.wire import Changed, Summary
from gaia_imap_mcp.index.many import select_many
from gaia_imap_mcp.index.store import ImapIndex, MessageCopy
from gaia_imap_mcp.protocol.facts import thread_number, thread_text
from gaia_imap_mcp.protocol.labels_from_flags import SEPARATOR, split
from gaia_mail.header_facts import summary_of, unpack

COLUMNS = "m.key, m.id, m.moment, m.size, m.thread, m.attached, m.labels, m.flags, m.facts, m.snippet"


class IndexRow(NamedTuple):
    """A message in the index."""

    key: int
    id: str
    instant: float
    size: int
    thread: int
    attached: int
    packed_labels: str
    packed_flags: str
    facts: bytes
    snippet: str

    @property
    def labels(self) -> tuple[str, ...]:
        """Label ids, sorted."""
        return split(self.packed_labels)

    @property
    def flags(self) -> tuple[str, ...]:
        """IMAP system flags, sorted."""
        return split(self.packed_flags)

    @property
    def thread_id(self) -> str:
        """The id of its conversation."""
        return thread_text(self.thread)

    def summary(self, account: str) -> Summary:
        """Return the message as an entry of a list."""
        return summary_of(
            unpack(self.facts),
            message=self.id,
            account=account,
            thread=self.thread_id,
            snippet=self.snippet,
            labels=self.labels,
            flags=self.flags,
            size=self.size,
            has_attachments=bool(self.attached),
        )

    def as_change(self) -> Changed:
        """Return the labels and flags as `changes` reports them."""
        return Changed(id=self.id, labels=list(self.labels), flags=list(self.flags))


def rows(index: ImapIndex, ids: Iterable[str]) -> dict[str, IndexRow]:
    """Return those of `ids` that exist, by id."""
    query = f"SELECT {COLUMNS} FROM messages m WHERE visible AND id IN ({{}})"
    found = (IndexRow(*values) for values in select_many(index.database, query, dict.fromkeys(ids)))
    return {row.id: row for row in found}


def message(index: ImapIndex, message_id: str) -> IndexRow | None:
    """Return a message; None if it does not exist."""
    return rows(index, [message_id]).get(message_id)


def message_copies(index: ImapIndex, message_id: str) -> list[MessageCopy]:
    """Return the copies of a message; those marked as deleted come last."""
    found = index.database.execute(
        "SELECT f.name, f.label, f.uidvalidity, p.uid, p.marks FROM messages m "
        "JOIN places p ON p.message = m.key JOIN folders f ON f.id = p.folder WHERE m.id = ? "
        "ORDER BY instr(lower(p.marks), '\\deleted') > 0, f.id, p.uid",
        (message_id,),
    )
    return [
        MessageCopy(folder=folder, label=label, uidvalidity=uidvalidity, uid=uid, marks=split(marks))
        for folder, label, uidvalidity, uid, marks in found
    ]


def thread(index: ImapIndex, thread_id: str) -> list[str]:
    """Return the message ids of a conversation, oldest first; empty if it does not exist."""
    number = thread_number(thread_id)
    if number is None:
        return []
    found = index.database.execute(
        "SELECT id FROM messages WHERE visible AND thread = ? ORDER BY moment, id", (number,)
    )
    return [row[0] for row in found]


def carrying(index: ImapIndex, label: str) -> Iterator[IndexRow]:
    """Yield the messages with a label, newest first; see `newest`."""
    return newest(
        index, "instr(char(31) || m.labels || char(31), ?) > 0", (f"{SEPARATOR}{label}{SEPARATOR}",)
    )


def newest(
    index: ImapIndex, where: str = "", values: Sequence[object] = (), after: tuple[float, str] | None = None
) -> Iterator[IndexRow]:
    """Yield messages newest first, those of the same time by id, starting behind `after`.

    Args:
        index: It must not change meanwhile.
        where: An SQL condition on the table `m`.
        values: The parameters of the condition.
        after: Time and id of a message, which need not exist any more.
    """
    conditions = ["m.visible"]
    arguments: list[object] = []
    if where:
        conditions.append(f"({where})")
        arguments.extend(values)
    if after is not None:
        conditions.append("(m.moment < ? OR (m.moment = ? AND m.id > ?))")
        arguments.extend((after[0], after[0], after[1]))
    query = f"SELECT {COLUMNS} FROM messages m WHERE {' AND '.join(conditions)} ORDER BY m.moment DESC, m.id"
    for found in index.database.execute(query, arguments):
        yield IndexRow(*found)


def used_labels(index: ImapIndex) -> set[str]:
    """Return every label that a message has."""
    found = index.database.execute("SELECT DISTINCT labels FROM messages WHERE visible")
    return {label for row in found for label in split(row[0])}
