"""The event log: append-only and totally ordered; each event is sealed with the previous one. Entry point: `EventLog`.

An event's hash is the SHA-256 of the canonical JSON of its row, including the previous hash. `verify` therefore
detects if an event was changed, removed or inserted without the program, unless everything after it and the head were
rewritten as well: the chain reveals damage and clumsy tampering, but is not a signature. Old events can only be
removed by `prune`, which leaves a sealed checkpoint. The order is that of the event numbers; times are the clock's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, or_, select
from sqlalchemy.exc import DBAPIError

from gaia_email.document import Count, Document
from gaia_email.ledger.failures import damage_error
from gaia_email.ledger.noticing import notify_written
from gaia_email.ledger.statements import first_of, objects_of, rows_of, upsert
from gaia_email.ledger.tables import CHECKPOINTS, EVENT_HEAD, EVENTS
from gaia_email.ledger.text import Json, storable, storable_or_none, to_json

GENESIS = "0" * 64
"""The hash before the first event."""

PAGE = 1000
"""Number of events read at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLedgerEvent:
    """An event to be logged. `kind` is dotted (`action.applied`), `actor` is `agent`, `user` or an interface.

    `sender` and `subject` are those of the message concerned; events never contain a body.
    """

    kind: str
    actor: str = "agent"
    account_id: str | None = None
    message_id: str | None = None
    run_id: str | None = None
    session_id: str | None = None
    action_id: str | None = None
    sender: str | None = None
    subject: str | None = None
    payload: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEvent:
    """A stored event with its number and time."""

    seq: int
    at: float
    kind: str
    actor: str
    account_id: str | None
    message_id: str | None
    run_id: str | None
    session_id: str | None
    action_id: str | None
    sender: str | None
    subject: str | None
    payload: dict[str, Json]
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFilter:
    """Conditions on events, all of which must match.

    Attributes:
        kinds: Accepted kinds, each of which may end in `.*`; empty for all.
        account_id: Only events of this account.
        run_id: Only events of this run.
    """

    kinds: tuple[str, ...] = ()
    account_id: str | None = None
    run_id: str | None = None

    def matches(self, event: LedgerEvent) -> bool:
        """Return True if the event matches."""
        return (
            (not self.kinds or any(_is_of_kind(event.kind, kind) for kind in self.kinds))
            and self.account_id in (None, event.account_id)
            and self.run_id in (None, event.run_id)
        )

    def conditions(self) -> list[ColumnElement[bool]]:
        """Return the filter as conditions of a query."""
        found: list[ColumnElement[bool]] = []
        if self.kinds:
            found.append(or_(*(_has_kind(kind) for kind in self.kinds)))
        if self.account_id is not None:
            found.append(EVENTS.c.account_id == self.account_id)
        if self.run_id is not None:
            found.append(EVENTS.c.run_id == self.run_id)
        return found


ANY_EVENT = EventFilter()


@dataclass(frozen=True, slots=True, kw_only=True)
class LogPage:
    """A part of the log, in order.

    Attributes:
        events: The matching events, oldest first.
        reached: Number of the last event that was examined.
        last: Number of the log's last event; 0 if it is empty.
        pruned: Number of the last event removed by pruning; 0 if none was.
    """

    events: list[LedgerEvent]
    reached: int
    last: int
    pruned: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LogCut:
    """Number and hash of the last event that pruning removes."""

    seq: int
    hash: str


class ChainBreak(Document, frozen=True, kw_only=True):
    """The first event or checkpoint that differs from what was sealed: its number and the reason."""

    seq: Count
    reason: str


_COLUMNS = [EVENTS.c[name] for name in LedgerEvent.__dataclass_fields__]
_SEALED = (
    "seq",
    "at",
    "kind",
    "actor",
    "account_id",
    "message_id",
    "run_id",
    "session_id",
    "action_id",
    "sender",
    "subject",
    "payload",
    "previous",
)
_TEXTS = ("account_id", "message_id", "run_id", "session_id", "action_id", "sender", "subject")


