"""What mail servers ask a person, kept where no model can answer it. Entry: `Approvals`.

A server that cannot ask through its client leaves its question here; `gaia email review`, or the page that the server
opens in the browser, answers it; then the same call passes once. One small SQLite file that only its owner may read,
shared by every server and by the agent: each change is one statement, so of two programs that answer or use a question
one comes first and the other is told so.
"""

from __future__ import annotations

import errno
import sqlite3
import time
import uuid
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from gaia_email_registry.errors import NeedsApproval, NotFound, ProviderError
from gaia_email_registry.origin import RequestOrigin, origin_from_text
from gaia_email_registry.small_database import SmallDatabase

OPEN_S = 24 * 3600.0
"""Seconds that a question waits for its answer."""

GRANTED_S = 15 * 60.0
"""Seconds that the call may be made in after a yes, and that a no is remembered for the same call."""

MAX_OPEN = 100
"""Questions of one server and account that wait at once. One more is refused: no caller can fill the disk, and none
that asks without end can push out what the user was asked before."""

MAX_SHOWN = 700_000
"""Characters kept of what was shown; the rest is counted below them."""

ApprovalState = Literal["open", "granted", "refused", "used", "expired"]

ApprovalDecision = Literal["granted", "refused"]

_STATES: Mapping[str, ApprovalState] = {state: state for state in get_args(ApprovalState)}

_TABLE = """
CREATE TABLE IF NOT EXISTS approvals (
    approval_id TEXT PRIMARY KEY,
    call TEXT NOT NULL,
    shown_digest TEXT NOT NULL,
    server TEXT NOT NULL,
    account TEXT NOT NULL,
    tool TEXT NOT NULL,
    shown TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at REAL NOT NULL,
    answered_at REAL,
    answered_by TEXT,
    origin TEXT NOT NULL DEFAULT ''
)
"""

_ADDED = {"approvals": {"origin": "TEXT NOT NULL DEFAULT ''"}}
"""Columns that files of an earlier version lack."""

