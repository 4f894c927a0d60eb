"""Questions about one exact call, and their answers. Entries: `Approvals`, `ApprovalStore`.

```
open ─▶ granted ─▶ used
  ├───▶ refused
  └───▶ expired   (from granted too)
```
Mail servers and the agent's gate share these rules: a question is answered once by the user, and an approval lets
exactly that call through, once and in time. `ApprovalStore` applies them to any table of questions. `Approvals` is
the servers' store: a small SQLite file readable only by its owner, shared by all servers and the agent, and answered
by `gaia email review` or a server's own page. The gate's questions are in the agent's ledger.
"""

from __future__ import annotations

import errno
import json
import sqlite3
import time
import uuid
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias, get_args

from gaia_email_registry.calls import ToolCall, canonical
from gaia_email_registry.errors import BadArgument, NeedsApproval, ProviderError
from gaia_email_registry.origin import RequestOrigin, origin_from_text
from gaia_email_registry.small_database import SmallDatabase

OPEN_S = 24 * 3600.0
"""Seconds that a question without its own expiry waits for an answer."""

GRANTED_S = 15 * 60.0
"""Seconds after an approval during which the call may be made, and during which a refusal is remembered."""

SKEW_S = 60.0
"""Seconds the clock may go backwards before a question counts as expired, because its age is unknown."""

MAX_OPEN = 100
"""Maximum number of questions that one server may have open per account.

Further ones are refused, so that no caller can fill the disk or push out earlier questions.
"""

MAX_SHOWN = 700_000
"""Maximum characters stored of the shown text; the rest is counted below them."""

ApprovalState = Literal["open", "granted", "refused", "used", "expired"]

ApprovalDecision = Literal["granted", "refused"]

