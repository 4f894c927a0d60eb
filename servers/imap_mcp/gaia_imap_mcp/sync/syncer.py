"""Brings the index in line with the server exactly: no event is missed or reported twice. Entry: `ImapSyncer`.

A listing of all folders shows which of them have changed. Each of those is updated with what its server offers: QRESYNC
(RFC 7162), else CONDSTORE and a count of messages, else all flags. If the numbers do not add up, the list of all UIDs
decides. The state of a folder is stored together with what was learned, so interrupted work is neither lost nor done
twice.

A message that has left its last folder may have been moved to one that was read too early. So it counts as removed
only after a listing shows that no folder has changed since.
"""

from __future__ import annotations

import gc
import time
from array import array
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace

from gaia_imap_mcp.index.schema import enlarge_cache
from gaia_imap_mcp.index.store import FolderState, ImapIndex, IndexOutdated
from gaia_imap_mcp.protocol.connection import Connection, Selected
from gaia_imap_mcp.protocol.errors import CommandRefused, ExcessiveResponse
from gaia_imap_mcp.protocol.fetch import (
    FetchedCopy,
    ListedCopy,
    fetch_marks,
    read_marks,
    read_vanished_uids,
    search_uids,
)
from gaia_imap_mcp.protocol.folders import INBOX, FolderStatus, ImapFolder, list_folders
from gaia_imap_mcp.protocol.numbers import MAX_UIDS, ascending
from gaia_imap_mcp.sync.inbox_poll import OpenInbox
from gaia_imap_mcp.sync.index_lock import Turns
from gaia_imap_mcp.sync.intake import STORED, STORED_BYTES, Intake
from gaia_imap_mcp.sync.renumbered import Renumbered

PASSES = 8
"""Listings of all folders before a mailbox in constant motion is left for the next refresh."""

SWEEP_MESSAGES_A_S = 2000.0
"""Without MODSEQ, flags are listed again, but for no more than this many messages per second."""

AGAIN_S = 60.0
"""Time after which messages that the server did not return are requested again."""

HESITATIONS, HESITATION_S = 2, 0.1
"""Number and length in seconds of the waits before reopening a folder that was refused for the first time. Dovecot may
briefly list a folder that has just been removed."""

MANY = 1 << 40

_NEW_OBJECTS = 20_000

GO_ON_S = 10.0
"""Time after which a first listing in steps checks all folders for mail that came meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Unfinished:
    """A folder whose listing continues in the next refresh, if nothing else uses the connection before."""

    work: FolderPass
    folder: ImapFolder
    connection: Connection
    commands: int
    until: float

    def is_valid(self, connection: Connection) -> bool:
        """Return True if the server's answer to the listing is still valid."""
        same = connection is self.connection and connection.commands == self.commands
        return same and time.monotonic() < self.until


