"""Which messages belong to one conversation. Entry point: `ThreadIndex`.

Jamie Zawinski's rules (https://www.jwz.org/doc/threading.html, RFC 5256 REFERENCES), for membership only: what a
message itself says of its parent counts; what others' `References` say of it counts only when it says nothing
itself; the subject is a last resort for replies that name no parent. Ids are 64-bit hashes in flat arrays, so
50,000 messages take some megabytes. The outcome does not depend on the order in which messages are added.
"""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_right, insort
from collections.abc import Sequence

from gaia_mail.id_table import IdTable
from gaia_mail.subjects import base_subject

UNDATED = float("-inf")

SUBJECT_DAYS = 60
"""A reply without references joins a message of the same subject at most this many days older."""

_DAY = 86_400.0
_REFERS = 1
_ANSWERS = 2
_NONE = 0xFFFF_FFFF
_LAST = 1 << 64

_Dated = tuple[float, int, int]
"""Date, hashed id and node of a message; sorts by date, and by what does not depend on the order of adding."""


def _hash(kind: str, text: str) -> int:
    return int.from_bytes(
        hashlib.blake2b(f"{kind}\0{text}".encode("utf-8", "replace"), digest_size=8).digest()
    )


class ThreadIndex:
    """Threads of a mailbox. `add` every message under an ordinal of yours (0, 1, 2 … without gaps), then ask."""

    def __init__(self) -> None:
        self._ids = IdTable()
        self._own = array("I")
        self._dates = array("d")
        self._subjects = array("Q")
        self._refs = array("I")
        self._ends = array("I")
        self._says = bytearray()
        self._parent = array("I")
        self._threads = array("Q")
        self._frozen: dict[int, tuple[int, int]] = {}
        self._streamed: dict[int, list[_Dated]] = {}
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
        self._own.append(self._ids.number(own))
        self._dates.append(UNDATED if date is None else date)
        self._refs.extend(map(self._ids.number, chain))
        self._ends.append(len(self._refs))
        self._subjects.append(_hash("subject", base) if base else 0)
        self._says.append((_REFERS if chain else 0) | (_ANSWERS if answers and base else 0))
        self._stale = True

    def thread_id(self, ordinal: int) -> str:
        """The thread of a message: 16 hexadecimal digits made from the first known id of the conversation.

        The first call after an `add` works everything out again, about 6 µs a message.
        """
        if self._stale:
            self._build()
        return f"{self._threads[ordinal]:016x}"

    def freeze(self, ordinal: int) -> str:
        """The thread of the message just added, for a stream: what was once answered for a thread stays.

        Looks only at what came before, and never again at what was answered; do not mix with `thread_id`.
        """
        own, chain = self._own[ordinal], self._chain(ordinal)
        self._parent.extend(range(len(self._parent), len(self._ids)))
        self._join_chain(own, chain, b"")
        if self._subjects[ordinal]:
            earlier = self._streamed.setdefault(self._subjects[ordinal], [])
            if not chain and self._says[ordinal] & _ANSWERS:
                self._join_nearest(ordinal, earlier)
            insort(earlier, self._dated(ordinal))
        root = self._find(own)
        if root not in self._frozen:
            self._frozen[root] = (ordinal, self._ids.hashes[chain[0] if chain else own])
        return f"{self._frozen[root][1]:016x}"

    def _chain(self, ordinal: int) -> array[int]:
        return self._refs[self._ends[ordinal - 1] if ordinal else 0 : self._ends[ordinal]]

    def _dated(self, ordinal: int) -> _Dated:
        own = self._own[ordinal]
        return self._dates[ordinal], self._ids.hashes[own], own

    def _build(self) -> None:
        self._parent = array("I", range(len(self._ids)))
        says = bytearray(len(self._ids))
        for number, own in enumerate(self._own):
            says[own] |= self._says[number] & _REFERS
        for number, own in enumerate(self._own):
            if self._says[number] & _REFERS:
                self._join_chain(own, self._chain(number), says)
        self._join_subjects()
        self._name_threads()
        self._stale = False

    def _name_threads(self) -> None:
        """Every thread is called after the first known ancestor of its earliest message."""
        hashes, dates = self._ids.hashes, self._dates
        earliest = array("I", [_NONE]) * len(self._ids)
        for number, own in enumerate(self._own):
            root = self._find(own)
            known = earliest[root]
            if known == _NONE or self._seniority(number) < self._seniority(known):
                earliest[root] = number
        self._threads = array("Q", bytes(8 * len(dates)))
        for number, own in enumerate(self._own):
            self._threads[number] = hashes[self._ancestor(earliest[self._find(own)])]

    def _seniority(self, number: int) -> tuple[float, int]:
        date = self._dates[number]
        return -date if date == UNDATED else date, self._ids.hashes[self._ancestor(number)]

    def _ancestor(self, number: int) -> int:
        """The first id a message refers to that is in its thread, or its own."""
        own = self._own[number]
        if self._says[number] & _REFERS:
            root = self._find(own)
            for reference in self._chain(number):
                if self._find(reference) == root:
                    return reference
        return own

    def _join_chain(self, own: int, chain: Sequence[int], says: bytes | bytearray) -> None:
        """Join a message with its parent, and each ancestor with the one before it unless it speaks for itself."""
        later = own
        for reference in reversed(chain):
            if later == own or not says or not says[later]:
                self._union(later, reference)
            later = reference

    def _join_subjects(self) -> None:
        """Replies that name no known parent join the nearest message of their subject."""
        replies = [number for number, says in enumerate(self._says) if says & _ANSWERS]
        if not replies:
            return
        present = bytearray(len(self._ids))
        for own in self._own:
            present[own] = 1
        orphans = [n for n in replies if not any(present[reference] for reference in self._chain(n))]
        wanted = {self._subjects[number] for number in orphans}
        by_subject: dict[int, set[_Dated]] = {}
        for number, subject in enumerate(self._subjects):
            if subject in wanted:
                by_subject.setdefault(subject, set()).add(self._dated(number))
        dated = {subject: sorted(messages) for subject, messages in by_subject.items()}
        for number in orphans:
            self._join_nearest(number, dated[self._subjects[number]])

    def _join_nearest(self, number: int, dated: Sequence[_Dated]) -> None:
        """Join the latest earlier message of the same subject, else the first later one, else an undated one."""
        when, own = self._dates[number], self._own[number]
        middle = bisect_right(dated, (when, _LAST, 0))
        undated = bisect_right(dated, (UNDATED, _LAST, 0))
        for positions in (range(middle - 1, -1, -1), range(middle, len(dated)), range(undated - 1, -1, -1)):
            for position in positions:
                date, _, other = dated[position]
                if other == own:
                    continue
                if abs(when - date) <= SUBJECT_DAYS * _DAY or UNDATED in (when, date):
                    self._union(own, other)
                    return
                break

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
