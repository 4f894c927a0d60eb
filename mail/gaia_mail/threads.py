"""Groups messages into conversations. Entry point: `ThreadIndex`.

Follows Jamie Zawinski's rules (https://www.jwz.org/doc/threading.html, RFC 5256 REFERENCES), for membership only: a
message's own headers name its parent; the `References` of other messages count only for messages that are missing. Any
sender can forge any header, so three more rules keep unrelated senders apart:

- The subject is a last resort for a reply that names no known parent. It joins the reply only to a message whose author
  or recipients include the reply's sender, and whose author receives the reply. Equal subjects of unrelated senders do
  not make a conversation.
- A Message-ID used by different senders, or with different subjects, identifies several messages. Answers belong to the
  earliest of them.
- A message joins one conversation with the message it answers; it does not merge other conversations.

Ids are 64-bit hashes in flat arrays, so 50,000 messages take a few megabytes. The result does not depend on the order
in which messages are added.
"""

from __future__ import annotations

import hashlib
import struct
from array import array
from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from gaia_mail.id_table import IdTable
from gaia_mail.subjects import base_subject

UNDATED = float("-inf")

SUBJECT_DAYS = 60
"""Maximum age in days, relative to a reply without references, of the message it joins by subject."""

MOST_PEOPLE = 100
"""Maximum number of authors and recipients of one message that count as participants."""

_DAY = 86_400.0
_REFERS = 1
_ANSWERS = 2
_NONE = 0xFFFF_FFFF
_LAST = 1 << 64
_MIX = 0x9E37_79B9_7F4A_7C15

_PACKED = struct.Struct("<QQQQdBI")
"""Id, subject, claim, sender, date, `_REFERS` and `_ANSWERS` flags, and the number of referenced ids."""

_Dated = tuple[float, int, int]
"""Date, hashed id and node of a message. Sorts by date, then by a value that is independent of insertion order."""


def _hash(kind: str, text: str) -> int:
    return int.from_bytes(
        hashlib.blake2b(f"{kind}\0{text}".encode("utf-8", "replace"), digest_size=8).digest()
    )


def claim_of(message_id: str, sender: str, base: str) -> int:
    """Hash the Message-ID (or its substitute), sender and `base_subject` that identify one message."""
    return _hash("claim", f"{message_id}\0{sender.lower()}\0{base}")


def _key(subject: int, author: int, person: int) -> int:
    return ((subject * _MIX + author) * _MIX + person) & (_LAST - 1)


