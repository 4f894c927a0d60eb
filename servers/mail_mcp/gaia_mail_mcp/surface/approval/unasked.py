"""Records what servers did to an account without approval, and the drafts they created. Entry: `Unasked`.

A small SQLite file next to the questions, shared by every server of this user and kept across restarts. It contains
digests of IDs and no text from mail. Messages are reserved before they are moved, in one transaction, so that
concurrent programs cannot exceed the limit together.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from gaia_email_registry.accounts import addresses_in
from gaia_email_registry.contract.tools import ASKS_ABOVE
from gaia_email_registry.small_database import SmallDatabase

WINDOW_S = 600.0
"""Seconds over which messages are counted."""

MAX_DRAFTS = 1_000
"""Maximum number of drafts remembered per account; the oldest is dropped first and then counts as foreign."""

_TABLES = (
    "CREATE TABLE IF NOT EXISTS moved (account TEXT NOT NULL, message TEXT NOT NULL, at REAL NOT NULL,"
    " PRIMARY KEY (account, message)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS drafts (number INTEGER PRIMARY KEY, account TEXT NOT NULL, draft TEXT NOT NULL,"
    " UNIQUE (account, draft))",
)

_LOG = logging.getLogger("gaia_mail_mcp")


class Unasked:
    """The counts and drafts of all accounts.

    If the file cannot be used, everything needs approval.

    Args:
        path: The file; None stores them in memory, for a server without a home directory.
        clock: Returns epoch seconds. Times in the future, after the clock was set back, count as now.
    """

    def __init__(self, path: Path | None, *, clock: Callable[[], float] = time.time) -> None:
        self._database = SmallDatabase(path, _TABLES)
        self._clock = clock

    def reserve(self, account: str, ids: Iterable[str]) -> bool:
        """Count messages as moved now, unless this would exceed `ASKS_ABOVE` within `WINDOW_S`.

        A message counts once. If the result is False, nothing is counted.
        """
        who = _owner(account)
        wanted = [_digest(message_id) for message_id in dict.fromkeys(ids)]
        if not wanted:
            return True
        try:
            with self._database.transaction(write=True) as db:
                now = self._clock()
                db.execute("UPDATE moved SET at = ? WHERE at > ?", (now, now))
                db.execute("DELETE FROM moved WHERE at <= ?", (now - WINDOW_S,))
                rows = db.execute("SELECT message FROM moved WHERE account = ?", (who,))
                if len({*wanted, *(str(row[0]) for row in rows)}) > ASKS_ABOVE:
                    return False
                db.executemany(
                    "INSERT INTO moved VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at",
                    [(who, message, now) for message in wanted],
                )
                return True
        except (sqlite3.Error, OSError) as error:
            _unusable(error)
            return False

    def made_draft(self, account: str, draft_id: str) -> None:
        """Remember a draft created by one of our servers."""
        who = _owner(account)
        try:
            with self._database.transaction(write=True) as db:
                db.execute(
                    "INSERT OR REPLACE INTO drafts (account, draft) VALUES (?, ?)", (who, _digest(draft_id))
                )
                db.execute(
                    "DELETE FROM drafts WHERE account = ? AND number NOT IN (SELECT number FROM drafts"
                    " WHERE account = ? ORDER BY number DESC LIMIT ?)",
                    (who, who, MAX_DRAFTS),
                )
        except (sqlite3.Error, OSError) as error:
            _unusable(error)

    def is_own_draft(self, account: str, draft_id: str) -> bool:
        """Return True if one of our servers is known to have created the draft."""
        try:
            with self._database.transaction(write=True) as db:
                found = db.execute(
                    "SELECT 1 FROM drafts WHERE account = ? AND draft = ?",
                    (_owner(account), _digest(draft_id)),
                )
                return found.fetchone() is not None
        except (sqlite3.Error, OSError) as error:
            _unusable(error)
            return False

    def close(self) -> None:
        """Discard what is stored in memory; a file stays."""
        self._database.close()


def _owner(account: str) -> str:
    """Return the key of an account, which is the same for every server that reaches it."""
    return _digest(next(iter(addresses_in(account)), account).casefold())


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _unusable(error: Exception) -> None:
    _LOG.warning("what was done without asking cannot be counted, so everything is asked: %s", error)
