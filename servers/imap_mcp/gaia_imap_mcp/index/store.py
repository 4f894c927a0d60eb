"""The index of an account: which messages there are, where their copies lie, and what happened. Entry: `ImapIndex`.

A message is its content: copies in several folders are one message with several places. Everything that happens
gets the next number of one sequence. A message knows the numbers of its being added (`created`) and of its last
change (`changed`); a removed one leaves a row in `removed`. `changes.py` tells from these what is new.

All writing happens inside `writing`, one transaction. Between transactions another process may write; what it
did to a folder shows in the folder's `version`.
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
from gaia_imap_mcp.index.many import chosen
from gaia_imap_mcp.index.schema import open_database
from gaia_imap_mcp.protocol.facts import MessageHead, thread_number
from gaia_imap_mcp.protocol.labels_from_flags import labels_and_flags
from gaia_mail.header_facts import unpack

KEPT_REMOVALS = 200_000
"""Removed messages that are remembered; a cursor from before them is answered with a reset."""


_STATE = "id, name, label, uidvalidity, uidnext, modseq, exist, unseen, version"

ORIGINS, UNTIL = "origin", "snoozed"
"""Kinds of notes on messages: the folders one in Trash or Spam was in (JSON), until when one sleeps (`snoozed.py`)."""


class IndexOutdated(Exception):
    """Another process has brought the folder up to date meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderState:
    """How far a folder is known; see the table `folders` in `schema.py`."""

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
    """A copy of a message on the server; `marks` are flags and keywords, on Gmail labels with `+` before."""

    folder: str
    label: str
    uidvalidity: int
    uid: int
    marks: tuple[str, ...]


