"""A mailbox's local copy, in a SQLite file of its own. Entry: `Replica`.

It contains rows, folders with their delta links, and a history of changes. The contract's cursors are positions in that
history, so they stay valid when Microsoft's links expire. If the file is lost, the mailbox is listed again.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Literal

from gaia_email_registry.paths import ensure_private_directory
from gaia_graph_mcp.folders import GraphFolder, GraphFolders
from gaia_graph_mcp.rows import ReplicaRow

EventKind = Literal["added", "changed", "removed"]

HISTORY = 10_000
"""Number of events kept; an older cursor starts over."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS folders (id TEXT PRIMARY KEY, name TEXT NOT NULL, parent TEXT NOT NULL,
    well_known TEXT NOT NULL, link TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS messages (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
    folder TEXT NOT NULL, conversation TEXT NOT NULL, moment REAL NOT NULL, created INTEGER NOT NULL,
    row TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS by_moment ON messages (moment DESC, number DESC);
CREATE INDEX IF NOT EXISTS by_conversation ON messages (conversation);
CREATE INDEX IF NOT EXISTS by_folder ON messages (folder);
CREATE TABLE IF NOT EXISTS events (position INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS origins (id TEXT NOT NULL, place TEXT NOT NULL, folder TEXT NOT NULL,
    PRIMARY KEY (id, place)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS drafts (draft TEXT PRIMARY KEY, message TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS labels (name TEXT PRIMARY KEY, shown TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS snoozed (id TEXT PRIMARY KEY, until TEXT NOT NULL) WITHOUT ROWID;
"""


class Replica:
    """One account's copy; safe for several processes, each with its own connection.

    Args:
        path: The file; `:memory:` for a private copy in memory.
    """

    def __init__(self, path: Path | str) -> None:
        if isinstance(path, Path):
            ensure_private_directory(path.parent)
            path.touch(mode=0o600)
        self._database = sqlite3.connect(path, timeout=30, isolation_level=None)
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.executescript(_SCHEMA)
        self._database.execute("INSERT OR IGNORE INTO meta VALUES ('name', ?)", (token_hex(8),))
        self.name = self.meta("name")

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    @contextmanager
    def writing(self) -> Generator[None, None, None]:
        """Run the block in one transaction, with other processes locked out."""
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    def meta(self, key: str) -> str:
        """Return a stored value; empty if there is none."""
        found = self._database.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return found[0] if found else ""

    def set_meta(self, key: str, value: str) -> None:
        """Store a value under a name."""
        self._database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    @property
    def end(self) -> int:
        """Position of the latest event."""
        found = self._database.execute("SELECT seq FROM sqlite_sequence WHERE name = 'events'").fetchone()
        return int(found[0]) if found else 0

    @property
    def oldest(self) -> int:
        """Position from which the history is complete."""
        found = self._database.execute("SELECT min(position) FROM events").fetchone()
        return int(found[0]) - 1 if found and found[0] is not None else self.end

    def folders(self) -> GraphFolders:
        """Return the folders as last reported."""
        found = self._database.execute("SELECT id, name, parent, well_known FROM folders")
        return GraphFolders(
            GraphFolder(id=id_, name=name, parent=parent, well_known=known)
            for id_, name, parent, known in found
        )

    def links(self) -> dict[str, str]:
        """Return the delta links by folder; empty for a folder that has not been listed."""
        return dict(self._database.execute("SELECT id, link FROM folders").fetchall())

    def put_folder(self, folder: GraphFolder) -> None:
        """Store a folder; its link stays."""
        self._database.execute(
            "INSERT INTO folders VALUES (?, ?, ?, ?, '') ON CONFLICT (id) DO UPDATE SET "
            "name = excluded.name, parent = excluded.parent, well_known = excluded.well_known",
            (folder.id, folder.name, folder.parent, folder.well_known),
        )

    def set_link(self, folder_id: str, link: str) -> None:
        """Store the delta link reached in a folder."""
        self._database.execute("UPDATE folders SET link = ? WHERE id = ?", (link, folder_id))

    def remove_folder(self, folder_id: str) -> None:
        """Remove a folder and its messages."""
        for id_ in self.ids_in(folder_id):
            self.remove(id_)
        self._database.execute("DELETE FROM folders WHERE id = ?", (folder_id,))

    def ids_in(self, folder_id: str) -> list[str]:
        """Return the ids of a folder's messages."""
        found = self._database.execute("SELECT id FROM messages WHERE folder = ?", (folder_id,))
        return [id_ for (id_,) in found]

    def get(self, id_: str) -> ReplicaRow | None:
        """Return a message by its id, which is case-sensitive."""
        found = self._database.execute("SELECT row FROM messages WHERE id = ?", (id_,)).fetchone()
        return ReplicaRow.load(found[0]) if found else None

    def conversation(self, conversation: str) -> list[str]:
        """Return the message ids of a conversation, oldest first."""
        found = self._database.execute(
            "SELECT id FROM messages WHERE conversation = ? ORDER BY moment, number", (conversation,)
        )
        return [id_ for (id_,) in found]

    def newest_first(
        self, after: tuple[float, int] | None = None, until: int | None = None
    ) -> Iterator[tuple[int, ReplicaRow]]:
        """Yield numbers and rows after a place in the order, of the messages that existed at position `until`."""
        instant, number = after or (float("inf"), 0)
        found = self._database.execute(
            "SELECT number, row FROM messages WHERE (moment < ? OR (moment = ? AND number < ?)) "
            "AND created <= ? ORDER BY moment DESC, number DESC",
            (instant, instant, number, self.end if until is None else until),
        )
        return ((number, ReplicaRow.load(text)) for number, text in found)

    def put(self, row: ReplicaRow) -> None:
        """Add or change a message; log an event if its labels change."""
        before = self.get(row.id)
        if before is None:
            created = self._note("added", row.id)
            self._database.execute(
                "INSERT INTO messages (id, folder, conversation, moment, created, row) VALUES (?, ?, ?, ?, ?, ?)",
                (row.id, row.folder, row.conversation, row.when, created, row.dump()),
            )
            return
        if before == row:
            return
        self._database.execute(
            "UPDATE messages SET folder = ?, conversation = ?, moment = ?, row = ? WHERE id = ?",
            (row.folder, row.conversation, row.when, row.dump(), row.id),
        )
        if before.marks != row.marks:
            self._note("changed", row.id)

    def remove(self, id_: str) -> None:
        """Remove a message; harmless if there is none."""
        if self._database.execute("DELETE FROM messages WHERE id = ?", (id_,)).rowcount:
            self._note("removed", id_)
            for table in ("origins", "snoozed"):
                self._database.execute(f"DELETE FROM {table} WHERE id = ?", (id_,))

    def since(self, position: int, limit: int) -> tuple[dict[str, EventKind], int]:
        """Return the first event of up to `limit` messages after a position, and the position reached."""
        first: dict[str, EventKind] = {}
        reached = position
        found = self._database.execute(
            "SELECT position, kind, id FROM events WHERE position > ? ORDER BY position", (position,)
        )
        for at, kind, id_ in found:
            if id_ not in first:
                if len(first) >= limit:
                    return first, reached
                first[id_] = kind
            reached = at
        return first, max(reached, position)

    def trim(self) -> None:
        """Remove the oldest events if there are too many."""
        self._database.execute("DELETE FROM events WHERE position <= ?", (self.end - HISTORY,))

    def origin(self, id_: str, location: str) -> str | None:
        """Return the folder a message was in before it moved to Trash or Spam."""
        found = self._database.execute(
            "SELECT folder FROM origins WHERE id = ? AND place = ?", (id_, location)
        ).fetchone()
        return found[0] if found else None

    def set_origin(self, id_: str, location: str, folder: str | None) -> None:
        """Remember the previous folder of a message; None forgets it."""
        if folder is None:
            self._database.execute("DELETE FROM origins WHERE id = ? AND place = ?", (id_, location))
        else:
            self._database.execute("INSERT OR REPLACE INTO origins VALUES (?, ?, ?)", (id_, location, folder))

    def drafts(self) -> dict[str, str]:
        """Return the current message ids of replaced drafts, by draft id."""
        return dict(self._database.execute("SELECT draft, message FROM drafts").fetchall())

    def set_draft(self, draft: str, message: str | None) -> None:
        """Store the current message of a draft; None forgets it."""
        if message is None:
            self._database.execute("DELETE FROM drafts WHERE draft = ?", (draft,))
        else:
            self._database.execute("INSERT OR REPLACE INTO drafts VALUES (?, ?)", (draft, message))

    def own_labels(self) -> dict[str, dict[str, str]]:
        """Return the labels created here, with their visibility."""
        found = self._database.execute("SELECT name, shown FROM labels")
        return {name: json.loads(shown) for name, shown in found}

    def set_label(self, name: str, shown: Mapping[str, str] | None) -> None:
        """Store a label; None removes it."""
        if shown is None:
            self._database.execute("DELETE FROM labels WHERE name = ?", (name,))
        else:
            self._database.execute(
                "INSERT OR REPLACE INTO labels VALUES (?, ?)", (name, json.dumps(dict(shown)))
            )

    def categories(self) -> set[str]:
        """Return all categories that messages have."""
        found = self._database.execute(
            "SELECT DISTINCT value FROM messages, json_each(messages.row, '$.categories')"
        )
        return {name for (name,) in found}

    def snooze_times(self) -> dict[str, str]:
        """Return the times until which messages are snoozed, by id."""
        return dict(self._database.execute("SELECT id, until FROM snoozed").fetchall())

    def set_snoozed(self, ids: Iterable[str], until: str | None) -> None:
        """Store the time until which messages are snoozed; None ends it."""
        for id_ in ids:
            if until is None:
                self._database.execute("DELETE FROM snoozed WHERE id = ?", (id_,))
            else:
                self._database.execute("INSERT OR REPLACE INTO snoozed VALUES (?, ?)", (id_, until))

    def _note(self, kind: EventKind, id_: str) -> int:
        return (
            self._database.execute("INSERT INTO events (kind, id) VALUES (?, ?)", (kind, id_)).lastrowid or 0
        )