_COLUMNS = (
    "approval_id, call, shown_digest, server, account, tool, shown, state, created_at, answered_at, answered_by, "
    "origin"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRequest:
    """What a server asks: one exact call, and what the person is shown of it.

    Attributes:
        call: Digest of server, tool, account and arguments.
        shown_digest: Digest of everything the answer is about, beyond what fits into `shown`.
        server: The program that asks, for example `gaia-imap-mcp`.
        shown: The question as text; it holds what strangers wrote, so an interface escapes it.
    """

    call: str
    shown_digest: str
    server: str
    account: str
    tool: str
    shown: str
    origin: RequestOrigin


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A question and what became of it. Times are epoch seconds."""

    approval_id: str
    asked: ApprovalRequest
    state: ApprovalState
    created_at: float
    answered_at: float | None
    answered_by: str | None


class Approvals:
    """The questions of all servers of this user. Every method raises `ProviderError` where the file cannot be used.

    Args:
        path: The file; None keeps them in memory, for a server that has no home.
        clock: Epoch seconds.
    """

    def __init__(self, path: Path | None, *, clock: Callable[[], float] = time.time) -> None:
        self._database = SmallDatabase(path, (_TABLE,), _ADDED)
        self._clock = clock

    def ask(self, asked: ApprovalRequest) -> Approval:
        """Put the question; one that waits already for the same call, shown the same, is that one.

        Raises:
            NeedsApproval: As many as may wait do.
        """
        with self._transaction(write=True) as db:
            now = self._expire(db)
            found = self._first(
                db, "call = ? AND shown_digest = ? AND state = 'open'", asked.call, asked.shown_digest
            )
            if found is not None:
                return found
            # What the same call would have done before is no question any more.
            db.execute(
                "UPDATE approvals SET state = 'expired' WHERE state = 'open' AND call = ?", (asked.call,)
            )
            open_now = db.execute(
                "SELECT COUNT(*) FROM approvals WHERE state = 'open' AND server = ? AND account = ?",
                (asked.server, asked.account),
            )
            if open_now.fetchone()[0] >= MAX_OPEN:
                raise NeedsApproval(
                    f"{MAX_OPEN} questions of this server wait for the user already, so nothing was done and this one "
                    "is not kept. They answer in their Agent Inbox; call again after that."
                )
            new = str(uuid.uuid4())
            db.execute(
                f"INSERT INTO approvals ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, 'open', ?, NULL, NULL, ?)",
                (
                    new,
                    asked.call,
                    asked.shown_digest,
                    asked.server,
                    asked.account,
                    asked.tool,
                    _shortened(asked.shown),
                    now,
                    asked.origin.to_text(),
                ),
            )
            made = self._first(db, "approval_id = ?", new)
        if made is None:
            raise NotFound("The question could not be kept; ask again.")
        return made

    def waiting(self) -> list[Approval]:
        """Those that wait for an answer, oldest first; nothing is written."""
        now = self._clock()
        with self._reading() as db:
            return self._all(
                db,
                "state = 'open' AND created_at BETWEEN ? AND ? ORDER BY created_at, rowid",
                now - OPEN_S,
                now + GRANTED_S,
            )

    def get(self, approval_id: str) -> Approval | None:
        """The question as it is now; None where there is none."""
        with self._transaction() as db:
            return self._first(db, "approval_id = ?", approval_id)

    def starting_with(self, beginning: str) -> list[Approval]:
        """Questions in any state whose id begins so; three at most."""
        if not beginning or not all(char.isalnum() or char == "-" for char in beginning):
            return []
        with self._reading() as db:
            return self._all(db, "approval_id LIKE ? ORDER BY created_at LIMIT 3", f"{beginning}%")

    def answer(self, approval_id: str, decision: ApprovalDecision, *, by: str) -> bool:
        """A person's answer to a question that waits; False when it was answered or has expired."""
        with self._transaction(write=True) as db:
            now = self._expire(db)
            changed = db.execute(
                "UPDATE approvals SET state = ?, answered_at = ?, answered_by = ?"
                " WHERE approval_id = ? AND state = 'open'",
                (decision, now, by, approval_id),
            )
            return changed.rowcount == 1

    def take(self, call: str, shown_digest: str) -> bool:
        """Use the yes that was given to that call as it was shown, once and in time."""
        with self._transaction(write=True) as db:
            self._expire(db)
            changed = db.execute(
                "UPDATE approvals SET state = 'used' WHERE approval_id = (SELECT approval_id FROM approvals"
                " WHERE call = ? AND shown_digest = ? AND state = 'granted' ORDER BY answered_at LIMIT 1)",
                (call, shown_digest),
            )
            return changed.rowcount == 1

    def refused(self, call: str, shown_digest: str) -> Approval | None:
        """The newest no to that call within the last `GRANTED_S`; None where nobody said no."""
        with self._transaction() as db:
            since = self._clock() - GRANTED_S
            return self._first(
                db,
                "call = ? AND shown_digest = ? AND state = 'refused' AND answered_at >= ? ORDER BY answered_at DESC",
                call,
                shown_digest,
                since,
            )

    def said_no(self, call: str) -> bool:
        """Whether somebody said no to that call, however it was shown, within the last `GRANTED_S`."""
        with self._transaction() as db:
            since = self._clock() - GRANTED_S
            return (
                self._first(db, "call = ? AND state = 'refused' AND answered_at >= ?", call, since)
                is not None
            )

    def withdraw(self, call: str) -> None:
        """Close the questions about a call that nobody waits for any more; an answer to one would come too late."""
        with self._transaction(write=True) as db:
            db.execute(
                "UPDATE approvals SET state = 'expired' WHERE call = ? AND state IN ('open', 'granted')",
                (call,),
            )

    def close(self) -> None:
        """Forget what is kept in memory; a file stays."""
        self._database.close()

    @contextmanager
    def _transaction(self, *, write: bool = False) -> Generator[sqlite3.Connection, None, None]:
        with _usable(), self._database.transaction(write=write) as db:
            yield db

    @contextmanager
    def _reading(self) -> Generator[sqlite3.Connection, None, None]:
        with _usable(), self._database.reading() as db:
            yield db

    def _expire(self, db: sqlite3.Connection) -> float:
        """Close what has run out, in either direction of a clock that was set; forget what ended long ago."""
        now = self._clock()
        db.execute(
            "UPDATE approvals SET state = 'expired' WHERE"
            " (state = 'open' AND (created_at < ? OR created_at > ?))"
            " OR (state = 'granted' AND (answered_at < ? OR answered_at > ?))",
            (now - OPEN_S, now + GRANTED_S, now - GRANTED_S, now + GRANTED_S),
        )
        db.execute(
            "DELETE FROM approvals WHERE state NOT IN ('open', 'granted') AND created_at < ?",
            (now - 2 * OPEN_S,),
        )
        return now

    def _first(self, db: sqlite3.Connection, where: str, *values: object) -> Approval | None:
        found = self._all(db, f"{where} LIMIT 1", *values)
        return found[0] if found else None

    @staticmethod
    def _all(db: sqlite3.Connection, where: str, *values: object) -> list[Approval]:
        rows = db.execute(f"SELECT {_COLUMNS} FROM approvals WHERE {where}", values)
        return [
            Approval(
                approval_id=row[0],
                asked=ApprovalRequest(
                    call=row[1],
                    shown_digest=row[2],
                    server=row[3],
                    account=row[4],
                    tool=row[5],
                    shown=row[6],
                    origin=origin_from_text(row[11]),
                ),
                state=_STATES[row[7]],
                created_at=row[8],
                answered_at=row[9],
                answered_by=row[10],
            )
            for row in rows
        ]


@contextmanager
def _usable() -> Generator[None, None, None]:
    try:
        yield
    except sqlite3.Error as error:
        raise _unusable(str(error), getattr(error, "sqlite_errorcode", 0) & 0xFF) from error
    except OSError as error:
        code = sqlite3.SQLITE_FULL if error.errno in (errno.ENOSPC, errno.EDQUOT) else 0
        raise _unusable(error.strerror or str(error), code) from error


def _unusable(reason: str, code: int) -> ProviderError:
    """The sentence for a file that cannot be used; `code` is SQLite's primary result code."""
    what = "The questions of mail servers cannot be used"
    match code:
        case sqlite3.SQLITE_FULL:
            return ProviderError(f"{what}: the disk is full.", hint="free some space, then do it again.")
        case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
            return ProviderError(
                f"{what}: {reason}.",
                hint="delete approvals.db in gaia's home, which holds nothing else; what still matters is asked again.",
            )
        case _:
            return ProviderError(
                f"{what}: {reason}.", hint="see whether you may write to approvals.db in gaia's home."
            )


def _shortened(shown: str) -> str:
    more = len(shown) - MAX_SHOWN
    return shown if more <= 0 else f"{shown[:MAX_SHOWN]}\n[{more:,} more characters]"
