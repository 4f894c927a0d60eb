"""The index of a local mailbox: the header facts of all messages, kept up to date. Entries: `MailIndex`, `listing_of`.

Not thread-safe; `LocalMailbox` lets only one thread use it at a time.
"""

from __future__ import annotations

import os
from array import array
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gaia_local_mcp.entry import IndexEntry, sort_time, state_of
from gaia_local_mcp.origin import Origin, Sighting
from gaia_local_mcp.store import EventKind, IndexStore, LocalEvent
from gaia_mail.files.location import short_id
from gaia_mail.files.model import RawMail
from gaia_mail.files.opening import display, reason
from gaia_mail.header_facts import pack
from gaia_mail.mime.scan import HeaderScan, normalize, summarize, top_fields
from gaia_mail.threads import ThreadIndex
from gaia_mail_mcp.progress import Teller

TOLD_EVERY = 1_000
"""Messages between two progress reports of the first reading."""

MAX_EVENTS = 100_000
"""Maximum number of remembered events; an older cursor leads to a reset."""

MAX_ERRORS = 20
"""Maximum number of reported errors of the source."""

_STATES = 1 << 128


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceListing:
    """Facts about a source from a listing alone, without reading messages.

    `digest` is valid if every message can be read. `errors` reports duplicates. `files` has the file of each message
    by id.
    """

    digest: str
    labels: frozenset[str]
    errors: tuple[str, ...]
    files: Mapping[str, str]

    def entry(self, origin: Origin, message_id: str) -> IndexEntry | None:
        """Return a message of the listed origin, reading only its header; None if it cannot be read."""
        found = origin.sighting(self.files.get(message_id, ""))
        if found is None:
            return None
        mail = found[1].header()
        return None if mail.problem else _entry(message_id, *found, mail, ordinal=-1)[0]


def listing_of(origin: Origin) -> SourceListing | None:
    """List a source without reading messages, in a tenth of the time; None if part of it cannot be listed.

    Raises:
        MailError: The source as a whole cannot be read.
    """
    digest, labels, errors = 0, set[tuple[str, ...]](), deque[str](maxlen=MAX_ERRORS)
    seen: dict[str, str] = {}  # contains only strings, so the garbage collector skips it
    for unit in origin.changed_units()[0]:
        try:
            for sighting in origin.sightings(unit):
                id_ = next((id_ for key in sighting.keys if (id_ := short_id(key)) not in seen), None)
                if id_ is None:
                    errors.append(_double(sighting))
                    continue
                seen[id_] = os.path.join(sighting.directory, sighting.file)
                labels.add(sighting.labels)
                digest += state_of(id_, sighting.labels, sighting.flags)
        except OSError:
            return None
    every = frozenset(label for some in labels for label in some)
    return SourceListing(digest=f"{digest % _STATES:032x}", labels=every, errors=tuple(errors), files=seen)


def _double(sighting: Sighting) -> str:
    return f"{display(sighting.file)} exists twice; the second copy is not shown"


def _entry(
    id_: str, unit: str, sighting: Sighting, mail: RawMail, *, ordinal: int
) -> tuple[IndexEntry, HeaderScan]:
    header = top_fields(normalize(mail.raw)[0])
    scan = summarize(header)
    entry = IndexEntry(
        id=id_,
        unit=unit,
        directory=sighting.directory,
        file=sighting.file,
        start=sighting.start,
        length=sighting.length,
        labels=sighting.labels,
        flags=sighting.flags,
        size=mail.size,
        when=sort_time(scan.date, mail.modified),
        ordinal=ordinal,
        packed=pack(scan, header),
    )
    return entry, scan


