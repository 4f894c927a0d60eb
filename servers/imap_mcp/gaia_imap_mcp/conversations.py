"""Which conversation a new message belongs to, answered once and remembered in the index. Entry: `assign`.

Messages come in any order, newest first at the beginning. A message joins the conversation of any id it names,
as `threads.ThreadIndex.freeze` has it; a reply that names none joins the nearest message of its subject. An
answer that ties two conversations together makes them one.
"""

from __future__ import annotations

import sqlite3

from gaia_imap_mcp.facts import Head, hashed
from gaia_mail_mcp.threads import SUBJECT_DAYS

_WINDOW = SUBJECT_DAYS * 86_400.0

_NEAR = "SELECT thread FROM messages WHERE subject = ? AND subject <> 0 AND moment BETWEEN ? AND ?"
_EARLIER = f"{_NEAR} ORDER BY moment DESC LIMIT 1"
_LATER = f"{_NEAR} ORDER BY moment LIMIT 1"
_WAITING = f"{_NEAR} AND orphan ORDER BY moment LIMIT 1"


def assign(database: sqlite3.Connection, head: Head) -> int:
    """The conversation of a message that is about to be stored; remembers the ids it names."""
    if head.thread is not None:
        return head.thread
    ids = (*head.chain, head.own)
    found = _linked(database, ids)
    if not found and head.subject:
        found = _by_subject(database, head)
    thread = found[0] if found else ids[0]
    for other in found[1:]:
        _merge(database, other, thread)
    database.executemany(
        "INSERT OR IGNORE INTO links VALUES (?, ?)", [(reference, thread) for reference in ids]
    )
    return thread


def join(database: sqlite3.Connection, key: int, message_id: str, thread: int) -> None:
    """Put a message into a conversation whatever its header says; answers to it follow."""
    database.execute("UPDATE messages SET thread = ? WHERE key = ?", (thread, key))
    if message_id:
        database.execute("INSERT OR REPLACE INTO links VALUES (?, ?)", (hashed("id", message_id), thread))


def _linked(database: sqlite3.Connection, ids: tuple[int, ...]) -> list[int]:
    """Known conversations of ids, each once, in the order of the ids."""
    found: dict[int, None] = {}
    for reference in ids:
        row = database.execute("SELECT thread FROM links WHERE hash = ?", (reference,)).fetchone()
        if row is not None:
            found[row[0]] = None
    return list(found)


def _by_subject(database: sqlite3.Connection, head: Head) -> list[int]:
    """For a reply without a parent the nearest message, earlier ones first; for another a reply that waited."""
    now, first, last = head.moment, head.moment - _WINDOW, head.moment + _WINDOW
    tries = [(_WAITING, (head.subject, now, last))]
    if head.orphan:
        tries = [(_EARLIER, (head.subject, first, now)), (_LATER, (head.subject, now, last))]
    for query, values in tries:
        row = database.execute(query, values).fetchone()
        if row is not None:
            return [row[0]]
    return []


def _merge(database: sqlite3.Connection, one: int, into: int) -> None:
    database.execute("UPDATE messages SET thread = ? WHERE thread = ?", (into, one))
    database.execute("UPDATE links SET thread = ? WHERE thread = ?", (into, one))