_STATES: Mapping[str, ApprovalState] = {state: state for state in get_args(ApprovalState)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRequest:
    """A question to the user: one exact call, and what is shown of it.

    Attributes:
        call: Digest of the call; for a server's call, also of the server's name.
        shown_digest: Digest of everything the answer covers, beyond what fits into `shown`; empty if `fields` has it.
        server: The program that asks, for example `gaia-imap-mcp`; empty for the agent's gate.
        shown: A server's question as text. Like `fields`, it contains untrusted text that interfaces escape.
        fields: The gate's question by the fields of `gaia_email.policy.question.CallQuestion`.
        arguments: The gate's call, to be made after an approval; a server's client repeats its call instead.
        run_id: The run that makes the call itself after an approval.
        expires_at: Epoch seconds until which the question and an approval are valid; None for `OPEN_S` and
            `GRANTED_S`.
    """

    call: str
    account: str
    tool: str
    origin: RequestOrigin
    shown_digest: str = ""
    server: str = ""
    shown: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    run_id: str | None = None
    expires_at: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A question and its outcome; `answered_by` is the interface. Times are epoch seconds."""

    approval_id: str
    asked: ApprovalRequest
    state: ApprovalState
    created_at: float
    answered_at: float | None = None
    answered_by: str | None = None
    used_at: float | None = None

    @property
    def expires_at(self) -> float:
        """The time until which it may be answered."""
        return self.created_at + OPEN_S if self.asked.expires_at is None else self.asked.expires_at

    @property
    def call(self) -> ToolCall:
        """The gate's call that the question is about.

        Raises:
            BadArgument: The stored call was altered.
        """
        asked = self.asked
        call = ToolCall.from_parts(asked.account, asked.tool, asked.arguments, asked.fields.get("risk"))
        if call.fingerprint != asked.call:
            raise BadArgument("The call that was to be confirmed is not as it was kept; ask for it again.")
        return call

    def is_over(self, now: float) -> bool:
        """Return True if it has expired, or its age is unknown because the clock was set back."""
        since, until = self.created_at, self.expires_at
        if self.asked.expires_at is None and self.answered_at is not None:
            since, until = self.answered_at, self.answered_at + GRANTED_S
        return now >= until or since > now + SKEW_S


class StatementResult(Protocol):
    """The result of a statement."""

    def fetchall(self) -> Sequence[Any]:
        """Return the rows."""
        ...


Execute: TypeAlias = Callable[[str, Mapping[str, object]], StatementResult]
"""Executes one SQL statement with named parameters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalTable:
    """A table of questions, with its columns by field."""

    name: str
    columns: Mapping[str, str]


class ApprovalStore:
    """The questions of one table, and all rules about them.

    Each change is one transaction and returns True if it took place: if two programs answer or use a question, only
    the first succeeds.

    Args:
        table: The table.
        transaction: Opens a transaction; True for one that may write.
        clock: Returns epoch seconds.
    """

    def __init__(
        self,
        table: ApprovalTable,
        transaction: Callable[[bool], AbstractContextManager[Execute]],
        clock: Callable[[], float],
    ) -> None:
        self._table = table
        self._transaction = transaction
        self._clock = clock

    def put(self, asked: ApprovalRequest, *, approval_id: str) -> Approval:
        """Store a new question, regardless of others that wait."""
        with self._transaction(True) as execute:
            return self._put(execute, asked, approval_id)

    def ask(self, asked: ApprovalRequest) -> Approval:
        """Ask on behalf of a caller that repeats its calls: an open question for the same call and text is reused.

        Raises:
            NeedsApproval: `MAX_OPEN` questions are already waiting.
        """
        with self._transaction(True) as execute:
            now = self._clock()
            for one in self._find(execute, state="open", call=asked.call):
                if one.asked.shown_digest == asked.shown_digest and not one.is_over(now):
                    return one
                # The effect of the same call has changed, so the earlier question is obsolete.
                self._move(execute, one, "expired")
            waiting = self._find(execute, state="open", account=asked.account)
            if sum(one.asked.server == asked.server and not one.is_over(now) for one in waiting) >= MAX_OPEN:
                raise NeedsApproval(
                    f"{MAX_OPEN} questions of this server wait for the user already, so nothing was done and this one "
                    "is not kept. They answer in their Agent Inbox; call again after that."
                )
            return self._put(execute, asked, str(uuid.uuid4()))

    def waiting(self, *, run_id: str | None = None) -> list[Approval]:
        """Return the questions that wait for an answer (of one run), oldest first, without writing."""
        now = self._clock()
        with self._transaction(False) as execute:
            found = self._find(execute, state="open")
        return [one for one in found if not one.is_over(now) and run_id in (None, one.asked.run_id)]

    def get(self, approval_id: str) -> Approval | None:
        """Return the current state of a question, or None."""
        with self._transaction(False) as execute:
            return next(iter(self._find(execute, approval_id=approval_id)), None)

    def starting_with(self, beginning: str) -> list[Approval]:
        """Return up to three questions in any state whose ID has this prefix."""
        if not beginning or not all(char.isalnum() or char == "-" for char in beginning):
            return []
        with self._transaction(False) as execute:
            column = self._table.columns["approval_id"]
            return self._select(
                execute, f"{column} LIKE :beginning", {"beginning": f"{beginning}%"}, "LIMIT 3"
            )

    def of_run(self, run_id: str, call: str) -> Approval | None:
        """Return the newest unused question of a run about this call, or None."""
        with self._transaction(False) as execute:
            found = [one for one in self._find(execute, run_id=run_id, call=call) if one.state != "used"]
        return found[-1] if found else None

    def answer(self, approval_id: str, decision: ApprovalDecision, *, by: str) -> bool:
        """Answer an open question. Returns False if it was already answered or has expired."""
        with self._transaction(True) as execute:
            now = self._clock()
            found = self._find(execute, approval_id=approval_id, state="open")
            good = [one for one in found if not one.is_over(now)]
            return bool(good) and self._move(execute, good[0], decision, answered_at=now, answered_by=by)

    def take(self, call: str, shown_digest: str = "", *, approval_id: str = "") -> bool:
        """Use an approval of this call as it was shown, once and in time; if an ID is given, only that approval.

        Returns False if there is no such approval. Without a digest and an ID, there is none.
        """
        if not (shown_digest or approval_id):
            return False
        with self._transaction(True) as execute:
            now = self._clock()
            good = [
                one
                for one in self._find(execute, state="granted", call=call)
                if one.asked.shown_digest == shown_digest
                and approval_id in ("", one.approval_id)
                and not one.is_over(now)
            ]
            return bool(good) and self._move(
                execute, min(good, key=lambda one: one.answered_at or 0.0), "used", used_at=now
            )

    def find_refusal(self, call: str, shown_digest: str) -> Approval | None:
        """Return the newest refusal of this call as shown within the last `GRANTED_S`, or None."""
        found = [one for one in self._refusals(call) if one.asked.shown_digest == shown_digest]
        return max(found, key=lambda one: one.answered_at or 0.0, default=None)

    def said_no(self, call: str) -> bool:
        """Return True if this call, however it was shown, was refused within the last `GRANTED_S`."""
        return bool(self._refusals(call))

    def withdraw(self, call: str) -> None:
        """Close the questions about a call that no caller waits for any more, since an answer would be too late."""
        with self._transaction(True) as execute:
            for one in self._unfinished(execute, call=call):
                self._move(execute, one, "expired")

    def expire(self, *, everything: bool = False) -> list[str]:
        """Close expired questions, or all that are open or granted. Returns their IDs."""
        with self._transaction(True) as execute:
            return self._expire(execute, everything=everything)

    def _expire(self, execute: Execute, *, everything: bool = False) -> list[str]:
        now = self._clock()
        gone = [one for one in self._unfinished(execute) if everything or one.is_over(now)]
        return sorted(one.approval_id for one in gone if self._move(execute, one, "expired"))

    def _unfinished(self, execute: Execute, **values: object) -> list[Approval]:
        return [*self._find(execute, state="open", **values), *self._find(execute, state="granted", **values)]

    def _refusals(self, call: str) -> list[Approval]:
        since = self._clock() - GRANTED_S
        with self._transaction(False) as execute:
            found = self._find(execute, state="refused", call=call)
        return [one for one in found if one.answered_at is not None and one.answered_at >= since]

    def _put(self, execute: Execute, asked: ApprovalRequest, approval_id: str) -> Approval:
        values: dict[str, object] = {
            "approval_id": approval_id,
            "call": asked.call,
            "shown_digest": asked.shown_digest,
            "server": asked.server,
            "account": asked.account,
            "tool": asked.tool,
            "shown": _shortened(asked.shown),
            "fields": canonical(asked.fields),
            "arguments": canonical(asked.arguments),
            "state": "open",
            "created_at": float(self._clock()),
            "expires_at": asked.expires_at,
            "run_id": asked.run_id,
            "origin": asked.origin.to_text(),
        }
        columns = {name: column for name, column in self._table.columns.items() if name in values}
        execute(
            f"INSERT INTO {self._table.name} ({', '.join(columns.values())}) VALUES (:{', :'.join(columns)})",
            {name: values[name] for name in columns},
        )
        return next(iter(self._find(execute, approval_id=approval_id)))

    def _move(self, execute: Execute, one: Approval, state: ApprovalState, **values: object) -> bool:
        """Change a question's state if it is still in the state that was read."""
        columns = self._table.columns
        known = {name: value for name, value in values.items() if name in columns}
        also = "".join(f", {columns[name]} = :{name}" for name in known)
        changed = execute(
            f"UPDATE {self._table.name} SET {columns['state']} = :state{also}"
            f" WHERE {columns['approval_id']} = :approval_id AND {columns['state']} = :before"
            f" RETURNING {columns['approval_id']}",
            {"state": state, "approval_id": one.approval_id, "before": one.state, **known},
        )
        return bool(changed.fetchall())

    def _find(self, execute: Execute, **values: object) -> list[Approval]:
        """Return the questions with these field values, oldest first."""
        columns = self._table.columns
        where = " AND ".join(f"{columns[name]} = :{name}" for name in values)
        return self._select(execute, where, values)

    def _select(
        self, execute: Execute, where: str, values: Mapping[str, object], most: str = ""
    ) -> list[Approval]:
        columns = self._table.columns
        order = f"{columns['created_at']}, {columns['approval_id']}"
        rows = execute(
            f"SELECT {', '.join(columns.values())} FROM {self._table.name} WHERE {where} ORDER BY {order} {most}",
            values,
        ).fetchall()
        return [_approval(dict(zip(columns, row, strict=True))) for row in rows]


class AskerApprovals(ApprovalStore):
    """The questions that one asker puts to the gate.

    Attributes:
        origin: The asker and its interface, stored with every question.
        run_id: The run that makes the calls itself after an approval.
    """

    def __init__(
        self,
        table: ApprovalTable,
        transaction: Callable[[bool], AbstractContextManager[Execute]],
        clock: Callable[[], float],
        *,
        origin: RequestOrigin,
        run_id: str | None = None,
    ) -> None:
        super().__init__(table, transaction, clock)
        self.origin = origin
        self.run_id = run_id


def _approval(row: Mapping[str, Any]) -> Approval:
    return Approval(
        approval_id=row["approval_id"],
        asked=ApprovalRequest(
            call=row["call"],
            account=row["account"],
            tool=row["tool"],
            origin=origin_from_text(row["origin"]),
            shown_digest=row.get("shown_digest", ""),
            server=row.get("server", ""),
            shown=row.get("shown", ""),
            fields=_object(row.get("fields", "{}")),
            arguments=_object(row.get("arguments", "{}")),
            run_id=row.get("run_id"),
            expires_at=row.get("expires_at"),
        ),
        state=_STATES[row["state"]],
        created_at=row["created_at"],
        answered_at=row["answered_at"],
        answered_by=row["answered_by"],
        used_at=row.get("used_at"),
    )


def _object(text: str) -> dict[str, Any]:
    value: object = json.loads(text)
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def _shortened(shown: str) -> str:
    more = len(shown) - MAX_SHOWN
    return shown if more <= 0 else f"{shown[:MAX_SHOWN]}\n[{more:,} more characters]"


_COLUMNS = (
    "approval_id",
    "call",
    "shown_digest",
    "server",
    "account",
    "tool",
    "shown",
    "state",
    "created_at",
    "answered_at",
    "answered_by",
    "origin",
)
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
"""Columns missing in files of earlier versions."""


class Approvals(ApprovalStore):
    """The questions of all servers of this user. Every method raises `ProviderError` if the file cannot be used.

    Args:
        path: The file; None stores them in memory, for a server without a home directory.
        clock: Returns epoch seconds.
    """

    def __init__(self, path: Path | None, *, clock: Callable[[], float] = time.time) -> None:
        table = ApprovalTable(name="approvals", columns={name: name for name in _COLUMNS})
        super().__init__(table, self._in_file, clock)
        self._database = SmallDatabase(path, (_TABLE,), _ADDED)

    def close(self) -> None:
        """Discard questions stored in memory; a file stays."""
        self._database.close()

    @contextmanager
    def _in_file(self, write: bool) -> Generator[Execute, None, None]:
        """Open a transaction; one that may write first closes expired questions and deletes old ones."""
        database = self._database
        with _usable(), database.transaction(write=True) if write else database.reading() as db:
            if write:
                self._expire(db.execute)
                db.execute(
                    "DELETE FROM approvals WHERE state NOT IN ('open', 'granted') AND created_at < :before",
                    {"before": self._clock() - 2 * OPEN_S},
                )
            yield db.execute


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
    """Return the error for an unusable file; `code` is SQLite's primary result code."""
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