class EventLog:
    """The event log. Methods take a `Ledger.write()` connection, or `Ledger.read()` if they only read."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock

    def append(self, tx: Connection, *events: NewLedgerEvent) -> list[int]:
        """Append events in this order, in the caller's transaction. Returns their numbers."""
        if not events:
            return []
        seq, previous = _head(tx)
        now = float(self._clock())
        rows: list[dict[str, object]] = []
        for event in events:
            seq += 1
            row: dict[str, object] = {"seq": seq, "at": now, "kind": storable(event.kind)}
            row["actor"] = storable(event.actor)
            row.update((name, storable_or_none(getattr(event, name))) for name in _TEXTS)
            row["payload"] = to_json(event.payload)
            row["previous"] = previous
            row["hash"] = previous = _seal(row)
            rows.append(row)
        tx.execute(insert(EVENTS), rows)
        upsert(tx, EVENT_HEAD, [{"one": 1, "seq": seq, "hash": previous}])
        notify_written(tx)
        return list(range(seq - len(rows) + 1, seq + 1))

    def since(
        self,
        tx: Connection,
        seq: int = 0,
        *,
        kind: str | None = None,
        run_id: str | None = None,
        limit: int = PAGE,
    ) -> list[LedgerEvent]:
        """Return at most `limit` events after number `seq`, oldest first; `kind` may end in `.*`."""
        wanted = EventFilter(kinds=() if kind is None else (kind,), run_id=run_id)
        query = select(*_COLUMNS).where(EVENTS.c.seq > seq, *wanted.conditions()).order_by(EVENTS.c.seq)
        return objects_of(tx, LedgerEvent, query.limit(limit))

    def page(
        self, tx: Connection, seq: int, wanted: EventFilter = ANY_EVENT, *, limit: int = PAGE
    ) -> LogPage:
        """Return a page like `since`, with how far it reaches and what was pruned.

        On a server, each query may see a later state, so the order of the three queries matters: the end of the log
        is read before its events, and pruned events after them.
        """
        last = self.last(tx)
        query = select(*_COLUMNS).where(EVENTS.c.seq > seq, EVENTS.c.seq <= last, *wanted.conditions())
        events = objects_of(tx, LedgerEvent, query.order_by(EVENTS.c.seq).limit(limit))
        pruned = tx.execute(select(func.coalesce(func.max(CHECKPOINTS.c.seq), 0))).scalar_one()
        reached = events[-1].seq if len(events) == limit else last
        return LogPage(events=events, reached=reached, last=last, pruned=pruned)

    def newest(self, tx: Connection, wanted: EventFilter = ANY_EVENT, *, limit: int) -> list[LedgerEvent]:
        """Return the newest matching events, oldest first."""
        query = select(*_COLUMNS).where(*wanted.conditions()).order_by(EVENTS.c.seq.desc()).limit(limit)
        return objects_of(tx, LedgerEvent, query)[::-1]

    def last(self, tx: Connection) -> int:
        """Return the number of the last event; 0 if the log is empty."""
        return _head(tx)[0]

    def count(self, tx: Connection) -> int:
        """Count the stored events."""
        return tx.execute(select(func.count()).select_from(EVENTS)).scalar_one()

    def verify(self, tx: Connection) -> ChainBreak | None:
        """Verify the whole chain from the last checkpoint. Returns the first break, or None."""
        broken, seq, previous = _verify_checkpoints(tx)
        if broken is not None:
            return broken
        for row in _walk(tx):
            if isinstance(row, ChainBreak):
                return row
            broken = _check(row, seq, previous)
            if broken is not None:
                return broken
            seq, previous = row["seq"], row["hash"]
        if _head(tx) != (seq, previous):
            return ChainBreak(
                seq=seq + 1, reason="events are missing at the end, or the note of the last one was changed"
            )
        return None

    def check_end(self, tx: Connection, place: str) -> None:
        """Check only that the last event exists and matches its seal.

        Raises:
            LedgerDamaged: It does not.
        """
        seq, hash = _head(tx)
        row = first_of(tx, select(EVENTS).where(EVENTS.c.seq == seq)) if seq else None
        if seq and (row is None or row["hash"] != hash or _seal(row) != hash):
            raise damage_error(place, f"event {seq}, the last one, is missing or changed")

    def cut(self, tx: Connection, before: float) -> LogCut | None:
        """Return where `prune` would cut the log, or None if it would remove nothing."""
        kept = select(func.min(EVENTS.c.seq)).where(EVENTS.c.at >= before).scalar_subquery()
        end = select(func.max(EVENTS.c.seq) + 1).scalar_subquery()
        gone = EVENTS.c.seq < func.coalesce(kept, end)
        query = select(EVENTS.c.seq, EVENTS.c.hash).where(gone).order_by(EVENTS.c.seq.desc()).limit(1)
        last = tx.execute(query).first()
        return None if last is None else LogCut(seq=last.seq, hash=last.hash)

    def prune(self, tx: Connection, before: float) -> int:
        """Delete the oldest events, up to the first one at or after `before`. Returns how many.

        A sealed checkpoint and a `log.pruned` event record this, so that the chain can still be verified.
        """
        cut = self.cut(tx, before)
        if cut is None:
            return 0
        count = tx.execute(delete(EVENTS).where(EVENTS.c.seq <= cut.seq)).rowcount
        seal = _checkpoint(tx, seq=cut.seq, hash=cut.hash, pruned=count, at=float(self._clock()))
        self.append(
            tx, NewLedgerEvent(kind="log.pruned", payload={"events": count, "up_to": cut.seq, "seal": seal})
        )
        return count