class ThreadIndex:
    """Threads of a mailbox. First `add` every message under consecutive ordinals (0, 1, 2 …), then query."""

    def __init__(self) -> None:
        self._ids = IdTable()
        self._own = array("I")
        self._dates = array("d")
        self._subjects = array("Q")
        self._refs = array("I")
        self._ends = array("I")
        self._senders = array("Q")
        self._people = array("Q")
        self._people_ends = array("I")
        self._claims = array("Q")
        self._nodes = array("I")
        self._claimed: dict[int, int] = {}
        self._says = bytearray()
        self._parent = array("I")
        self._threads = array("Q")
        self._frozen: dict[int, tuple[int, int]] = {}
        self._streamed: dict[int, list[_Dated]] = {}
        self._stale = True

    def __len__(self) -> int:
        """Return the number of messages added."""
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
        sender: str = "",
        recipients: Iterable[str] = (),
        hint: str = "",
    ) -> None:
        """Add one message.

        Args:
            ordinal: Number of the message; must be the next one, counting from 0.
            message_id: With angle brackets, or `""`. Two messages with the same id are copies if sender and subject
                also match.
            references: The ids of `References`, oldest first.
            in_reply_to: The ids of `In-Reply-To`; used when `references` is empty.
            subject: Decoded.
            date: Epoch seconds, or None if unknown.
            sender: The author's address.
            recipients: The addresses of `To` and `Cc`.
            hint: A thread id from the store (Gmail's X-GM-THRID); takes precedence over all headers.

        Raises:
            ValueError: The ordinal is not the next one.
        """
        if ordinal != len(self._own):
            raise ValueError(f"expected message {len(self._own)}, not {ordinal}")
        named = message_id or (f"{subject}\0{date}" if date else str(ordinal))
        own = _hash("id" if message_id else "none", named)
        if hint:
            chain, subject = [_hash("hint", hint)], ""
        else:
            chain = [_hash("id", text) for text in references or in_reply_to[:1]]
        chain = [reference for reference in dict.fromkeys(chain) if reference != own]
        base, answers = base_subject(subject) if subject else ("", False)
        everyone = (sender, *(recipients if base else ()))
        people = [_hash("person", one.lower()) for one in islice(everyone, MOST_PEOPLE) if one]
        self._append(
            own,
            _hash("subject", base) if base else 0,
            claim_of(named, sender, base),
            people[0] if sender else 0,
            UNDATED if date is None else date,
            (_REFERS if chain else 0) | (_ANSWERS if answers and base else 0),
            chain,
            list(dict.fromkeys(people)),
        )

    def pack(self, ordinal: int) -> bytes:
        """Serialize one message for `add_packed`."""
        chain = [self._ids.hashes[number] for number in self._chain(ordinal)]
        people = self._people_of(ordinal)
        head = _PACKED.pack(
            self._ids.hashes[self._own[ordinal]],
            self._subjects[ordinal],
            self._claims[ordinal],
            self._senders[ordinal],
            self._dates[ordinal],
            self._says[ordinal],
            len(chain),
        )
        return head + struct.pack(f"<{len(chain) + len(people)}Q", *chain, *people)

    def add_packed(self, packed: bytes) -> int:
        """Add a message serialized by `pack`, and return its ordinal.

        Raises:
            ValueError: The bytes do not come from `pack`.
        """
        try:
            own, subject, claim, sender, date, says, count = _PACKED.unpack_from(packed)
            numbers = struct.unpack(f"<{(len(packed) - _PACKED.size) // 8}Q", packed[_PACKED.size :])
        except struct.error as error:
            raise ValueError(str(error)) from None
        self._append(own, subject, claim, sender, date, says, numbers[:count], numbers[count:])
        return len(self._own) - 1

    def _append(
        self,
        own: int,
        subject: int,
        claim: int,
        sender: int,
        date: float,
        says: int,
        chain: Sequence[int],
        people: Sequence[int],
    ) -> None:
        number = self._ids.number
        self._own.append(number(own))
        self._dates.append(date)
        self._refs.extend(map(number, chain))
        self._ends.append(len(self._refs))
        self._subjects.append(subject)
        self._says.append(says)
        self._senders.append(sender)
        self._people.extend(people)
        self._people_ends.append(len(self._people))
        self._claims.append(claim)
        self._stale = True

    def thread_id(self, ordinal: int) -> str:
        """Return the thread of a message: 16 hexadecimal digits derived from the first known id of the conversation.

        The first call after an `add` recomputes all threads, at about 6 µs per message.
        """
        if self._stale:
            self._build()
        return f"{self._threads[ordinal]:016x}"

    def thread_ids(self) -> array[int]:
        """Return the thread of every message as a number, indexed by ordinal."""
        if self._stale:
            self._build()
        return self._threads

    def freeze(self, ordinal: int) -> str:
        """Return a permanent thread for the message just added, for use in a stream.

        Considers only earlier messages and never revises an earlier answer. Do not mix with `thread_id`.
        """
        own, chain = self._own[ordinal], self._chain(ordinal)
        if self._claimed.setdefault(own, self._claims[ordinal]) != self._claims[ordinal]:
            own = self._ids.number(self._claims[ordinal])
        self._nodes.append(own)
        self._parent.extend(range(len(self._parent), len(self._ids)))
        present = bytearray(len(self._ids))
        for reference in chain:
            present[reference] = reference in self._claimed
        self._join_chain(own, chain, present)
        if self._subjects[ordinal]:
            if not chain and self._says[ordinal] & _ANSWERS and self._senders[ordinal]:
                self._join_nearest(ordinal, self._streamed)
            for key in self._answering_keys(ordinal):
                insort(self._streamed.setdefault(key, []), self._sort_key(ordinal))
        root = self._find(own)
        if root not in self._frozen:
            self._frozen[root] = (ordinal, self._ids.hashes[chain[0] if chain else own])
        return f"{self._frozen[root][1]:016x}"

    def _chain(self, ordinal: int) -> array[int]:
        return self._refs[self._ends[ordinal - 1] if ordinal else 0 : self._ends[ordinal]]

    def _people_of(self, ordinal: int) -> array[int]:
        return self._people[self._people_ends[ordinal - 1] if ordinal else 0 : self._people_ends[ordinal]]

    def _sort_key(self, ordinal: int) -> _Dated:
        own = self._nodes[ordinal]
        return self._dates[ordinal], self._ids.hashes[own], own

    def _build(self) -> None:
        self._tell_copies_apart()
        self._parent = array("I", range(len(self._ids)))
        present = bytearray(len(self._ids))
        for own in self._nodes:
            present[own] = 1
        for number, own in enumerate(self._nodes):
            if self._says[number] & _REFERS:
                self._join_chain(own, self._chain(number), present)
        self._join_subjects(present)
        self._name_threads()
        self._stale = False

    def _tell_copies_apart(self) -> None:
        """Assign nodes to messages: the earliest with a Message-ID gets the id's node, a different one its own."""
        first: dict[int, int] = {}
        shared: dict[int, int] = {}
        claims, dates = self._claims, self._dates
        for number, own in enumerate(self._own):
            known = first.setdefault(own, claims[number])
            if known != claims[number]:
                shared[own] = known
        firsts: dict[int, tuple[float, int]] = {}
        if shared:
            for number, own in enumerate(self._own):
                if own in shared:
                    date = -dates[number] if dates[number] == UNDATED else dates[number]
                    firsts[own] = min(firsts.get(own, (date, claims[number])), (date, claims[number]))
        self._nodes = array("I", self._own)
        for number, own in enumerate(self._own):
            if own in firsts and claims[number] != firsts[own][1]:
                self._nodes[number] = self._ids.number(claims[number])

    def _name_threads(self) -> None:
        """Name every thread after the first known ancestor of its earliest message."""
        hashes, dates = self._ids.hashes, self._dates
        earliest = array("I", [_NONE]) * len(self._ids)
        for number, own in enumerate(self._nodes):
            root = self._find(own)
            known = earliest[root]
            if known == _NONE or self._seniority(number) < self._seniority(known):
                earliest[root] = number
        self._threads = array("Q", bytes(8 * len(dates)))
        for number, own in enumerate(self._nodes):
            self._threads[number] = hashes[self._ancestor(earliest[self._find(own)])]

    def _seniority(self, number: int) -> tuple[float, int]:
        date = self._dates[number]
        return -date if date == UNDATED else date, self._ids.hashes[self._ancestor(number)]

    def _ancestor(self, number: int) -> int:
        """Return the first referenced id that belongs to the message's thread, else the message's own id."""
        own = self._nodes[number]
        if self._says[number] & _REFERS:
            root = self._find(own)
            for reference in self._chain(number):
                if self._find(reference) == root:
                    return reference
        return own

    def _join_chain(self, own: int, chain: Sequence[int], present: bytes | bytearray) -> None:
        """Join a message with its parent, and each missing ancestor with the one before it."""
        later = own
        for reference in reversed(chain):
            if later != own and present[later]:
                return
            self._union(later, reference)
            later = reference

    def _join_subjects(self, present: bytes | bytearray) -> None:
        """Join each reply that names no known parent to the nearest message it may answer."""
        orphans = [
            number
            for number, says in enumerate(self._says)
            if says & _ANSWERS
            and self._senders[number]
            and not any(present[reference] for reference in self._chain(number))
        ]
        wanted = {key for number in orphans for key in self._answered_keys(number)}
        subjects = {self._subjects[number] for number in orphans}
        found: dict[int, set[_Dated]] = {}
        for number, subject in enumerate(self._subjects):
            if subject in subjects:
                for key in self._answering_keys(number):
                    if key in wanted:
                        found.setdefault(key, set()).add(self._sort_key(number))
        dated = {key: sorted(messages) for key, messages in found.items()}
        for number in orphans:
            self._join_nearest(number, dated)

    def _answering_keys(self, number: int) -> Iterator[int]:
        """Yield the keys under which a possible reply finds this message: subject, author and participant."""
        subject, author = self._subjects[number], self._senders[number]
        return (_key(subject, author, person) for person in self._people_of(number))

    def _answered_keys(self, number: int) -> Iterator[int]:
        """Yield the keys of messages this reply may answer: its sender took part, and their author receives it."""
        subject, author = self._subjects[number], self._senders[number]
        return (_key(subject, person, author) for person in self._people_of(number))

    def _join_nearest(self, number: int, dated: Mapping[int, Sequence[_Dated]]) -> None:
        """Join the latest earlier message that a reply may answer, else the first later one, else an undated one."""
        found = (self._nearest(number, dated.get(key, ())) for key in self._answered_keys(number))
        best = min((one for one in found if one is not None), default=None)
        if best is not None:
            self._union(self._nodes[number], best[3])

    def _nearest(self, number: int, dated: Sequence[_Dated]) -> tuple[int, float, int, int] | None:
        """Return the nearest of the given messages as (kind, distance, negated hashed id, node).

        Kind 0 is an earlier message, 1 a later one, 2 an undated one.
        """
        when, own = self._dates[number], self._nodes[number]
        middle = bisect_right(dated, (when, _LAST, 0))
        undated = bisect_right(dated, (UNDATED, _LAST, 0))
        tries = (range(middle - 1, -1, -1), range(middle, len(dated)), range(undated - 1, -1, -1))
        for kind, positions in enumerate(tries):
            for position in positions:
                date, hashed, other = dated[position]
                if other == own:
                    continue
                away = 0.0 if UNDATED in (when, date) else abs(when - date)
                if away <= SUBJECT_DAYS * _DAY:
                    return kind, away, -hashed, other
                break
        return None

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
