"""Stores messages that are new to the index, many at a time. Entry: `Newcomers`."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from gaia_imap_mcp.index.conversations import Assigner
from gaia_imap_mcp.protocol.facts import MessageHead
from gaia_imap_mcp.protocol.labels_from_flags import LabelsAndFlags, labels_and_flags

_NOWHERE = LabelsAndFlags("", "")
_INSERT = (
    "INSERT INTO messages (key, id, visible, created, changed, moment, size, thread, subject, orphan, attached, "
    "labels, flags, facts, snippet) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


class Newcomers:
    """New messages to store within one transaction; `seq` is the number of the last event before."""

    def __init__(self, database: sqlite3.Connection, heads: Sequence[MessageHead], seq: int) -> None:
        self._database = database
        self._assigner = Assigner(database, heads, self.store)
        self._seq = seq
        self._key = int(database.execute("SELECT coalesce(max(key), 0) FROM messages").fetchone()[0])
        self._rows: list[tuple[object, ...]] = []

    def add(self, label: str, marks: str, head: MessageHead) -> int:
        """Add one of the messages, found with `marks` in a folder with that label; return its key."""
        found = labels_and_flags([(label, marks)])
        thread = self._assigner.assign(head)
        self._key += 1
        if found is not None:
            self._seq += 1
        labels, flags = found or _NOWHERE
        self._rows.append(
            (
                self._key,
                head.id,
                found is not None,
                self._seq,
                self._seq,
                head.instant,
                head.size,
                thread,
                head.subject,
                head.orphan,
                head.has_attachments,
                labels,
                flags,
                head.facts,
                head.snippet,
            )
        )
        return self._key

    def store(self) -> int:
        """Store the messages added since the last call; return the number of the last event."""
        self._database.executemany(_INSERT, self._rows)
        self._rows.clear()
        self._assigner.remember()
        return self._seq
