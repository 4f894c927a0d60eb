"""Which conversation a new message belongs to, answered once and remembered in the index. Entry: `Assigner`.

Messages come in any order, newest first at the beginning. A message joins the conversation of any id it names,
as `threads.ThreadIndex.freeze` has it; a reply that names none joins the nearest message of its subject. An
answer that ties two conversations together makes them one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence

from gaia_imap_mcp.index.many import chosen
from gaia_imap_mcp.protocol.facts import MessageHead, hashed
from gaia_mail.threads import SUBJECT_DAYS

_WINDOW = SUBJECT_DAYS * 86_400.0

_NEAR = "SELECT thread FROM messages WHERE subject = ? AND subject <> 0 AND moment BETWEEN ? AND ?"
_EARLIER = f"{_NEAR} ORDER BY moment DESC LIMIT 1"
_LATER = f"{_NEAR} ORDER BY moment LIMIT 1"
_WAITING = f"{_NEAR} AND orphan ORDER BY moment LIMIT 1"


class Assigner:
    """Conversations for messages that are about to be stored together.

    What the index knows of the ids they name is read at once. Only where one message's answer depends on the rows
    of those before it are these stored first, by `store`.
    """

    def __init__(
        self, database: sqlite3.Connection, heads: Sequence[MessageHead], store: Callable[[], object]
    ) -> None:
        self._database = database
        self._store = store
        own = [head for head in heads if head.thread is None]
        self._threads = _conversations(database, {id_ for head in own for id_ in (*head.chain, head.own)})
        self._waiting = _waiting(database, {head.subject for head in own if head.subject})
        """Subjects of replies that wait for the message they answer."""
        self._links: list[tuple[int, int]] = []

    def assign(self, head: MessageHead) -> int:
        """The conversation of a message; remembers the ids it names."""
        if head.thread is not None:
            return head.thread
        known = self._threads
        ids = (*head.chain, head.own)
        found = list(dict.fromkeys([known[id_] for id_ in ids if id_ in known]))
        if not found and head.subject:
            found = self._by_subject(head)
        thread = found[0] if found else ids[0]
        for other in found[1:]:
            self._merge(other, thread)
        for id_ in ids:
            if id_ not in known:
                known[id_] = thread
                self._links.append((id_, thread))
        if head.orphan:
            self._waiting.add(head.subject)
        return thread

    def remember(self) -> None:
        """Store the ids that were named since the last time."""
        self._database.executemany("INSERT OR IGNORE INTO links VALUES (?, ?)", self._links)
        self._links.clear()

    def _by_subject(self, head: MessageHead) -> list[int]:
        """For a reply without a parent the nearest message, earlier ones first; for another a reply that waited."""
        now, first, last = head.instant, head.instant - _WINDOW, head.instant + _WINDOW
        tries = [(_EARLIER, (head.subject, first, now)), (_LATER, (head.subject, now, last))]
        if not head.orphan:
            if head.subject not in self._waiting:
                return []
            tries = [(_WAITING, (head.subject, now, last))]
        self._store()
        for query, values in tries:
            row = self._database.execute(query, values).fetchone()
            if row is not None:
                return [row[0]]
        return []

    def _merge(self, one: int, into: int) -> None:
        self._store()
        self._database.execute("UPDATE messages SET thread = ? WHERE thread = ?", (into, one))
        self._database.execute("UPDATE links SET thread = ? WHERE thread = ?", (into, one))
        self._threads.update({id_: into for id_, thread in self._threads.items() if thread == one})


def join(database: sqlite3.Connection, key: int, message_id: str, thread: int) -> None:
    """Put a message into a conversation whatever its header says; answers to it follow."""
    database.execute("UPDATE messages SET thread = ? WHERE key = ?", (thread, key))
    if message_id:
        database.execute("INSERT OR REPLACE INTO links VALUES (?, ?)", (hashed("id", message_id), thread))


def _conversations(database: sqlite3.Connection, ids: Iterable[int]) -> dict[int, int]:
    return dict(chosen(database, "SELECT hash, thread FROM links WHERE hash IN ({})", ids))


def _waiting(database: sqlite3.Connection, subjects: Iterable[int]) -> set[int]:
    if database.execute("SELECT 1 FROM messages WHERE orphan LIMIT 1").fetchone() is None:
        return set()
    rows = chosen(
        database, "SELECT DISTINCT subject FROM messages WHERE orphan AND subject IN ({})", subjects
    )
    return {subject for (subject,) in rows}
