"""What the index knows of messages, for whoever reads it. Entries: `IndexRow`, `rows`, `message_copies`, `newest`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gaia_email_registry.contract.wire import Changed, Summary
from gaia_imap_mcp.index.many import chosen
from gaia_imap_mcp.index.store import ImapIndex, MessageCopy
from gaia_imap_mcp.protocol.facts import thread_number, thread_text
from gaia_imap_mcp.protocol.labels_from_flags import SEPARATOR, split
from gaia_mail.header_facts import summary_of, unpack

COLUMNS = "m.key, m.id, m.moment, m.size, m.thread, m.attached, m.labels, m.flags, m.facts, m.snippet"


class IndexRow(NamedTuple):
    """A message of the index."""

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
        """The conversation it belongs to."""
        return thread_text(self.thread)

    def summary(self, account: str) -> Summary:
        """The message in a list."""
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

    def changed(self) -> Changed:
        """Labels and flags as `changes` tells them."""
        return Changed(id=self.id, labels=list(self.labels), flags=list(self.flags))


def rows(index: ImapIndex, ids: Iterable[str]) -> dict[str, IndexRow]:
    """Those of `ids` that exist, by their id."""
    query = f"SELECT {COLUMNS} FROM messages m WHERE visible AND id IN ({{}})"
    found = (IndexRow(*values) for values in chosen(index.database, query, dict.fromkeys(ids)))
    return {row.id: row for row in found}


def message(index: ImapIndex, message_id: str) -> IndexRow | None:
    """One message; None when there is none."""
    return rows(index, [message_id]).get(message_id)


def message_copies(index: ImapIndex, message_id: str) -> list[MessageCopy]:
    """Where the copies of a message lie; those that are marked as deleted last."""
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
    """Ids of a conversation, oldest first; empty when there is none."""
    number = thread_number(thread_id)
    if number is None:
        return []
    found = index.database.execute(
        "SELECT id FROM messages WHERE visible AND thread = ? ORDER BY moment, id", (number,)
    )
    return [row[0] for row in found]


def carrying(index: ImapIndex, label: str) -> Iterator[IndexRow]:
    """Messages that carry a label, newest first; see `newest`."""
    return newest(
        index, "instr(char(31) || m.labels || char(31), ?) > 0", (f"{SEPARATOR}{label}{SEPARATOR}",)
    )


def newest(
    index: ImapIndex, where: str = "", values: Sequence[object] = (), after: tuple[float, str] | None = None
) -> Iterator[IndexRow]:
    """Messages newest first, those of one second by id, from behind the place `after`.

    Args:
        index: Not to be changed while this goes on.
        where: A condition on the table `m` in SQL, with its `values`.
        values: Its parameters.
        after: Moment and id of a message, which need not exist any more.
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
    """Every label some message carries."""
    found = index.database.execute("SELECT DISTINCT labels FROM messages WHERE visible")
    return {label for row in found for label in split(row[0])}