def _is_of_kind(kind: str, wanted: str) -> bool:
    return kind.startswith(wanted[:-1]) if wanted.endswith(".*") else kind == wanted


def _has_kind(wanted: str) -> ColumnElement[bool]:
    column = EVENTS.c.kind
    return column.startswith(wanted[:-1], autoescape=True) if wanted.endswith(".*") else column == wanted


def _head(tx: Connection) -> tuple[int, str]:
    row = tx.execute(select(EVENT_HEAD.c.seq, EVENT_HEAD.c.hash)).first()
    return (0, GENESIS) if row is None else (row.seq, row.hash)


def _seal(row: Mapping[str, object]) -> str:
    return hashlib.sha256(to_json([row[name] for name in _SEALED]).encode()).hexdigest()


def _walk(tx: Connection) -> Iterator[dict[str, Any] | ChainBreak]:
    """Yield every event in order; if one cannot be decoded, end with a `ChainBreak` with its number."""
    seq, size = 0, PAGE
    while True:
        query = select(EVENTS).where(EVENTS.c.seq > seq).order_by(EVENTS.c.seq).limit(size)
        try:
            page = rows_of(tx, query)
        except (DBAPIError, UnicodeDecodeError):
            if size == 1:
                yield ChainBreak(seq=seq + 1, reason="it cannot be read")
                return
            size = 1
            continue
        yield from page
        if len(page) < size:
            return
        seq = page[-1]["seq"]


def _check(row: Mapping[str, Any], seq: int, previous: str) -> ChainBreak | None:
    if row["seq"] != seq + 1:
        return ChainBreak(seq=seq + 1, reason="it is missing")
    if row["previous"] != previous:
        return ChainBreak(seq=seq + 1, reason="it does not follow the one before")
    try:
        sealed = _seal(row)
    except (TypeError, ValueError):
        sealed = ""
    return None if row["hash"] == sealed else ChainBreak(seq=seq + 1, reason="it is not as it was written")


def _checkpoint(tx: Connection, *, seq: int, hash: str, pruned: int, at: float) -> str:
    before = tx.execute(select(CHECKPOINTS.c.seal).order_by(CHECKPOINTS.c.seq.desc()).limit(1)).scalar()
    row: dict[str, object] = {
        "seq": seq,
        "hash": hash,
        "at": at,
        "pruned": pruned,
        "previous": before or GENESIS,
    }
    seal = hashlib.sha256(to_json(row).encode()).hexdigest()
    tx.execute(insert(CHECKPOINTS), {**row, "seal": seal})
    return seal


def _verify_checkpoints(tx: Connection) -> tuple[ChainBreak | None, int, str]:
    """Return the first break in the checkpoints, and the number and hash after which the chain starts."""
    seal, seq, start = GENESIS, 0, GENESIS
    for row in rows_of(tx, select(CHECKPOINTS).order_by(CHECKPOINTS.c.seq)):
        kept = row.pop("seal")
        if row["previous"] != seal or hashlib.sha256(to_json(row).encode()).hexdigest() != kept:
            return (
                ChainBreak(seq=int(row["seq"]), reason="the checkpoint is not as it was written"),
                seq,
                start,
            )
        seal, seq, start = str(kept), int(row["seq"]), str(row["hash"])
    return None, seq, start
