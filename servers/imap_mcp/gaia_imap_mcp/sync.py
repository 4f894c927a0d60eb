"""Brings the index in line with the server, exactly: nothing is missed, nothing is told twice. Entry: `Syncer`.

One look at all folders says which of them have changed. Each of those is caught up with what its server offers:
QRESYNC (RFC 7162), else CONDSTORE and a count of messages, else all flags. Wherever the numbers do not add up,
the list of all UIDs decides. What a folder is known up to is stored together with what was learned, so work that
breaks off is neither lost nor done twice.

A message that has left its last folder may have been moved to one that was looked at too early. So it counts as
removed only after a look at all folders that shows none of them changed since.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from gaia_imap_mcp.collecting import rarely_collected
from gaia_imap_mcp.connection import Connection, Selected
from gaia_imap_mcp.errors import Refused
from gaia_imap_mcp.fetch import (
    Fetched,
    fetch_attached,
    fetch_heads,
    fetch_marks,
    read_marks,
    read_vanished,
    search_uids,
)
from gaia_imap_mcp.folders import INBOX, Folder, FolderStatus, list_folders
from gaia_imap_mcp.index import FolderState, Index, Outdated
from gaia_imap_mcp.kept_open import KeptOpen
from gaia_imap_mcp.turns import Turns

PASSES = 8
"""How often all folders are looked at before a mailbox in constant motion is left for the next time."""

SWEEP_MESSAGES_A_S = 2000.0
"""Without MODSEQ flags are listed again; not more often than this many messages a second allow."""

AGAIN_S = 60.0
"""After this messages that the server could not give are asked for again."""

HESITATIONS, HESITATION_S = 2, 0.1
"""How often and how long to wait before a folder is opened again that was refused for the first time: Dovecot may list
one that has just been removed for a moment."""

MANY = 1 << 40

STORED = 2_000
"""Messages stored in one transaction. Every transaction rewrites much the same pages of the index."""

ONE_BY_ONE = 500
"""Of the messages that the server fails to give together, how many are asked for one by one."""

GO_ON_S = 10.0
"""A first listing that is done in steps looks at all folders again after so long, for what came meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Unfinished:
    """A folder whose listing goes on with the next refresh, if nothing else is done on the connection before."""

    work: FolderPass
    folder: Folder
    connection: Connection
    commands: int
    until: float

    def stands(self, connection: Connection) -> bool:
        """Whether the server's answer to the listing still holds."""
        same = connection is self.connection and connection.commands == self.commands
        return same and time.monotonic() < self.until


