"""The index of an account: its messages, their copies in folders, and a sequence of events. Entry: `ImapIndex`.

A message is its content: copies in several folders are one message with several places. Each event gets the next
number of one sequence. A message has the numbers of its addition (`created`) and of its last change (`changed`); a
removed one leaves a row in `removed`. `changes.py` derives from these what is new.

All writes happen inside `writing`, one transaction. Between transactions another process may write; its changes to a
folder show in the folder's `version`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from gaia_email_registry.errors import ProviderError
from gaia_imap_mcp.index import conversations
from gaia_imap_mcp.index.bulk_insert import Newcomers
from gaia_imap_mcp.index.many import select_many
from gaia_imap_mcp.index.schema import open_database
from gaia_imap_mcp.protocol.facts import MessageHead, thread_number
from gaia_imap_mcp.protocol.labels_from_flags import labels_and_flags
from gaia_mail.header_facts import unpack

KEPT_REMOVALS = 200_000
"""Maximum number of remembered removals; an older cursor leads to a reset."""


_STATE = "id, name, label, uidvalidity, uidnext, modseq, exist, unseen, version"

ORIGINS, UNTIL = "origin", "snoozed"
"""Kinds of notes: former folders of a message in Trash or Spam (JSON), and the return of a snoozed one."""


class IndexOutdated(Exception):
    """Another process has updated the folder meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderState:
    """The known state of a folder; see the table `folders` in `schema.py`."""

    id: int
    name: str
    label: str
    uidvalidity: int = 0
    uidnext: int = 0
    modseq: int = 0
    exist: int = 0
    unseen: int = 0
    version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageCopy:
    """A copy of a message on the server; `marks` are flags, keywords and, on Gmail, labels prefixed with `+`."""

    folder: str
    label: str
    uidvalidity: int
    uid: int
    marks: tuple[str, ...]


