"""Assigns each new message to a conversation, once, and stores the result in the index. Entry: `Assigner`.

Messages come in any order, newest first in a first listing. The rules are those of `threads.ThreadIndex`. A message
joins the conversation of the one it answers, through the ids it names up to the nearest that is indexed. A reply that
names none joins the nearest message with its subject in which its sender took part and to whose author it goes. A
Message-ID that another sender uses, or that has another subject, identifies another message.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence

from gaia_imap_mcp.index.many import select_many
from gaia_imap_mcp.protocol.facts import MessageHead, hash_text
from gaia_mail.header_facts import people_of, sender_of
from gaia_mail.threads import SUBJECT_DAYS

_WINDOW = SUBJECT_DAYS * 86_400.0

_MOST_LOOKED_AT = 200
"""Maximum number of messages with one subject searched for one in which the sender of a reply took part."""

_NEAR = "SELECT thread, facts FROM messages WHERE subject = ? AND subject <> 0 AND moment BETWEEN ? AND ?"
_EARLIER = f"{_NEAR} ORDER BY moment DESC LIMIT {_MOST_LOOKED_AT}"
_LATER = f"{_NEAR} ORDER BY moment LIMIT {_MOST_LOOKED_AT}"
_WAITING = f"{_NEAR} AND orphan ORDER BY moment LIMIT {_MOST_LOOKED_AT}"


_REMEMBER = (
    "INSERT INTO links VALUES (?, ?, ?) "
    "ON CONFLICT (hash) DO UPDATE SET claim = excluded.claim WHERE links.claim = 0"
)
_FOLLOW = "INSERT INTO links VALUES (?, ?, 0) ON CONFLICT (hash) DO UPDATE SET thread = excluded.thread"


class Assigner:
    """Assigns conversations to messages that are about to be stored together.

    The index is queried once for all ids that they name. Only if an assignment depends on the rows of earlier
    messages are these stored first, by `store`.
    """

    def __init__(
        self, database: sqlite3.Connection, heads: Sequence[MessageHead], store: Callable[[], object]
    ) -> None:
        self._database = database
        self._store = store
        own = [head for head in heads if head.thread is None]
        ids = {id_ for head in own for id_ in (*head.chain, head.own, head.claim)}
        self._threads: dict[int, int] = {}
        self._claims: dict[int, int] = {}
        for hash_, thread, claim in select_many(
            database, "SELECT hash, thread, claim FROM links WHERE hash IN ({})", ids
        ):
            self._threads[hash_] = thread
            self._claims[hash_] = claim
        self._waiting = _waiting(database, {head.subject for head in own if head.subject})
        """Subjects of replies that wait for their parent."""
        self._links: list[tuple[int, int, int]] = []

    def assign(self, head: MessageHead) -> int:
        """Return the conversation of a message, and remember the ids it names."""
        if head.thread is not None:
            return head.thread
        known, claims = self._threads, self._claims
        own = head.own if claims.get(head.own, 0) in (0, head.claim) else head.claim
        ids = (*self._up_to_the_first_here(head.chain), own)
        found = list(dict.fromkeys([known[id_] for id_ in ids if id_ in known]))
        if not found and head.subject:
            found = self._by_subject(head)
        thread = found[0] if found else ids[0]
        for other in found[1:]:
            self._merge(other, thread)
        for id_ in ids:
            claim = head.claim if id_ == own else 0
            if id_ not in known or (claim and not claims.get(id_)):
                known[id_], claims[id_] = thread, claim
                self._links.append((id_, thread, claim))
        if head.orphan:
            self._waiting.add(head.subject)
        return thread

    def _up_to_the_first_here(self, chain: Sequence[int]) -> Sequence[int]:
        """Return the named ids from the nearest indexed ancestor to the parent; it names earlier ones itself."""
        for place in range(len(chain) - 1, -1, -1):
            if self._claims.get(chain[place]):
                return chain[place:]
        return chain

    def remember(self) -> None:
        """Store the ids named since the last call."""
        self._database.executemany(_REMEMBER, self._links)
        self._links.clear()

    def _by_subject(self, head: MessageHead) -> list[int]:
        """Return the conversation of the message that a reply answers, and those of replies that waited for it."""
        waited = head.subject in self._waiting
        if not head.orphan and not waited:
            return []
        now, first, last = head.instant, head.instant - _WINDOW, head.instant + _WINDOW
        self._store()
        found: list[int] = []
        if head.orphan:
            tries = ((_EARLIER, (head.subject, first, now)), (_LATER, (head.subject, now, last)))
            for query, values in tries:
                nearest = self._between(head, query, values)[:1]
                if nearest:
                    found += nearest
                    break
        if waited:
            found += self._between(head, _WAITING, (head.subject, now, last))
        return list(dict.fromkeys(found))

    def _between(self, head: MessageHead, query: str, values: tuple[int, float, float]) -> list[int]:
        """Return conversations of messages whose author took part in this one, and vice versa."""
        if not head.sender:
            return []
        return [
            thread
            for thread, facts in self._database.execute(query, values)
            if head.sender in people_of(facts) and sender_of(facts) in head.people
        ]

    def _merge(self, one: int, into: int) -> None:
        self._store()
        self._database.execute("UPDATE messages SET thread = ? WHERE thread = ?", (into, one))
        self._database.execute("UPDATE links SET thread = ? WHERE thread = ?", (into, one))
        self._threads.update({id_: into for id_, thread in self._threads.items() if thread == one})


def join(database: sqlite3.Connection, key: int, message_id: str, thread: int) -> None:
    """Put a message into a conversation regardless of its header; replies to it follow."""
    database.execute("UPDATE messages SET thread = ? WHERE key = ?", (thread, key))
    if message_id:
        database.execute(_FOLLOW, (hash_text("id", message_id), thread))


def _waiting(database: sqlite3.Connection, subjects: Iterable[int]) -> set[int]:
    if database.execute("SELECT 1 FROM messages WHERE orphan LIMIT 1").fetchone() is None:
        return set()
    rows = select_many(
        database, "SELECT DISTINCT subject FROM messages WHERE orphan AND subject IN ({})", subjects
    )
    return {subject for (subject,) in rows}