class ImapSyncer:
    """Keeps one index up to date over any connection; `errors` lists by folder what could not be read."""

    def __init__(self, index: ImapIndex, turns: Turns) -> None:
        self.index = index
        self._turns = turns
        self.errors: dict[str, str] = {}
        self.refused_anew = False
        """True if the server refused, for the first time, to open a folder that it lists."""
        self.expected = 0
        """Messages in all folders, as the server counted them in the last listing."""
        self._swept: dict[str, float] = {}
        self._incomplete: dict[str, float] = {}
        self._fruitless: dict[str, float] = {}
        """Folders of whose many new messages the server returned none, and until when they are left alone."""
        self._renumbered = Renumbered()
        self._much_changed: set[str] = set()
        """Folders whose QRESYNC answer exceeds the bounds; their changes are listed instead."""
        self._began = 0.0
        self._open_inbox = OpenInbox()
        self._unfinished: _Unfinished | None = None

    def refresh(self, connection: Connection, *, limit: int = MANY) -> bool:
        """Bring every folder up to date; return False if `limit` new messages were read and more are waiting.

        Raises:
            ConnectionDropped, CommandRefused: The sync failed; what was learned before is kept.
            IndexOutdated: Another program did the same work meanwhile; call again to do the rest.
        """
        room = limit
        self._began = time.monotonic()
        undisturbed = self._open_inbox.is_quiet(connection)
        refused: list[ImapFolder] = []
        # Status by folder: one that is caught up and still stale with the same status was reported wrongly.
        done: dict[str, FolderStatus | None] = {}
        complained, hesitations, self.refused_anew = set(self.errors), HESITATIONS, False
        room -= self._go_on(connection, room)
        if room <= 0:
            return False
        for _ in range(PASSES):
            commits = self.index.commits
            found = self._list(connection)
            # A refused folder may be gone or replaced by now: it is tried again when its status changes.
            stale = [
                folder
                for folder in self._compare(found)
                if folder not in refused
                and done.get(folder.name) != folder.status
                and not self._is_resting(folder.name)
            ]
            self.refused_anew = any(folder.name not in complained for folder in refused)
            if not stale and hesitations and self.refused_anew:
                hesitations -= 1
                time.sleep(HESITATION_S)
                refused.clear()
                continue
            if not stale and (self.refused_anew or self._remove_homeless(commits)):
                self._open_inbox.note_check(connection, self.index.folder(INBOX), undisturbed=undisturbed)
                return True
            with self._turns.turn():
                for folder in stale:
                    taken = self._catch_up(connection, folder, room)
                    if taken is None:
                        refused.append(folder)
                    else:
                        done[folder.name] = folder.status
                    room -= taken or 0
                    if room <= 0:
                        return False
            if not self.index.has_homeless and not any(folder in refused for folder in stale):
                return True
        return True

    def _list(self, connection: Connection) -> list[ImapFolder]:
        """List all folders, twice if a known one has no status: Dovecot lists a deleted folder one last time."""
        known = {state.name for state in self.index.folders() if state.uidvalidity}
        inbox = self._open_inbox.status(connection, self.index.folder(INBOX))
        found = list_folders(connection, sorted(known), inbox=inbox)
        if any(folder.status is None and folder.name in known for folder in found):
            found = list_folders(connection, sorted(known))
        self.expected = sum(folder.status.exist for folder in found if folder.status is not None)
        return found

    def _compare(self, found: Sequence[ImapFolder]) -> list[ImapFolder]:
        """Store which folders exist; return those whose messages have changed."""
        states = {state.name: state for state in self.index.folders()}
        there = {folder.name: folder.label for folder in found}
        if there != {state.name: state.label for state in states.values()}:
            with self.index.writing():
                for state in self.index.folders():
                    if state.name not in there:
                        self.index.drop_folder(state)
                for folder in found:
                    self.index.add_folder(folder.name, folder.label)
            for name in states.keys() - there.keys():
                for kept in (self.errors, self._swept, self._incomplete, self._fruitless):
                    kept.pop(name, None)
                self._renumbered.forget(name)
            states = {state.name: state for state in self.index.folders()}
        return [
            folder
            for folder in found
            if folder.status is not None and self._is_stale(states[folder.name], folder.status)
        ]

    def _is_stale(self, state: FolderState, status: FolderStatus) -> bool:
        if self._incomplete.get(state.name, float("inf")) + AGAIN_S < self._began:
            return True
        if not state.uidnext or (state.uidvalidity, state.exist) != (status.uidvalidity, status.exist):
            return True
        if status.uidnext and status.uidnext != state.uidnext:
            return True
        if status.modseq:
            return status.modseq != state.modseq
        return status.unseen != state.unseen or self._is_sweep_due(state)

    def _is_resting(self, name: str) -> bool:
        """Return True if reading a folder again now would never end."""
        return self._renumbered.is_resting(name) or self._fruitless.get(name, float("-inf")) > self._began

    def _is_sweep_due(self, state: FolderState) -> bool:
        swept = self._swept.get(state.name, float("-inf"))
        return state.exist > 0 and swept + state.exist / SWEEP_MESSAGES_A_S < self._began

    def _remove_homeless(self, commits: int) -> bool:
        """Remove messages without copies; return False if another program has updated a folder since the listing."""
        if not self.index.has_homeless:
            return True
        with self.index.writing():
            unchanged = self.index.commits == commits
            if unchanged:
                self.index.remove_homeless()
        return unchanged

    def _go_on(self, connection: Connection, room: int) -> int:
        """Continue a listing that the last refresh left unfinished; return how many messages were read."""
        unfinished, self._unfinished = self._unfinished, None
        if unfinished is None or not unfinished.is_valid(connection):
            return 0
        with self._turns.turn():
            return (
                self._carry_out(unfinished.work, unfinished.folder, connection, room, unfinished.until) or 0
            )

    def _catch_up(self, connection: Connection, folder: ImapFolder, room: int) -> int | None:
        """Bring one folder up to date; return how many new messages were read, None if the server refused."""
        work = FolderPass(self.index, connection, folder, by_qresync=folder.name not in self._much_changed)
        return self._carry_out(work, folder, connection, room, time.monotonic() + GO_ON_S)

    def _carry_out(
        self, work: FolderPass, folder: ImapFolder, connection: Connection, room: int, until: float
    ) -> int | None:
        try:
            taken = work.run(room)
        except CommandRefused as error:
            self.errors[folder.name] = f"{folder.name}: {error.message}"
            return None
        except ExcessiveResponse:
            if work.was_opened or folder.name in self._much_changed:
                raise
            self._much_changed.add(folder.name)
            raise IndexOutdated from None
        self._much_changed.discard(folder.name)
        self._complain(folder.name, work)
        if taken >= room and not work.intake.stored:
            self._fruitless[folder.name] = self._began + AGAIN_S
        if not work.is_done:
            self._unfinished = _Unfinished(
                work=work, folder=folder, connection=connection, commands=connection.commands, until=until
            )
        self._swept[folder.name] = time.monotonic()
        return taken

    def _complain(self, name: str, work: FolderPass) -> None:
        """Record what could not be read in a folder, and what else is wrong with it."""
        self.errors.pop(name, None)
        self._incomplete.pop(name, None)
        found: list[str] = []
        if work.begun_anew is not None:
            self._renumbered.note(name, anew=work.begun_anew)
            work.begun_anew = None
        if self._renumbered.is_resting(name):
            found.append("the server renumbers its messages every time; it is checked less often.")
        if work.intake.short:
            found.append(f"{work.intake.short} of its messages are shorter than the server says they are.")
        if work.intake.left_out:
            self._incomplete[name] = time.monotonic()
            found.append(
                f"the server did not give {work.intake.left_out} of its messages; they are asked for again."
            )
        if found:
            self.errors[name] = f"{name}: {' '.join(found)}"