class Syncer:
    """Keeps one index up to date over whatever connection it is given; `errors` says what could not be read."""

    def __init__(self, index: Index, turns: Turns) -> None:
        self.index = index
        self._turns = turns
        self.errors: dict[str, str] = {}
        self.refused_anew = False
        """Whether the last refresh was refused a folder for the first time, though the server lists it."""
        self._swept: dict[str, float] = {}
        self._incomplete: dict[str, float] = {}
        self._began = 0.0
        self._kept_open = KeptOpen()
        self._unfinished: _Unfinished | None = None

    def refresh(self, connection: Connection, *, limit: int = MANY) -> bool:
        """Bring every folder up to date; False when `limit` new messages were read and more are waiting.

        Raises:
            Dropped, Refused: What was learned before is kept.
            Outdated: Another program did the same work meanwhile; do it again, there is less left.
        """
        room = limit
        self._began = time.monotonic()
        undisturbed = self._kept_open.is_undisturbed(connection)
        refused: list[Folder] = []
        complained, hesitations, self.refused_anew = set(self.errors), HESITATIONS, False
        room -= self._go_on(connection, room)
        if room <= 0:
            return False
        for _ in range(PASSES):
            commits = self.index.commits
            found = self._list(connection)
            # What is refused may be gone, or another folder by now: it is tried again when it stands otherwise.
            stale = [folder for folder in self._compare(found) if folder not in refused]
            self.refused_anew = any(folder.name not in complained for folder in refused)
            if not stale and hesitations and self.refused_anew:
                hesitations -= 1
                time.sleep(HESITATION_S)
                refused.clear()
                continue
            if not stale and (self.refused_anew or self._remove_homeless(commits)):
                self._kept_open.looked(connection, self.index.folder(INBOX), undisturbed=undisturbed)
                return True
            with self._turns.turn():
                for folder in stale:
                    taken = self._catch_up(connection, folder, room)
                    if taken is None:
                        refused.append(folder)
                    room -= taken or 0
                    if room <= 0:
                        return False
            if not self.index.has_homeless and not any(folder in refused for folder in stale):
                return True
        return True

    def _list(self, connection: Connection) -> list[Folder]:
        """All folders. Dovecot still lists a folder that was deleted a moment ago, once, without its status."""
        known = {state.name for state in self.index.folders() if state.uidvalidity}
        inbox = self._kept_open.status(connection, self.index.folder(INBOX))
        found = list_folders(connection, sorted(known), inbox=inbox)
        if any(folder.status is None and folder.name in known for folder in found):
            found = list_folders(connection, sorted(known))
        return found

    def _compare(self, found: Sequence[Folder]) -> list[Folder]:
        """Take in which folders there are; those whose messages have changed."""
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
                for kept in (self.errors, self._swept, self._incomplete):
                    kept.pop(name, None)
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

    def _is_sweep_due(self, state: FolderState) -> bool:
        swept = self._swept.get(state.name, float("-inf"))
        return state.exist > 0 and swept + state.exist / SWEEP_MESSAGES_A_S < self._began

    def _remove_homeless(self, commits: int) -> bool:
        """After a look that found nothing new; False when another program has learned something since."""
        if not self.index.has_homeless:
            return True
        with self.index.writing():
            unchanged = self.index.commits == commits
            if unchanged:
                self.index.remove_homeless()
        return unchanged

    def _go_on(self, connection: Connection, room: int) -> int:
        """Go on with a listing that the last refresh left unfinished; answers how many messages were read."""
        unfinished, self._unfinished = self._unfinished, None
        if unfinished is None or not unfinished.stands(connection):
            return 0
        with self._turns.turn():
            return (
                self._carry_out(unfinished.work, unfinished.folder, connection, room, unfinished.until) or 0
            )

    def _catch_up(self, connection: Connection, folder: Folder, room: int) -> int | None:
        """Bring one folder up to date; answers how many new messages were read, None when the server refused."""
        work = FolderPass(self.index, connection, folder)
        return self._carry_out(work, folder, connection, room, time.monotonic() + GO_ON_S)

    def _carry_out(
        self, work: FolderPass, folder: Folder, connection: Connection, room: int, until: float
    ) -> int | None:
        try:
            taken = work.run(room)
        except Refused as error:
            self.errors[folder.name] = f"{folder.name}: {error.message}"
            return None
        self.errors.pop(folder.name, None)
        self._incomplete.pop(folder.name, None)
        if work.left_out:
            self._incomplete[folder.name] = time.monotonic()
            self.errors[folder.name] = (
                f"{folder.name}: the server did not give {work.left_out} of its messages; they are asked for again."
            )
        elif not work.is_done:
            self._unfinished = _Unfinished(
                work=work, folder=folder, connection=connection, commands=connection.commands, until=until
            )
        self._swept[folder.name] = time.monotonic()
        return taken


