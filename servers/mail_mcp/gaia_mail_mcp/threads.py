"""Which messages belong to one conversation. Entry point: `ThreadIndex`.

Jamie Zawinski's rules (https://www.jwz.org/doc/threading.html, RFC 5256 REFERENCES), for membership only: what a
message itself says of its parent counts; what others' `References` say of it counts only when it says nothing
itself; the subject is a last resort for replies that name no parent. Ids are 64-bit hashes in flat arrays, so
50,000 messages take some megabytes. The outcome does not depend on the order in which messages are added.
"""

from __future__ import annotations

import hashlib
from array import array
from bisect import insort
from collections.abc import Sequence

from gaia_mail_mcp.subjects import base_subject

UNDATED = float("-inf")

SUBJECT_DAYS = 60
"""A reply without references joins a message of the same subject at most this many days older."""

_DAY = 86_400.0


def _hash(kind: str, text: str) -> int:
    return int.from_bytes(
        hashlib.blake2b(f"{kind}\0{text}".encode("utf-8", "replace"), digest_size=8).digest()
    )


class ThreadIndex:
    """Threads of a mailbox. `add` every message under an ordinal of yours (0, 1, 2 … without gaps), then ask."""

    def __init__(self) -> None:
        self._own = array("Q")
        self._dates = array("d")
        self._subjects = array("Q")
        self._refs = array("Q")
        self._ends = array("L")
        self._explicit = bytearray()
        self._node: dict[int, int] = {}
        self._parent = array("L")
        self._roots: dict[int, tuple[float, int]] = {}
        self._frozen: dict[int, tuple[int, int]] = {}
        self._streamed: dict[int, list[tuple[float, int]]] = {}
        self._stale = True

    def __len__(self) -> int:
        """How many messages were added."""
        return len(self._own)

    def add(
        self,
        ordinal: int,
        *,
        message_id: str,
        references: Sequence[str],
        in_reply_to: Sequence[str],
        subject: str,
        date: float | None,
        hint: str = "",
    ) -> None:
        """Note one message.

        Args:
            ordinal: Its number; the next one, counting from 0.
            message_id: With angle brackets or `""`; the same id twice is the same message.
            references: The ids of `References`, oldest first.
            in_reply_to: The ids of `In-Reply-To`; used when `references` is empty.
            subject: Decoded.
            date: Epoch seconds, None when unknown.
            hint: A thread id given by the store (Gmail's X-GM-THRID); it wins over everything else.

        Raises:
            ValueError: The ordinal is not the next one.
        """
        if ordinal != len(self._own):
            raise ValueError(f"expected message {len(self._own)}, not {ordinal}")
        when = UNDATED if date is None else date
        own = (
            _hash("id", message_id)
            if message_id
            else _hash("none", f"{subject}\0{date}" if date else str(ordinal))
        )
        if hint:
            chain, subject = [_hash("hint", hint)], ""
        else:
            chain = [_hash("id", text) for text in references or in_reply_to[:1]]
        chain = [reference for reference in dict.fromkeys(chain) if reference != own]
        base, answers = base_subject(subject) if subject else ("", False)
        self._own.append(own)
        self._dates.append(when)
        self._refs.extend(chain)
        self._ends.append(len(self._refs))
        self._subjects.append(_hash("subject", base) if base else 0)
        self._explicit.append((1 if chain else 0) | (2 if answers and base else 0))
        self._stale = True

    def thread_id(self, ordinal: int) -> str:
        """The thread of a message: 16 hexadecimal digits made from the first known id of the conversation."""
        if self._stale:
            self._build()
        return f"{self._roots[self._find(self._node[self._own[ordinal]])][1]:016x}"

    def freeze(self, ordinal: int) -> str:
        """The thread of the message just added, for a stream: what was once answered for a thread stays.

        Looks only at what came before, and never again at what was answered; do not mix with `thread_id`.
        """
        own = self._own[ordinal]
        start = self._ends[ordinal - 1] if ordinal else 0
        chain = self._refs[start : self._ends[ordinal]]
        self._name(own)
        self._join_chain(own, chain, explicit=frozenset())
        earlier = self._streamed.setdefault(self._subjects[ordinal], [])
        if not chain and self._explicit[ordinal] & 2:
            self._join_latest(ordinal, earlier)
        insort(earlier, (self._dates[ordinal], own))
        root = self._find(self._node[own])
        if root not in self._frozen:
            self._frozen[root] = (ordinal, chain[0] if chain else own)
        return f"{self._frozen[root][1]:016x}"

    def _build(self) -> None:
        self._node.clear()
        self._parent = array("L")
        own, ends = self._own, self._ends
        explicit = {own[number] for number, flags in enumerate(self._explicit) if flags & 1}
        start = 0
        for number, end in enumerate(ends):
            self._name(own[number])
            if end > start:
                self._join_chain(own[number], self._refs[start:end], explicit)
            start = end
        self._join_subjects()
        self._roots = {}
        start = 0
        for number, end in enumerate(ends):
            root = self._find(self._node[own[number]])
            date = self._dates[number]
            oldest = own[number]
            for reference in self._refs[start:end]:
                if reference in self._node and self._find(self._node[reference]) == root:
                    oldest = reference
                    break
            first = (-date if date == UNDATED else date, oldest)
            known = self._roots.get(root)
            if known is None or first < known:
                self._roots[root] = first
            start = end
        self._stale = False

    def _join_chain(self, own: int, chain: Sequence[int], explicit: frozenset[int] | set[int]) -> None:
        """Join a message with its parent, and each ancestor with the one before it unless it speaks for itself."""
        later = own
        for reference in reversed(chain):
            if later == own or later not in explicit:
                self._union(self._name(later), self._name(reference))
            later = reference

    def _join_subjects(self) -> None:
        """Replies that name no known parent join the latest earlier message of their subject."""
        replies = [number for number, flags in enumerate(self._explicit) if flags & 2]
        present = set(self._own) if replies else set[int]()
        orphans = [number for number in replies if self._is_orphan(number, present)]
        wanted = {self._subjects[number] for number in orphans}
        by_subject: dict[int, list[tuple[float, int]]] = {}
        for number, subject in enumerate(self._subjects):
            if subject in wanted:
                by_subject.setdefault(subject, []).append((self._dates[number], self._own[number]))
        for dated in by_subject.values():
            dated.sort()
        for number in orphans:
            self._join_latest(number, by_subject[self._subjects[number]])

    def _is_orphan(self, number: int, present: set[int]) -> bool:
        """Whether none of the ids a message refers to is in the mailbox."""
        if not self._explicit[number] & 1:
            return True
        start = self._ends[number - 1] if number else 0
        return not any(reference in present for reference in self._refs[start : self._ends[number]])

    def _join_latest(self, number: int, dated: Sequence[tuple[float, int]]) -> None:
        when, own = self._dates[number], self._own[number]
        best = None
        for date, other in dated:
            if other == own:
                continue
            if date > when and best is not None:
                break
            if abs(when - date) <= SUBJECT_DAYS * _DAY or UNDATED in (when, date):
                best = other
        if best is not None:
            self._union(self._node[own], self._node[best])

    def _name(self, hashed: int) -> int:
        node = self._node.get(hashed)
        if node is None:
            node = self._node[hashed] = len(self._parent)
            self._parent.append(node)
        return node

    def _find(self, node: int) -> int:
        parent = self._parent
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    def _union(self, one: int, other: int) -> None:
        one, other = self._find(one), self._find(other)
        if one == other:
            return
        self._parent[other] = one
        if other in self._frozen:
            self._frozen[one] = min(self._frozen.pop(other), self._frozen.get(one, (len(self._own), 0)))