class ImapIndex:
    """An index, opened by `open_index` and used by one thread at a time."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database
        self.epoch = str(self._meta("epoch"))
        self._touched: set[int] = set()
        self._seq = 0

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return int(self._meta("seq"))

    @property
    def horizon(self) -> int:
        """The number up to which removals are forgotten."""
        return int(self._meta("horizon"))

    @property
    def is_kept(self) -> bool:
        """True if the index is a file, so that notes outlive this program."""
        return bool(self.database.execute("PRAGMA database_list").fetchone()[2])

    def close(self) -> None:
        """Close the file; safe to call twice."""
        self.database.close()

    @contextmanager
    def writing(self) -> Generator[None]:
        """Run one transaction; at its end, update the messages whose places have changed."""
        database = self.database
        database.execute("BEGIN IMMEDIATE")
        self._touched.clear()
        self._seq = self.seq
        before = self._seq
        try:
            yield
            for key in sorted(self._touched):
                self._settle(key)
            if self._seq != before:
                database.execute("UPDATE meta SET value = ? WHERE key = 'seq'", (self._seq,))
            database.execute("COMMIT")
        except BaseException:
            if database.in_transaction:
                database.execute("ROLLBACK")
            raise

    def folders(self) -> list[FolderState]:
        """Return every followed folder."""
        rows = self.database.execute(f"SELECT {_STATE} FROM folders ORDER BY id")
        return [_folder(row) for row in rows]

    @property
    def commits(self) -> int:
        """A number that changes as soon as any program updates a folder."""
        row = self.database.execute("SELECT coalesce(sum(version), 0), count(*) FROM folders").fetchone()
        return int(row[0]) * 100_003 + int(row[1])

    def folder(self, name: str) -> FolderState | None:
        """Return the folder with this name."""
        row = self.database.execute(f"SELECT {_STATE} FROM folders WHERE name = ?", (name,)).fetchone()
        return _folder(row) if row is not None else None

    def add_folder(self, name: str, label: str) -> None:
        """Start to follow a folder, or give a followed one a new label, which changes its messages."""
        known = self.folder(name)
        if known is None:
            self.database.execute(
                "INSERT INTO folders (name, label, uidvalidity, uidnext, modseq, exist, unseen, version) "
                "VALUES (?, ?, 0, 0, 0, 0, 0, 0)",
                (name, label),
            )
        elif known.label != label:
            self.database.execute("UPDATE folders SET label = ? WHERE id = ?", (label, known.id))
            self._touch("SELECT message FROM places WHERE folder = ?", (known.id,))

    def drop_folder(self, folder: FolderState) -> None:
        """Forget a folder that is gone and the copies in it."""
        self.empty_folder(folder)
        self.database.execute("DELETE FROM folders WHERE id = ?", (folder.id,))

    def empty_folder(self, folder: FolderState) -> None:
        """Forget the copies in a folder whose UIDs are no longer valid."""
        self._touch("SELECT message FROM places WHERE folder = ?", (folder.id,))
        self.database.execute("DELETE FROM places WHERE folder = ?", (folder.id,))

    def advance(self, folder: FolderState, later: FolderState) -> FolderState:
        """Store the new state of a folder; return `later` with its new version.

        Raises:
            IndexOutdated: Another process has changed the folder's row since `folder` was read.
        """
        later = replace(later, version=folder.version + 1)
        done = self.database.execute(
            "UPDATE folders SET uidvalidity = ?, uidnext = ?, modseq = ?, exist = ?, unseen = ?, version = ? "
            "WHERE id = ? AND version = ?",
            (
                later.uidvalidity,
                later.uidnext,
                later.modseq,
                later.exist,
                later.unseen,
                later.version,
                folder.id,
                folder.version,
            ),
        )
        if done.rowcount != 1:
            raise IndexOutdated
        return later

    def uids(self, folder: FolderState) -> set[int]:
        """Return the UIDs of the known copies in a folder."""
        rows = self.database.execute("SELECT uid FROM places WHERE folder = ?", (folder.id,))
        return {row[0] for row in rows}

    def find_known(self, folder: FolderState, uids: Iterable[int]) -> set[int]:
        """Return those of `uids` that are known copies in a folder."""
        query = "SELECT 1 FROM places WHERE folder = ? AND uid = ?"
        find = self.database.execute
        return {uid for uid in uids if find(query, (folder.id, uid)).fetchone() is not None}

    def within(self, folder: FolderState, runs: Iterable[tuple[int, int]]) -> set[int]:
        """Return the UIDs of known copies in a folder that are in any of these runs (first, last)."""
        query = "SELECT uid FROM places WHERE folder = ? AND uid BETWEEN ? AND ?"
        find = self.database.execute
        return {row[0] for first, last in runs for row in find(query, (folder.id, first, last))}

    @property
    def newest_key(self) -> int:
        """Number of messages ever read."""
        return int(self.database.execute("SELECT coalesce(max(key), 0) FROM messages").fetchone()[0])

    def count(self, folder: FolderState) -> int:
        """Return the number of known copies in a folder."""
        row = self.database.execute("SELECT count(*) FROM places WHERE folder = ?", (folder.id,)).fetchone()
        return int(row[0])

    def add_copies(self, folder: FolderState, copies: Sequence[tuple[int, str, MessageHead]]) -> None:
        """Add copies (UID, marks, head) that were found; their messages may be new or known from other folders.

        Copies that are already known are updated.
        """
        heads = [head for _, _, head in copies]
        rows = select_many(
            self.database, "SELECT id, key FROM messages WHERE id IN ({})", [head.id for head in heads]
        )
        keys: dict[str, int] = dict(rows)
        newcomers = Newcomers(self.database, [head for head in heads if head.id not in keys], self._seq)
        message_copies: list[tuple[int, int, int, str]] = []
        for uid, marks, head in copies:
            key = keys.get(head.id)
            if key is None:
                key = keys[head.id] = newcomers.add(folder.label, marks, head)
            else:
                self._touched.add(key)
            message_copies.append((folder.id, uid, key, marks))
        self._seq = newcomers.store()
        self.database.executemany(
            "INSERT INTO places VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET marks = excluded.marks, "
            "message = excluded.message",
            message_copies,
        )

    def add_copies_of_known(self, folder: FolderState, uid: int, marks: str, message_id: str) -> bool:
        """Add a copy of a known message (moved or copied by us); return False if the message is unknown."""
        row = self.database.execute("SELECT key FROM messages WHERE id = ?", (message_id,)).fetchone()
        if row is None:
            return False
        self.database.execute(
            "INSERT OR REPLACE INTO places VALUES (?, ?, ?, ?)", (folder.id, uid, row[0], marks)
        )
        self._touched.add(row[0])
        return True

    def find_copy(self, folder: FolderState, uid: int) -> tuple[str, str] | None:
        """Return message id and marks of a copy; None if it is unknown."""
        row: tuple[str, str] | None = self.database.execute(
            "SELECT m.id, p.marks FROM places p JOIN messages m ON m.key = p.message WHERE p.folder = ? AND p.uid = ?",
            (folder.id, uid),
        ).fetchone()
        return row

    def mark(self, folder: FolderState, uid: int, marks: str) -> bool:
        """Set the marks of a copy; return False if the copy is unknown."""
        row = self.database.execute(
            "SELECT message, marks FROM places WHERE folder = ? AND uid = ?", (folder.id, uid)
        ).fetchone()
        if row is None:
            return False
        if row[1] != marks:
            self.database.execute(
                "UPDATE places SET marks = ? WHERE folder = ? AND uid = ?", (marks, folder.id, uid)
            )
            self._touched.add(row[0])
        return True

    def remove_copies(self, folder: FolderState, uids: Iterable[int]) -> None:
        """Remove copies that are gone; unknown ones are ignored."""
        for uid in uids:
            row = self.database.execute(
                "DELETE FROM places WHERE folder = ? AND uid = ? RETURNING message", (folder.id, uid)
            ).fetchone()
            if row is not None:
                self._touched.add(row[0])

    @property
    def has_homeless(self) -> bool:
        """True if a message has lost its last copy: it was moved elsewhere or is gone."""
        return self.database.execute("SELECT 1 FROM homeless LIMIT 1").fetchone() is not None

    def remove_homeless(self) -> None:
        """Remove messages that have no copy in any folder."""
        rows = self.database.execute(
            "SELECT m.key, m.id, m.created, m.visible FROM homeless JOIN messages m ON m.key = homeless.message"
        ).fetchall()
        for key, id_, created, visible in rows:
            if visible:
                self._seq += 1
                self.database.execute("INSERT INTO removed VALUES (?, ?, ?)", (self._seq, id_, created))
            if self._copies(key):
                self.database.execute("UPDATE messages SET visible = 0 WHERE key = ?", (key,))
            else:
                self.database.execute("DELETE FROM messages WHERE key = ?", (key,))
        self.database.execute("DELETE FROM homeless")
        self._forget_removals()

    def join_thread(self, message_id: str, thread_id: str) -> None:
        """Put a message into a conversation regardless of its header; unknown messages are ignored."""
        row = self.database.execute("SELECT key, facts FROM messages WHERE id = ?", (message_id,)).fetchone()
        thread = thread_number(thread_id)
        if row is not None and thread is not None:
            conversations.join(self.database, row[0], unpack(row[1]).message_id, thread)

    def note(self, kind: str, key: str, value: str | None) -> None:
        """Store a note, such as where a message came from or how a label is shown; None deletes it."""
        if value is None:
            self.database.execute("DELETE FROM notes WHERE kind = ? AND key = ?", (kind, key))
        else:
            self.database.execute("INSERT OR REPLACE INTO notes VALUES (?, ?, ?)", (kind, key, value))

    def notes(self, kind: str) -> dict[str, str]:
        """Return all notes of a kind."""
        return dict(self.database.execute("SELECT key, value FROM notes WHERE kind = ?", (kind,)).fetchall())

    def _meta(self, key: str) -> str | int:
        found: str | int = self.database.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0]
        return found

    def _touch(self, query: str, arguments: tuple[int, ...]) -> None:
        self._touched.update(row[0] for row in self.database.execute(query, arguments))

    def _copies(self, key: int) -> list[tuple[str, str]]:
        return self.database.execute(
            "SELECT f.label, p.marks FROM places p JOIN folders f ON f.id = p.folder WHERE p.message = ?",
            (key,),
        ).fetchall()

    def _settle(self, key: int) -> None:
        """Update a message from its places."""
        row = self.database.execute(
            "SELECT visible, labels, flags FROM messages WHERE key = ?", (key,)
        ).fetchone()
        if row is None:
            return
        found = labels_and_flags(self._copies(key))
        if found is None:
            self.database.execute("INSERT OR IGNORE INTO homeless VALUES (?)", (key,))
            return
        self.database.execute("DELETE FROM homeless WHERE message = ?", (key,))
        visible, labels, flags = row
        if not visible:
            self._seq += 1
            self.database.execute(
                "UPDATE messages SET visible = 1, created = ?, changed = ?, labels = ?, flags = ? WHERE key = ?",
                (self._seq, self._seq, *found, key),
            )
        elif (labels, flags) != found:
            self._seq += 1
            self.database.execute(
                "UPDATE messages SET changed = ?, labels = ?, flags = ? WHERE key = ?",
                (self._seq, *found, key),
            )

    def _forget_removals(self) -> None:
        count = self.database.execute("SELECT count(*) FROM removed").fetchone()[0]
        if count <= KEPT_REMOVALS:
            return
        surplus = count - KEPT_REMOVALS // 2
        last = self.database.execute(
            "SELECT seq FROM removed ORDER BY seq LIMIT 1 OFFSET ?", (surplus,)
        ).fetchone()[0]
        self.database.execute("DELETE FROM removed WHERE seq <= ?", (last,))
        self.database.execute("UPDATE meta SET value = ? WHERE key = 'horizon'", (last,))


def open_index(path: Path | None, owner: str) -> tuple[ImapIndex, str]:
    """Return the index in a file, or in memory for None, and a warning if the previous file could not be used.

    If the file cannot be written (full disk, missing permission), the index is kept in memory.
    """
    try:
        database, note = open_database(path, owner)
    except ProviderError as error:
        database, _ = open_database(None, owner)
        note = f"{error.message} It is kept in memory, and read from the server again at the next start."
    return ImapIndex(database), note


def _folder(row: Sequence[str | int]) -> FolderState:
    id_, name, label, uidvalidity, uidnext, modseq, exist, unseen, version = row
    return FolderState(
        id=int(id_),
        name=str(name),
        label=str(label),
        uidvalidity=int(uidvalidity),
        uidnext=int(uidnext),
        modseq=int(modseq),
        exist=int(exist),
        unseen=int(unseen),
        version=int(version),
    )