class ImapIndex:
    """Opened by `open_index`; used by one thread at a time."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database
        self.epoch = str(self._meta("epoch"))
        self._touched: set[int] = set()
        self._seq = 0

    @property
    def seq(self) -> int:
        """The number of the last thing that happened."""
        return int(self._meta("seq"))

    @property
    def horizon(self) -> int:
        """Removals up to here are forgotten."""
        return int(self._meta("horizon"))

    @property
    def is_kept(self) -> bool:
        """Whether it is a file, so that notes outlive this program."""
        return bool(self.database.execute("PRAGMA database_list").fetchone()[2])

    def close(self) -> None:
        """Close the file; harmless when called twice."""
        self.database.close()

    @contextmanager
    def writing(self) -> Generator[None]:
        """One transaction: all of it or nothing. Messages whose places changed are settled at its end."""
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
        """Every folder that is followed."""
        rows = self.database.execute(f"SELECT {_STATE} FROM folders ORDER BY id")
        return [_folder(row) for row in rows]

    @property
    def commits(self) -> int:
        """A number that is another one as soon as any program has learned something of a folder."""
        row = self.database.execute("SELECT coalesce(sum(version), 0), count(*) FROM folders").fetchone()
        return int(row[0]) * 100_003 + int(row[1])

    def folder(self, name: str) -> FolderState | None:
        """A folder by its name."""
        row = self.database.execute(f"SELECT {_STATE} FROM folders WHERE name = ?", (name,)).fetchone()
        return _folder(row) if row is not None else None

    def add_folder(self, name: str, label: str) -> None:
        """Begin to follow a folder; with another label than before its messages change."""
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
        """Forget a folder that is gone, and the copies in it."""
        self.empty_folder(folder)
        self.database.execute("DELETE FROM folders WHERE id = ?", (folder.id,))

    def empty_folder(self, folder: FolderState) -> None:
        """Forget the copies in a folder whose UIDs mean nothing any more."""
        self._touch("SELECT message FROM places WHERE folder = ?", (folder.id,))
        self.database.execute("DELETE FROM places WHERE folder = ?", (folder.id,))

    def advance(self, folder: FolderState, later: FolderState) -> FolderState:
        """Note how far a folder is known now; answers `later` with its new version.

        Raises:
            IndexOutdated: Somebody else has changed the folder's row since `folder` was read.
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
        """The UIDs of the known copies in a folder."""
        rows = self.database.execute("SELECT uid FROM places WHERE folder = ?", (folder.id,))
        return {row[0] for row in rows}

    def known(self, folder: FolderState, uids: Iterable[int]) -> set[int]:
        """Those of `uids` that are known copies in a folder."""
        query = "SELECT 1 FROM places WHERE folder = ? AND uid = ?"
        find = self.database.execute
        return {uid for uid in uids if find(query, (folder.id, uid)).fetchone() is not None}

    def within(self, folder: FolderState, runs: Iterable[tuple[int, int]]) -> set[int]:
        """UIDs of known copies in a folder between any of these first and last ones."""
        query = "SELECT uid FROM places WHERE folder = ? AND uid BETWEEN ? AND ?"
        find = self.database.execute
        return {row[0] for first, last in runs for row in find(query, (folder.id, first, last))}

    @property
    def newest_key(self) -> int:
        """How many messages were ever read."""
        return int(self.database.execute("SELECT coalesce(max(key), 0) FROM messages").fetchone()[0])

    def count(self, folder: FolderState) -> int:
        """How many copies are known in a folder."""
        row = self.database.execute("SELECT count(*) FROM places WHERE folder = ?", (folder.id,)).fetchone()
        return int(row[0])

    def add_copies(self, folder: FolderState, copies: Sequence[tuple[int, str, MessageHead]]) -> None:
        """Copies (UID, marks, head) were found; their messages are new, or known from elsewhere.

        Harmless for copies that are known.
        """
        heads = [head for _, _, head in copies]
        rows = chosen(
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
        """As `add_copies` for a message known already (moved or copied by us); False when it is not known."""
        row = self.database.execute("SELECT key FROM messages WHERE id = ?", (message_id,)).fetchone()
        if row is None:
            return False
        self.database.execute(
            "INSERT OR REPLACE INTO places VALUES (?, ?, ?, ?)", (folder.id, uid, row[0], marks)
        )
        self._touched.add(row[0])
        return True

    def held(self, folder: FolderState, uid: int) -> tuple[str, str] | None:
        """Message id and marks of a copy; None when it is not known."""
        row: tuple[str, str] | None = self.database.execute(
            "SELECT m.id, p.marks FROM places p JOIN messages m ON m.key = p.message WHERE p.folder = ? AND p.uid = ?",
            (folder.id, uid),
        ).fetchone()
        return row

    def mark(self, folder: FolderState, uid: int, marks: str) -> bool:
        """A copy has these marks now; False when the copy is not known."""
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
        """Copies are gone; those that were never known are passed over."""
        for uid in uids:
            row = self.database.execute(
                "DELETE FROM places WHERE folder = ? AND uid = ? RETURNING message", (folder.id, uid)
            ).fetchone()
            if row is not None:
                self._touched.add(row[0])

    @property
    def has_homeless(self) -> bool:
        """Whether there are messages whose last copy went: moved elsewhere, or gone for good."""
        return self.database.execute("SELECT 1 FROM homeless LIMIT 1").fetchone() is not None

    def remove_homeless(self) -> None:
        """No folder has them: they are gone for good."""
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
        """Put a message into a conversation whatever its header says; unknown ones are passed over."""
        row = self.database.execute("SELECT key, facts FROM messages WHERE id = ?", (message_id,)).fetchone()
        thread = thread_number(thread_id)
        if row is not None and thread is not None:
            conversations.join(self.database, row[0], unpack(row[1]).message_id, thread)

    def note(self, kind: str, key: str, value: str | None) -> None:
        """Keep a small fact beside the messages (where one came from, how a label is shown); None forgets it."""
        if value is None:
            self.database.execute("DELETE FROM notes WHERE kind = ? AND key = ?", (kind, key))
        else:
            self.database.execute("INSERT OR REPLACE INTO notes VALUES (?, ?, ?)", (kind, key, value))

    def notes(self, kind: str) -> dict[str, str]:
        """Everything noted of a kind."""
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
        """Bring a message in line with its places."""
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
    """The index in a file, or in memory for None; and a sentence when the file is another one than before.

    A file that cannot be written (full disk, no right to) is replaced by memory.
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
