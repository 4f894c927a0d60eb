"""Items that wait for the user in the Agent Inbox, as rows without business rules. Entry: `PendingStore`.

`gaia_email.actions.pending` creates them.

```
open ─▶ approved | rejected | expired | void
rejected ─▶ open, until it expires
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from sqlalchemy import ColumnElement, Connection, func, insert, or_, select, update

from gaia_email.ledger.action_log import new_id
from gaia_email.ledger.statements import chunks, from_row, object_of, objects_of
from gaia_email.ledger.tables import PENDING
from gaia_email.ledger.text import Json, storable, to_json
from gaia_email_registry.origin import RequestOrigin

PendingType = Literal["notify", "question", "review"]
PendingState = Literal["open", "approved", "rejected", "expired", "void"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewItem:
    """An item to show or ask. `proposal` is what approving it does; it never expires if `expires_at` is None."""

    type: PendingType
    account_id: str
    proposal: Mapping[str, object]
    origin: RequestOrigin
    why: str = ""
    message_id: str | None = None
    thread_id: str | None = None
    run_id: str | None = None
    session_id: str | None = None
    cohort: str | None = None
    confidence: float | None = None
    expires_at: float | None = None
    item_id: str = field(default_factory=new_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingItem:
    """A stored item; `answer` contains edits or the reason for a rejection, `answered_by` the interface."""

    item_id: str
    seq: int
    created_at: float
    expires_at: float | None
    type: PendingType
    state: PendingState
    account_id: str
    message_id: str | None
    thread_id: str | None
    run_id: str | None
    session_id: str | None
    cohort: str | None
    confidence: float | None
    why: str
    proposal: dict[str, Json]
    answered_at: float | None
    answered_by: str | None
    answer: dict[str, Json]
    origin: RequestOrigin


class PendingStore:
    """Store of items. Methods take a `Ledger.write()` connection, or `Ledger.read()` if they only read."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock

    def add(self, tx: Connection, items: Sequence[NewItem]) -> list[PendingItem]:
        """Add items, in this order."""
        if not items:
            return []
        seq = tx.execute(select(func.coalesce(func.max(PENDING.c.seq), 0))).scalar_one()
        now = float(self._clock())
        rows = [_row(item, seq + number, now) for number, item in enumerate(items, 1)]
        tx.execute(insert(PENDING), rows)
        return [from_row(PendingItem, row) for row in rows]

    def get(self, tx: Connection, item_id: str) -> PendingItem | None:
        """Return the item with this ID in any state, or None."""
        return object_of(tx, PendingItem, select(PENDING).where(PENDING.c.item_id == item_id))

    def select(
        self,
        tx: Connection,
        *,
        state: PendingState = "open",
        type: PendingType | None = None,
        cohort: str | None = None,
        account_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
    ) -> list[PendingItem]:
        """Return items in this state, oldest first; expired open items are excluded."""
        table = PENDING.c
        query = select(PENDING).where(table.state == state)
        if state == "open":
            query = query.where(or_(table.expires_at.is_(None), table.expires_at > float(self._clock())))
        chosen = (
            (table.type, type),
            (table.cohort, cohort),
            (table.account_id, account_id),
            (table.run_id, run_id),
        )
        query = query.where(*(column == value for column, value in chosen if value is not None))
        return objects_of(tx, PendingItem, query.order_by(table.seq).limit(limit))

    def answer(
        self,
        tx: Connection,
        item_id: str,
        state: Literal["approved", "rejected"],
        *,
        by: str,
        answer: Mapping[str, object] | None = None,
    ) -> bool:
        """Answer an open item. Returns False if it was already answered or has expired."""
        table = PENDING.c
        now = float(self._clock())
        query = update(PENDING).where(
            table.item_id == item_id,
            table.state == "open",
            or_(table.expires_at.is_(None), table.expires_at > now),
        )
        values = {"state": state, "answered_at": now, "answered_by": by, "answer": to_json(answer or {})}
        return tx.execute(query.values(**values)).rowcount == 1

    def reopen(self, tx: Connection, item_id: str) -> bool:
        """Undo a rejection. Returns False if the item was not rejected or has expired."""
        table = PENDING.c
        query = update(PENDING).where(table.item_id == item_id, *self._rejected())
        values = {"state": "open", "answered_at": None, "answered_by": None, "answer": "{}"}
        return tx.execute(query.values(**values)).rowcount == 1

    def end_rejected(self, tx: Connection) -> None:
        """Expire all rejected items, so that no rejection can be undone any more."""
        tx.execute(update(PENDING).where(*self._rejected()).values(expires_at=float(self._clock())))

    def _rejected(self) -> tuple[ColumnElement[bool], ...]:
        table = PENDING.c
        ahead = or_(table.expires_at.is_(None), table.expires_at > float(self._clock()))
        return table.state == "rejected", ahead

    def expire(self, tx: Connection) -> list[str]:
        """Close the open items that have expired. Returns their IDs."""
        table = PENDING.c
        query = update(PENDING).where(table.state == "open", table.expires_at <= float(self._clock()))
        return sorted(tx.execute(query.values(state="expired").returning(table.item_id)).scalars())

    def void(
        self, tx: Connection, *, run_id: str | None = None, item_ids: Iterable[str] | None = None
    ) -> list[str]:
        """Void open items (of a run, or those named), so that no earlier proposal is carried out. Returns their IDs."""
        table = PENDING.c
        query = update(PENDING).where(table.state == "open")
        if run_id is not None:
            query = query.where(table.run_id == run_id)
        groups = [None] if item_ids is None else chunks(item_ids)
        gone: list[str] = []
        for group in groups:
            some = query if group is None else query.where(table.item_id.in_(group))
            gone += tx.execute(some.values(state="void").returning(table.item_id)).scalars()
        return sorted(gone)

    def on_threads(self, tx: Connection, account_id: str, thread_ids: Iterable[str]) -> list[PendingItem]:
        """Return open items about these threads, including expired ones."""
        table = PENDING.c
        query = select(PENDING).where(table.state == "open", table.account_id == account_id)
        return [
            item
            for some in chunks(thread_ids)
            for item in objects_of(tx, PendingItem, query.where(table.thread_id.in_(some)))
        ]

    def newest_about(self, tx: Connection, account_id: str, thread_id: str) -> PendingItem | None:
        """Return the last item about a thread in any state, or None."""
        table = PENDING.c
        query = select(PENDING).where(table.account_id == account_id, table.thread_id == thread_id)
        return object_of(tx, PendingItem, query.order_by(table.seq.desc()).limit(1))

    def starting_with(self, tx: Connection, prefix: str) -> list[PendingItem]:
        """Return up to three items whose ID has this prefix, in any state."""
        query = select(PENDING).where(PENDING.c.item_id.startswith(prefix, autoescape=True))
        return objects_of(tx, PendingItem, query.order_by(PENDING.c.seq).limit(3))

    def count(self, tx: Connection) -> dict[PendingType, int]:
        """Count the open items by type, without expired ones."""
        table = PENDING.c
        query = select(table.type, func.count()).where(
            table.state == "open",
            or_(table.expires_at.is_(None), table.expires_at > float(self._clock())),
        )
        return {row[0]: row[1] for row in tx.execute(query.group_by(table.type))}


def _row(item: NewItem, seq: int, now: float) -> dict[str, object]:
    return {
        "item_id": item.item_id,
        "seq": seq,
        "created_at": now,
        "expires_at": item.expires_at,
        "type": item.type,
        "state": "open",
        "account_id": item.account_id,
        "message_id": item.message_id,
        "thread_id": item.thread_id,
        "run_id": item.run_id,
        "session_id": item.session_id,
        "cohort": item.cohort,
        "confidence": item.confidence,
        "why": storable(item.why),
        "proposal": to_json(item.proposal),
        "answered_at": None,
        "answered_by": None,
        "answer": "{}",
        "origin": item.origin.to_text(),
    }
