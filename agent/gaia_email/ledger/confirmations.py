"""Questions put to the user before one exact call: rows only, the gate makes the rules. Entry: `ConfirmationStore`.

```
open ─▶ granted ─▶ used
  ├───▶ refused
  └───▶ expired   (from granted too)
```
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from sqlalchemy import ColumnElement, Connection, and_, insert, not_, select, update

from gaia_email.ledger.action_log import new_id
from gaia_email.ledger.statements import from_row, object_of, objects_of
from gaia_email.ledger.tables import CONFIRMATIONS
from gaia_email.ledger.text import Json, to_json
from gaia_email_registry.origin import RequestOrigin

SKEW_S = 60.0
"""Seconds a clock may go backwards before a question counts as run out: its time cannot be told any more."""

ConfirmationState = Literal["open", "granted", "refused", "expired", "used"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewConfirmation:
    """A question about one call. `shown` is what the user sees; `expires_at` is epoch seconds."""

    fingerprint: str
    account_id: str
    tool: str
    arguments: Mapping[str, object]
    shown: Mapping[str, object]
    expires_at: float
    origin: RequestOrigin
    run_id: str | None = None
    session_id: str | None = None
    confirmation_id: str = field(default_factory=new_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredConfirmation:
    """A question as it is kept; `answered_by` is the interface it was answered in."""

    confirmation_id: str
    created_at: float
    expires_at: float
    fingerprint: str
    account_id: str
    tool: str
    arguments: dict[str, Json]
    shown: dict[str, Json]
    state: ConfirmationState
    run_id: str | None
    session_id: str | None
    answered_at: float | None
    answered_by: str | None
    used_at: float | None
    origin: RequestOrigin


class ConfirmationStore:
    """All methods take the connection of `Ledger.write()`, or of `Ledger.read()` where they only read.

    Each change answers whether it took place: of two programs that grant or use the same one, one is told False.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock

    def add(self, tx: Connection, new: NewConfirmation) -> StoredConfirmation:
        """Put the question."""
        row: dict[str, object] = {
            "confirmation_id": new.confirmation_id,
            "created_at": float(self._clock()),
            "expires_at": new.expires_at,
            "fingerprint": new.fingerprint,
            "account_id": new.account_id,
            "tool": new.tool,
            "arguments": to_json(new.arguments),
            "shown": to_json(new.shown),
            "state": "open",
            "run_id": new.run_id,
            "session_id": new.session_id,
            "answered_at": None,
            "answered_by": None,
            "used_at": None,
            "origin": new.origin.to_text(),
        }
        tx.execute(insert(CONFIRMATIONS), row)
        return from_row(StoredConfirmation, row)

    def get(self, tx: Connection, confirmation_id: str) -> StoredConfirmation | None:
        """The question of that id."""
        query = select(CONFIRMATIONS).where(CONFIRMATIONS.c.confirmation_id == confirmation_id)
        return object_of(tx, StoredConfirmation, query)

    def starting_with(self, tx: Connection, prefix: str) -> list[StoredConfirmation]:
        """Questions whose id begins so, in any state; three at most."""
        if not prefix:
            return []
        beginning = CONFIRMATIONS.c.confirmation_id.startswith(prefix, autoescape=True)
        query = select(CONFIRMATIONS).where(beginning).order_by(CONFIRMATIONS.c.created_at).limit(3)
        return objects_of(tx, StoredConfirmation, query)

    def open(self, tx: Connection, *, run_id: str | None = None) -> list[StoredConfirmation]:
        """Questions that wait for an answer and have not expired, oldest first."""
        table = CONFIRMATIONS.c
        query = select(CONFIRMATIONS).where(table.state == "open", *self._in_time())
        if run_id is not None:
            query = query.where(table.run_id == run_id)
        ordered = query.order_by(table.created_at, table.confirmation_id)
        return objects_of(tx, StoredConfirmation, ordered)

    def of_run(self, tx: Connection, run_id: str, fingerprint: str) -> StoredConfirmation | None:
        """The newest question that a run asked about that call and that no call has used up."""
        table = CONFIRMATIONS.c
        query = select(CONFIRMATIONS).where(
            table.run_id == run_id, table.fingerprint == fingerprint, table.state != "used"
        )
        return object_of(tx, StoredConfirmation, query.order_by(table.created_at.desc()).limit(1))

    def answer(
        self, tx: Connection, confirmation_id: str, state: Literal["granted", "refused"], *, by: str
    ) -> bool:
        """Answer an open question that has not expired."""
        return self._move(
            tx, confirmation_id, "open", state=state, answered_at=float(self._clock()), answered_by=by
        )

    def use(self, tx: Connection, confirmation_id: str, fingerprint: str) -> bool:
        """Take a granted one for the call of that fingerprint, once, before it expires."""
        granted = CONFIRMATIONS.c.fingerprint == fingerprint
        return self._move(tx, confirmation_id, "granted", granted, state="used", used_at=float(self._clock()))

    def expire(self, tx: Connection, *, everything: bool = False) -> list[str]:
        """Close what has run out (or every one that is open or granted); the ids."""
        table = CONFIRMATIONS.c
        query = update(CONFIRMATIONS).where(table.state.in_(("open", "granted")))
        if not everything:
            query = query.where(not_(and_(*self._in_time())))
        return sorted(tx.execute(query.values(state="expired").returning(table.confirmation_id)).scalars())

    def _in_time(self) -> tuple[ColumnElement[bool], ...]:
        now = float(self._clock())
        return CONFIRMATIONS.c.expires_at > now, CONFIRMATIONS.c.created_at <= now + SKEW_S

    def _move(
        self,
        tx: Connection,
        confirmation_id: str,
        current: ConfirmationState,
        *also: ColumnElement[bool],
        **values: object,
    ) -> bool:
        table = CONFIRMATIONS.c
        query = update(CONFIRMATIONS).where(
            table.confirmation_id == confirmation_id,
            table.state == current,
            *self._in_time(),
            *also,
        )
        return tx.execute(query.values(**values)).rowcount == 1