class FolderPass:
    """One update of a folder; with `by_qresync` False it does not use QRESYNC even if the server has it."""

    def __init__(
        self, index: ImapIndex, connection: Connection, folder: ImapFolder, *, by_qresync: bool = True
    ) -> None:
        self._index = index
        self._connection = connection
        self._status = folder.status
        state = index.folder(folder.name)
        if state is None:
            raise IndexOutdated
        self._state = state
        self._by_qresync = by_qresync and connection.has("QRESYNC")
        self._selected: Selected | None = None
        self._new: array[int] = array("I")
        """UIDs still to read, newest first."""
        self.begun_anew: bool | None = None
        """True if a known folder has other UIDs now; None if the folder was unknown."""
        self.was_opened = False
        self.intake = Intake(connection, self._add)

    @property
    def is_done(self) -> bool:
        """True if everything that was new when the folder was opened has been requested."""
        return self._selected is not None and not self._new

    def run(self, room: int) -> int:
        """Read at most `room` new messages and return how many; the first call opens the folder."""
        if self._selected is None:
            self._selected = self._look()
        now, self._new = self._new[:room], self._new[room:]
        with _collect_rarely(), enlarge_cache(self._index.database) if len(now) >= STORED else nullcontext():
            self.intake.read(now)
        if not self._new:
            self._finish(self._selected)
        return len(now)

    def _look(self) -> Selected:
        state = self._state
        quick = self._by_qresync and state.modseq > 0 and not self._connection.is_gmail
        selected = self._connection.examine(
            state.name, known=(state.uidvalidity, state.modseq) if quick else None
        )
        self.was_opened = True
        if selected.exists > MAX_UIDS:
            raise CommandRefused(
                f"The server says that it holds {selected.exists:,} messages, and more than {MAX_UIDS:,} are not "
                "read; move some of them to other folders."
            )
        if state.uidvalidity:
            self.begun_anew = selected.uidvalidity != state.uidvalidity
        if selected.uidvalidity != state.uidvalidity:
            self._begin_anew(selected)
        self._new = self._learn(selected, by_qresync=quick)
        return selected

    def _begin_anew(self, selected: Selected) -> None:
        """Forget what is known of a folder that is new or has new UIDs."""
        with self._index.writing():
            self._index.empty_folder(self._state)
            later = replace(self._state, uidvalidity=selected.uidvalidity, uidnext=0, modseq=0, exist=0)
            self._state = self._index.advance(self._state, later)

    def _learn(self, selected: Selected, *, by_qresync: bool) -> array[int]:
        """Store changed flags and removals; return the UIDs that are unknown, newest first."""
        state = self._state
        gone: set[int] = set()
        copies: Iterable[ListedCopy] = ()
        if not (state.modseq and selected.modseq):
            if self._index.count(state):
                return self._learn_by_flags(selected)
        elif by_qresync:
            for line in selected.lines:
                gone |= self._index.within(state, read_vanished_uids(line))
            copies = (copy for line in selected.lines if (copy := read_marks(line)) is not None)
        elif selected.exists:
            copies = fetch_marks(self._connection, b"1:*", since=state.modseq)
        new, marks = self._take(copies, selected)
        gone = self._index.find_known(state, gone)
        if not state.uidnext or self._index.count(state) - len(gone) + len(new) != selected.exists:
            known = self._index.uids(state)
            there = search_uids(self._connection, b"ALL") if selected.exists else array("I")
            if selected.exists and not there:
                raise CommandRefused(
                    f"The server counts {selected.exists} messages and lists none; trying again later."
                )
            gone = known.difference(there)
            new = array("I", (uid for uid in there if uid not in known and self._is_due(uid, selected)))
        self._store(gone, marks, selected.modseq)
        return new[::-1]

    def _learn_by_flags(self, selected: Selected) -> array[int]:
        """Learn all flags of a folder without MODSEQ, in one listing."""
        known = self._index.uids(self._state)
        there: array[int] = array("I")

        def copies() -> Iterable[ListedCopy]:
            for copy in fetch_marks(self._connection, b"1:*") if selected.exists else ():
                there.append(copy.uid)
                yield copy

        new, marks = self._take(copies(), selected)
        self._store(known.difference(there), marks, selected.modseq)
        return new[::-1]

    def _take(self, copies: Iterable[ListedCopy], selected: Selected) -> tuple[array[int], dict[int, str]]:
        """Store the marks of copies, some at a time.

        Return the unknown UIDs, ascending, and the marks of known copies that are not stored yet.
        """
        new: array[int] = array("I")
        marks: dict[int, str] = {}
        weight = 0
        for copy in copies:
            marks[copy.uid] = copy.marks
            weight += len(copy.marks)
            if len(marks) >= STORED or weight > STORED_BYTES:
                self._store_marks(self._split(marks, new, selected))
                marks, weight = {}, 0
        left = self._split(marks, new, selected)
        return ascending(new), left

    def _split(self, marks: dict[int, str], new: array[int], selected: Selected) -> dict[int, str]:
        """Return the marks of known copies; add unknown UIDs to `new`."""
        known = self._index.find_known(self._state, marks)
        new.extend(uid for uid in marks if uid not in known and self._is_due(uid, selected))
        return {uid: text for uid, text in marks.items() if uid in known}

    def _store_marks(self, marks: dict[int, str]) -> None:
        with self._index.writing():
            for uid, text in marks.items():
                self._index.mark(self._state, uid, text)
            self._state = self._index.advance(self._state, self._state)

    def _is_due(self, uid: int, selected: Selected) -> bool:
        """Return False for a message that came after the folder was selected: the next pass reads it."""
        return not selected.uidnext or uid < selected.uidnext

    def _store(self, gone: Iterable[int], marks: dict[int, str], modseq: int) -> None:
        """Store removals and marks.

        The folder's MODSEQ advances here only while every pass lists all UIDs; otherwise it advances after the new
        messages are read, so that the pass after an interrupted one gets them again.
        """
        state = self._state
        with self._index.writing():
            self._index.remove_copies(state, gone)
            for uid, text in marks.items():
                self._index.mark(state, uid, text)
            later = state if state.uidnext else replace(state, modseq=modseq)
            self._state = self._index.advance(state, later)

    def _add(self, batch: Sequence[FetchedCopy]) -> None:
        with self._index.writing():
            self._index.add_copies(self._state, [(found.uid, found.marks, found.head) for found in batch])
            self._state = self._index.advance(self._state, self._state)

    def _finish(self, selected: Selected) -> None:
        uidnext = selected.uidnext or (self._status.uidnext if self._status is not None else 0)
        unseen = self._status.unseen if self._status is not None else 0
        with self._index.writing():
            later = replace(
                self._state,
                uidnext=max(uidnext, 1),
                modseq=selected.modseq,
                exist=selected.exists,
                unseen=unseen,
            )
            self._state = self._index.advance(self._state, later)


@contextmanager
def _collect_rarely() -> Generator[None]:
    """Let Python collect garbage only after `_NEW_OBJECTS` new objects, in the whole process.

    Reading a mailbox makes thousands of short-lived objects and no cycles; a collection after every 700 takes a tenth
    of the time of a first listing.
    """
    before = gc.get_threshold()
    if not 0 < before[0] < _NEW_OBJECTS:
        yield
        return
    gc.set_threshold(_NEW_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