class FolderPass:
    """One folder, caught up once."""

    def __init__(self, index: Index, connection: Connection, folder: Folder) -> None:
        self._index = index
        self._connection = connection
        self._status = folder.status
        state = index.folder(folder.name)
        if state is None:
            raise Outdated
        self._state = state
        self._selected: Selected | None = None
        self._new: list[int] = []
        """UIDs still to be read, newest first."""
        self.left_out = 0
        """Messages that are there and could not be read."""

    @property
    def is_done(self) -> bool:
        """Whether everything that was new when the folder was opened was asked for."""
        return self._selected is not None and not self._new

    def run(self, room: int) -> int:
        """Read at most `room` new messages, the first time after a look at the folder; answers how many there were."""
        if self._selected is None:
            self._selected = self._look()
        now, self._new = self._new[:room], self._new[room:]
        with rarely_collected():
            self._read_new(now)
        if not self._new:
            self._finish(self._selected)
        return len(now)

    def _look(self) -> Selected:
        state = self._state
        quick = state.modseq > 0 and not self._connection.is_gmail
        known = (state.uidvalidity, state.modseq) if quick else None
        selected = self._connection.examine(state.name, known=known)
        if selected.uidvalidity != state.uidvalidity:
            self._begin_anew(selected)
        self._new = self._learn(selected, by_qresync=quick and self._connection.has("QRESYNC"))
        return selected

    def _begin_anew(self, selected: Selected) -> None:
        """The folder is new, or its UIDs were dealt anew: what is known of it means nothing."""
        with self._index.writing():
            self._index.empty_folder(self._state)
            later = replace(self._state, uidvalidity=selected.uidvalidity, uidnext=0, modseq=0, exist=0)
            self._state = self._index.advance(self._state, later)

    def _learn(self, selected: Selected, *, by_qresync: bool) -> list[int]:
        """Note changed flags and what is gone; answers the UIDs that are not known, newest first."""
        state = self._state
        marks: dict[int, str] = {}
        gone: set[int] = set()
        if not (state.modseq and selected.modseq):
            if self._index.count(state):
                return self._learn_by_flags(selected)
        elif by_qresync:
            for line in selected.lines:
                gone |= self._index.within(state, read_vanished(line))
                copy = read_marks(line)
                if copy is not None:
                    marks[copy.uid] = copy.marks
        elif selected.exists:
            marks = {
                copy.uid: copy.marks for copy in fetch_marks(self._connection, b"1:*", since=state.modseq)
            }
        known = self._index.known(state, gone | marks.keys())
        new = {uid for uid in marks if uid not in known and self._is_due(uid, selected)}
        if not state.uidnext or self._index.count(state) - len(gone) + len(new) != selected.exists:
            known = self._index.uids(state)
            there = set(search_uids(self._connection, b"ALL")) if selected.exists else set[int]()
            if selected.exists and not there:
                raise Refused(
                    f"The server counts {selected.exists} messages and lists none; trying again later."
                )
            gone = known - there
            new = {uid for uid in there - known if self._is_due(uid, selected)}
        self._store(gone, {uid: text for uid, text in marks.items() if uid in known}, selected.modseq)
        return sorted(new, reverse=True)

    def _learn_by_flags(self, selected: Selected) -> list[int]:
        """Without MODSEQ: every flag of the folder, in one listing."""
        copies = fetch_marks(self._connection, b"1:*") if selected.exists else ()
        marks = {copy.uid: copy.marks for copy in copies}
        known = self._index.uids(self._state)
        self._store(known - marks.keys(), marks, selected.modseq)
        return sorted(
            (uid for uid in marks if uid not in known and self._is_due(uid, selected)), reverse=True
        )

    def _is_due(self, uid: int, selected: Selected) -> bool:
        """Not what came after the folder was selected: that is the next time's."""
        return not selected.uidnext or uid < selected.uidnext

    def _store(self, gone: Iterable[int], marks: dict[int, str], modseq: int) -> None:
        """Note what is gone and what is marked how.

        The folder's MODSEQ goes on only while every pass lists all UIDs; else not before the new messages are
        read, so that a pass that breaks off is told of them again.
        """
        state = self._state
        with self._index.writing():
            self._index.remove_copies(state, gone)
            for uid, text in marks.items():
                self._index.mark(state, uid, text)
            later = state if state.uidnext else replace(state, modseq=modseq)
            self._state = self._index.advance(state, later)

    def _read_new(self, uids: Sequence[int]) -> None:
        """Read messages that are not known, newest first.

        One that the server fails to give is left out, and asked for again later.
        """
        left = set(uids)
        try:
            self._read(uids, left)
        except Refused:
            for uid in sorted(left, reverse=True)[:ONE_BY_ONE]:
                with suppress(Refused):
                    self._read([uid], left)
        self.left_out += len(left)

    def _read(self, uids: Sequence[int], left: set[int]) -> None:
        batch: list[Fetched] = []
        cut: list[Fetched] = []
        try:
            for fetched in fetch_heads(self._connection, uids):
                (cut if fetched.is_cut and not fetched.head.has_attachments else batch).append(fetched)
                if len(batch) >= STORED:
                    self._add(batch, left)
                    batch = []
        finally:
            self._add(batch, left)
        attached = fetch_attached(self._connection, [fetched.uid for fetched in cut])
        self._add([_with_attachment(fetched, fetched.uid in attached) for fetched in cut], left)

    def _add(self, batch: list[Fetched], left: set[int]) -> None:
        if not batch:
            return
        batch.sort(key=lambda fetched: -fetched.uid)
        with self._index.writing():
            self._index.add_copies(self._state, [(uid, marks, head) for uid, marks, head, _ in batch])
            self._state = self._index.advance(self._state, self._state)
        left.difference_update(fetched.uid for fetched in batch)

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


def _with_attachment(fetched: Fetched, attached: bool) -> Fetched:
    return fetched._replace(head=fetched.head._replace(has_attachments=attached))
