"""Which conversation a new message belongs to, answered once and remembered in the index. Entry: `Assigner`.

Messages come in any order, newest first at the beginning. The rules are those of `threads.ThreadIndex`. A message
joins the conversation of the one it answers, by way of the ids it names up to the first that is here. A reply that
names none joins the nearest message of its subject in which its sender took part and whose author it goes to. A
Message-ID that another sender uses, or that stands above another subject, names another message.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence

from gaia_imap_mcp.index.many import chosen
from gaia_imap_mcp.protocol.facts import MessageHead, hashed
from gaia_mail.header_facts import people_of, sender_of
from gaia_mail.threads import SUBJECT_DAYS

_WINDOW = SUBJECT_DAYS * 86_400.0

_MOST_LOOKED_AT = 200
"""Messages of one subject that are looked at for one in which the sender of a reply took part."""

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
        ids = {id_ for head in own for id_ in (*head.chain, head.own, head.claim)}
        self._threads: dict[int, int] = {}
        self._claims: dict[int, int] = {}
        for hash_, thread, claim in chosen(
            database, "SELECT hash, thread, claim FROM links WHERE hash IN ({})", ids
        ):
            self._threads[hash_] = thread
            self._claims[hash_] = claim
        self._waiting = _waiting(database, {head.subject for head in own if head.subject})
        """Subjects of replies that wait for the message they answer."""
        self._links: list[tuple[int, int, int]] = []

    def assign(self, head: MessageHead) -> int:
        """The conversation of a message; remembers the ids it names."""
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
        """The ids that a message names from its parent on; what an ancestor that is here answers, it says itself."""
        for place in range(len(chain) - 1, -1, -1):
            if self._claims.get(chain[place]):
                return chain[place:]
        return chain

    def remember(self) -> None:
        """Store the ids that were named since the last time."""
        self._database.executemany(_REMEMBER, self._links)
        self._links.clear()

    def _by_subject(self, head: MessageHead) -> list[int]:
        """The conversation of the message that a reply answers, and those of replies that waited for this one."""
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
        """Conversations of messages that are between the same people: each side's author took part in the other's."""
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
    """Put a message into a conversation whatever its header says; answers to it follow."""
    database.execute("UPDATE messages SET thread = ? WHERE key = ?", (thread, key))
    if message_id:
        database.execute(_FOLLOW, (hashed("id", message_id), thread))


def _waiting(database: sqlite3.Connection, subjects: Iterable[int]) -> set[int]:
    if database.execute("SELECT 1 FROM messages WHERE orphan LIMIT 1").fetchone() is None:
        return set()
    rows = chosen(
        database, "SELECT DISTINCT subject FROM messages WHERE orphan AND subject IN ({})", subjects
    )
    return {subject for (subject,) in rows}
