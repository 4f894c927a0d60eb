"""A mailbox's knowledge of senders and threads, gathered in one cheap pass: `Correspondents`.

The pass sees header facts only and keeps 64-bit hashes in flat arrays, about 60 bytes per message, so that memory use
hardly grows with the mailbox. After `finish`, `context` describes the situation of one message; except for `answered`,
it uses only mail dated before that message.
"""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from statistics import median

from gaia_mail.mime.receiving import FieldPosition
from gaia_understanding.cascade.verdict import Context

UNDATED = float("-inf")
"""The time of a message without a readable date: before everything, so that it never counts as an answer."""

LEAST_ANSWERS = 5
"""Minimum number of answers to a correspondent before a usual answer time is derived."""

WAITS_LOOKED_AT = 100
"""Number of a sender's last messages used for it; more would make long correspondences slow."""

OWNER_CANDIDATES = 4096
"""Different recipients counted to find the owner, who is among the first in a mailbox."""


def hash64(text: str) -> int:
    """Return a stable 63-bit hash (the same for any `PYTHONHASHSEED`)."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()) >> 1


def _address_hash(address: str) -> int:
    return _known_hash(address) if len(address) <= 100 else hash64(address)


_known_hash = lru_cache(maxsize=4096)(hash64)
"""Cached, since the same few people write all the time."""


def domain_of(address: str) -> str:
    """Return the part after the last `@`, lower case; empty if there is none."""
    return address.rpartition("@")[2].lower() if "@" in address else ""


class Correspondents:
    """Senders, recipients and threads of a mailbox.

    Call `add` for each message, then `finish` once, then `context` as often as needed.

    Attributes:
        owner: The user's own addresses; known after `finish`.
        receivers: Positions in which the mailbox's server writes Authentication-Results.
    """

    def __init__(self) -> None:
        self.owner: frozenset[str] = frozenset()
        self.receivers: frozenset[FieldPosition] = frozenset()
        self._count = 0
        self._senders = array("q")
        self._dates = array("d")
        self._ends = array("l")
        self._recipients = array("q")
        self._domains: dict[int, str] = {}
        self._addressed: Counter[str] = Counter()
        self._received: dict[int, array[float]] = {}
        self._written: dict[int, array[float]] = {}
        self._own_by_thread: dict[str, list[float]] = {}
        self._known_domains: frozenset[str] = frozenset()

    def __len__(self) -> int:
        """Return the number of messages added."""
        return self._count

    def add(self, sender: str, recipients: Iterable[str], date: float | None) -> int:
        """Add a message (addresses in any case, `date` in epoch seconds) and return its ordinal."""
        ordinal = self._count
        self._count += 1
        self._senders.append(_address_hash(sender.lower()) if sender else 0)
        self._dates.append(UNDATED if date is None else date)
        for address in recipients:
            lowered = address.lower()
            hashed = _address_hash(lowered)
            self._recipients.append(hashed)
            if hashed not in self._domains:
                self._domains[hashed] = domain_of(lowered)
            if lowered in self._addressed or len(self._addressed) < OWNER_CANDIDATES:
                self._addressed[lowered] += 1
        self._ends.append(len(self._recipients))
        return ordinal

    def finish(self, owner: Collection[str] | None, thread_of: Callable[[int], str]) -> None:
        """Determine the user's addresses and sort everything by time.

        Args:
            owner: The user's addresses; None for the most frequent recipient (the alphabetically first among equals).
            thread_of: Returns the thread id for an ordinal.
        """
        if owner:
            self.owner = frozenset(address.lower() for address in owner)
        elif self._addressed:
            best = min(self._addressed.items(), key=lambda item: (-item[1], item[0]))
            self.owner = frozenset({best[0]})
        own = {hash64(address) for address in self.owner}
        domains: set[str] = set()
        start = 0
        for ordinal, sender in enumerate(self._senders):
            end = self._ends[ordinal]
            date = self._dates[ordinal]
            if sender in own:
                recipients = self._recipients[start:end]
                self._note_sent(recipients, date)
                domains.update(self._domains[recipient] for recipient in recipients)
                insort(self._own_by_thread.setdefault(thread_of(ordinal), []), date)
            elif sender:
                self._received.setdefault(sender, array("d")).append(date)
            start = end
        for dates in (*self._received.values(), *self._written.values()):
            if len(dates) > 1:
                dates[:] = array("d", sorted(dates))
        self._known_domains = frozenset(domain for domain in domains if domain)
        self._domains.clear()
        self._addressed.clear()
        for spent in (self._senders, self._dates, self._ends, self._recipients):
            del spent[:]

    def _note_sent(self, recipients: Sequence[int], date: float) -> None:
        for recipient in recipients:
            self._written.setdefault(recipient, array("d")).append(date)

    def context(self, sender: str, date: float | None, thread_id: str) -> Context:
        """Return what was known when this message came; an empty history gives `first_contact=None`."""
        hashed = _address_hash(sender.lower())
        when = UNDATED if date is None else date
        received = bisect_left(self._received.get(hashed, ()), when)
        written = bisect_left(self._written.get(hashed, ()), when)
        own = self._own_by_thread.get(thread_id, [])
        return Context(
            owner=self.owner,
            first_contact=None if len(self) < 2 else received == 0 and written == 0,
            received_before=received,
            written_to=written,
            owner_in_thread=bool(own) and own[0] < when,
            answered=bool(own) and own[-1] > when,
            known_domains=self._known_domains,
            receivers=self.receivers,
            usual_wait_s=self._usual_wait(hashed, received, written),
        )

    def _usual_wait(self, sender: int, received: int, written: int) -> float | None:
        """Return the owner's median answer time to a sender in seconds, before the message in question.

        If someone writes again before the answer, the time counts from their first message.
        """
        if min(received, written) < LEAST_ANSWERS:
            return None
        theirs, own = self._received[sender], self._written[sender]
        took: dict[int, float] = {}
        for date in theirs[max(0, received - WAITS_LOOKED_AT) : received]:
            answer = bisect_right(own, date)
            if date > UNDATED and answer < written:
                took.setdefault(answer, own[answer] - date)
        return median(took.values()) if len(took) >= LEAST_ANSWERS else None

    @classmethod
    def of(
        cls,
        owner: Collection[str],
        received: Iterable[tuple[str, float | None]],
        own: Iterable[tuple[str, float | None, Sequence[str]]],
        *,
        is_more_than_one: bool,
    ) -> Correspondents:
        """Create a complete history for a known owner; no messages can be added to it.

        Args:
            owner: The user's addresses.
            received: Sender, in lower case, and date of each received message.
            own: Thread, date and recipients, in lower case, of each sent message.
            is_more_than_one: True if the mailbox has more than one message.
        """
        made = cls()
        made.owner = frozenset(address.lower() for address in owner)
        made._count = 2 if is_more_than_one else 1
        by_sender: dict[str, list[float]] = {}
        for sender, date in received:
            by_sender.setdefault(sender, []).append(UNDATED if date is None else date)
        made._received = {hash64(one): array("d", sorted(dates)) for one, dates in by_sender.items()}
        domains: set[str] = set()
        for thread_id, date, recipients in own:
            when = UNDATED if date is None else date
            insort(made._own_by_thread.setdefault(thread_id, []), when)
            made._note_sent([hash64(address) for address in recipients], when)
            domains.update(map(domain_of, recipients))
        for dates in made._written.values():
            dates[:] = array("d", sorted(dates))
        made._known_domains = frozenset(domain for domain in domains if domain)
        return made

    def digest(self) -> str:
        """Return a text that changes whenever something changes that is part of every `context`."""
        known = (
            min(self._count, 2),
            sorted(self.owner),
            sorted(self._known_domains),
            sorted(map(repr, self.receivers)),
        )
        return hashlib.blake2b(repr(known).encode("utf-8", "replace"), digest_size=16).hexdigest()

    def note_live(self, sender: str, recipients: Sequence[str], date: float | None, thread_id: str) -> None:
        """Learn from a message of a stream after its `context` was given (standard input has no second pass)."""
        self._count += 1
        when = UNDATED if date is None else date
        if sender.lower() in self.owner:
            for recipient in recipients:
                dates = self._written.setdefault(hash64(recipient.lower()), array("d"))
                dates.insert(bisect_left(dates, when), when)
            insort(self._own_by_thread.setdefault(thread_id, []), when)
            self._known_domains |= {domain_of(recipient) for recipient in recipients}
        else:
            dates = self._received.setdefault(hash64(sender.lower()), array("d"))
            dates.insert(bisect_left(dates, when), when)