class MailIndex:
    """The messages of a source, and the events since the index was created.

    The state of the whole mailbox is a number, `digest`: the sum of the messages' states. It identifies a point in the
    history, so a cursor outlives the process if nothing has changed, or if a store keeps the index.
    """

    def __init__(self, origin: Origin, store: IndexStore | None = None) -> None:
        """Create an empty index, without reading the source.

        Args:
            origin: The source.
            store: Keeps the index between runs, so that the next one reads only the headers of new messages.
        """
        self.origin = origin
        self._store = store
        self.entries: dict[str, IndexEntry] = {}
        self.errors: deque[str] = deque(maxlen=MAX_ERRORS)
        self._threads = ThreadIndex()
        self._named = array("Q")
        self._added = 0
        self._digest = 0
        self._events: list[LocalEvent] = []
        self._positions: dict[str, int] = {}
        self._built = False
        self._order: list[str] | None = None

    @property
    def digest(self) -> str:
        """The state of the mailbox, as 32 hexadecimal digits."""
        return f"{self._digest:032x}"

    def refresh(self, tell: Teller | None = None) -> bool:
        """Look for changes; return True if there were any. The first call reads every header, with `tell` for progress.

        Raises:
            MailError: The source as a whole cannot be read.
        """
        if self._store is not None and not self._built:
            self._restore(self._store)
        changed, gone = self.origin.changed_units()
        before, told, added = self._digest, len(self._events), self._added
        if changed or gone:
            self._relist(changed, {*changed, *gone}, tell)
        if self._added != added:  # only new messages change the conversations of others
            self._note_threads()
        if self._store is not None and self._digest != before:
            self._save(self._store, before, self._events[told:])
        if not self._built:
            self._events.clear()
            self._built = True
        self._trim()
        self._positions[self.digest] = len(self._events)
        return self._digest != before

    def since(self, digest: str) -> list[LocalEvent] | None:
        """Return the events since the mailbox was in that state; None if they are no longer known."""
        position = self._positions.get(digest)
        return None if position is None else self._events[position:]

    def newest_first(self) -> list[str]:
        """Return all ids, newest first; messages of the same time by id. The list must not be changed."""
        if self._order is None:
            entries = self.entries
            self._order = sorted(entries, key=lambda id_: (-entries[id_].when, id_))
        return self._order

    def thread_id(self, entry: IndexEntry) -> str:
        """Return the id of a message's conversation."""
        return self._threads.thread_id(entry.ordinal)

    def thread(self, thread_id: str) -> list[str]:
        """Return the message ids of a conversation, oldest first; empty if it does not exist."""
        found = [entry for entry in self.entries.values() if self.thread_id(entry) == thread_id]
        return [entry.id for entry in sorted(found, key=lambda entry: (entry.when, entry.id))]

    def _restore(self, store: IndexStore) -> None:
        """Start from the index of an earlier run, if the store has one."""
        stored = store.load()
        if stored is None:
            return
        try:
            for entry, thread, packed in stored.messages:
                entry.ordinal = self._threads.add_packed(packed)
                self.entries[entry.id] = entry
                self._named.append(thread)
        except ValueError:  # a damaged file: every header is read again
            self.entries.clear()
            self._threads, self._named = ThreadIndex(), array("Q")
            return
        self._added = len(self.entries)
        self._digest = sum(entry.state() for entry in self.entries.values()) % _STATES
        for before, event in stored.events:
            self._positions.setdefault(before, len(self._events))
            self._events.append(event)
        self._positions[self.digest] = len(self._events)
        self._built = True

    def _save(self, store: IndexStore, before: int, events: Sequence[LocalEvent]) -> None:
        """Store what has changed since the state `before`; after the first reading, everything."""
        ids = dict.fromkeys(event.id for event in events) if self._built else self.entries
        kept = [self.entries[id_] for id_ in ids if id_ in self.entries]
        store.save(
            [(one, self._named[one.ordinal], self._threads.pack(one.ordinal)) for one in kept],
            [id_ for id_ in ids if id_ not in self.entries],
            [(f"{before:032x}", event) for event in events] if self._built else None,
        )

    def _note_threads(self) -> None:
        """Record an event for each message whose conversation has changed since the last refresh."""
        before, self._named = self._named, self._threads.thread_ids()
        if not self._built:
            return
        moved = {number for number, thread in enumerate(before) if self._named[number] != thread}
        if moved:
            self._events += [
                LocalEvent("moved", one.id) for one in self.entries.values() if one.ordinal in moved
            ]

    def _relist(self, units: list[str], stale_units: set[str], tell: Teller | None) -> None:
        seen = 0
        stale = {id_ for id_, entry in self.entries.items() if entry.unit in stale_units}
        for unit in units:
            try:
                for sighting in self.origin.sightings(unit):
                    self._sight(unit, sighting, stale)
                    seen += 1
                    if tell is not None and seen % TOLD_EVERY == 0:
                        tell(seen, None)
            except OSError as error:
                self.errors.append(f"{display(unit)} cannot be read: {reason(error)}")
        for id_ in sorted(stale):
            entry = self.entries.pop(id_)
            self._record("removed", id_, -entry.state())

    def _sight(self, unit: str, sighting: Sighting, stale: set[str]) -> None:
        id_ = ""
        for key in sighting.keys:
            id_ = short_id(key)
            entry = self.entries.get(id_)
            if entry is None:
                self._add(id_, unit, sighting)
                return
            if id_ in stale:
                stale.discard(id_)
                self._update(entry, unit, sighting)
                return
        self.errors.append(_double(sighting))

    def _add(self, id_: str, unit: str, sighting: Sighting) -> None:
        mail = sighting.header()
        if mail.problem:
            self.errors.append(f"{mail.path}: {mail.problem}")
            return
        entry, scan = _entry(id_, unit, sighting, mail, ordinal=self._added)
        self._threads.add(
            self._added,
            message_id=scan.message_id,
            references=scan.references,
            in_reply_to=scan.in_reply_to,
            subject=scan.subject,
            date=scan.date.timestamp() if scan.date is not None else None,
            sender=scan.sender.address if scan.sender else "",
            recipients=[mailbox.address for mailbox in (*scan.to, *scan.cc)],
            hint=mail.thread_hint,
        )
        self._added += 1
        self.entries[id_] = entry
        self._record("added", id_, entry.state())

    def _update(self, entry: IndexEntry, unit: str, sighting: Sighting) -> None:
        entry.unit = unit
        entry.directory = sighting.directory
        entry.file = sighting.file
        if sighting.length >= 0:
            entry.start, entry.length = sighting.start, sighting.length
        if (entry.labels, entry.flags) != (sighting.labels, sighting.flags):
            before = entry.state()
            entry.labels, entry.flags = sighting.labels, sighting.flags
            self._record("changed", entry.id, entry.state() - before)

    def _record(self, kind: EventKind, id_: str, difference: int) -> None:
        self._digest = (self._digest + difference) % _STATES
        if self._built:
            self._events.append(LocalEvent(kind, id_))
        if kind != "changed":
            self._order = None

    def _trim(self) -> None:
        surplus = len(self._events) - MAX_EVENTS
        if surplus > 0:
            cut = surplus + MAX_EVENTS // 2
            del self._events[:cut]
            self._positions = {digest: at - cut for digest, at in self._positions.items() if at >= cut}
        if len(self._positions) > MAX_EVENTS:
            self._positions = dict(list(self._positions.items())[MAX_EVENTS // 2 :])
