"""The log of changes to mailboxes: planned before the effect, settled after it. Entry point: `ActionLog`.

```
planned ─▶ applied ─▶ reversed
   └─────▶ failed
```
Every step writes its events in the same transaction: one `action.planned` for all actions, and one `action.applied`,
`action.failed` or `action.reversed` for each. A row that is still `planned` at the next start was interrupted by a
crash; the starting program checks the mailbox and settles it.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from sqlalchemy import ColumnElement, Connection, Text, bindparam, exists, func, insert, select, update

from gaia_email.ledger.event_log import EventLog, NewLedgerEvent
from gaia_email.ledger.statements import chunks, from_row, objects_of, only
from gaia_email.ledger.tables import ACTIONS, MESSAGES
from gaia_email.ledger.text import Json, json_or_none, object_or_none, storable, storable_or_none, to_json

ActionState = Literal["planned", "applied", "reversed", "failed"]

FOLLOWS: Mapping[ActionState, ActionState] = {
    "applied": "planned",
    "failed": "planned",
    "reversed": "applied",
}
"""The required previous state for each state."""


def new_id() -> str:
    """Return a random UUID."""
    return str(uuid.uuid4())


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAction:
    """An effect that is about to be tried on one message.

    `payload` describes the effect, `reversal` its undo (None if it cannot be undone), and `level` the autonomy level
    of the decision.
    """

    account_id: str
    message_id: str
    action_type: str
    payload: Mapping[str, object]
    reversal: Mapping[str, object] | None = None
    run_id: str | None = None
    session_id: str | None = None
    level: str | None = None
    cohort: str | None = None
    why: str = ""
    user_confirmed: bool = False
    action_id: str = field(default_factory=new_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedAction:
    """A stored action: the columns of the table `actions`, with payloads as objects."""

    action_id: str
    seq: int
    timestamp: float
    run_id: str | None
    session_id: str | None
    account_id: str
    message_id: str
    action_type: str
    action_payload: dict[str, Json]
    reversal_payload: dict[str, Json] | None
    state: ActionState
    settled_at: float | None
    reversed_at: float | None
    autonomy_level: str | None
    cohort: str | None
    why: str
    user_confirmed: bool
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionOutcome:
    """The outcome of one action. `reversal`, if given, replaces the planned undo."""

    action_id: str
    state: Literal["applied", "failed"] = "applied"
    error: str | None = None
    reversal: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Conditions on actions, all of which must match.

    `since` and `until` are epoch seconds (`until` is exclusive). `about` is a case-insensitive substring of the
    sender, the subject or other payload text.
    """

    run_id: str | None = None
    session_id: str | None = None
    account_id: str | None = None
    message_id: str | None = None
    since: float | None = None
    until: float | None = None
    states: Sequence[ActionState] = ()
    types: Sequence[str] = ()
    about: str = ""


class ActionLog:
    """Store of actions. Methods take a `Ledger.write()` connection, or `Ledger.read()` if they only read."""

    def __init__(self, clock: Callable[[], float], events: EventLog) -> None:
        self._clock = clock
        self._events = events

    def plan(
        self, tx: Connection, actions: Sequence[NewAction], *, actor: str = "agent"
    ) -> list[LoggedAction]:
        """Store actions as planned, in this order. Commit before the first effect."""
        if not actions:
            return []
        seq = tx.execute(select(func.coalesce(func.max(ACTIONS.c.seq), 0))).scalar_one()
        now = float(self._clock())
        rows = [_row(action, seq + number, now) for number, action in enumerate(actions, 1)]
        tx.execute(insert(ACTIONS), rows)
        first = actions[0]
        self._events.append(
            tx,
            NewLedgerEvent(
                kind="action.planned",
                actor=actor,
                account_id=first.account_id,
                run_id=first.run_id,
                session_id=first.session_id,
                payload={"actions": len(actions), "seq": [seq + 1, seq + len(actions)]},
            ),
        )
        return [from_row(LoggedAction, row) for row in rows]

    def settle(
        self, tx: Connection, outcomes: Iterable[ActionOutcome], *, actor: str = "agent"
    ) -> list[LoggedAction]:
        """Settle planned actions. Returns those that were still planned, in their new state."""
        by_id = {outcome.action_id: outcome for outcome in outcomes}
        now = float(self._clock())
        settled: list[LoggedAction] = []
        changes: list[dict[str, object]] = []
        for action in self.get(tx, by_id):
            if action.state == FOLLOWS["applied"]:
                outcome = by_id[action.action_id]
                error, reversal = storable_or_none(outcome.error), json_or_none(outcome.reversal)
                back = object_or_none(reversal) if reversal else action.reversal_payload
                settled.append(
                    replace(action, state=outcome.state, settled_at=now, error=error, reversal_payload=back)
                )
                changes.append(
                    {
                        "id": action.action_id,
                        "new_state": outcome.state,
                        "new_settled": now,
                        "new_error": error,
                        "new_reversal": reversal,
                    }
                )
        if changes:
            tx.execute(_SETTLE, changes)
        return self._with_events(tx, settled, actor)

    def reverse(
        self, tx: Connection, action_ids: Iterable[str], *, actor: str = "user"
    ) -> list[LoggedAction]:
        """Mark applied actions as reversed. Returns those that were applied, in their new state."""
        now = float(self._clock())
        found = [
            replace(action, state="reversed", reversed_at=now)
            for action in self.get(tx, action_ids)
            if action.state == FOLLOWS["reversed"]
        ]
        if found:
            tx.execute(_REVERSE, [{"id": action.action_id, "new_reversed": now} for action in found])
        return self._with_events(tx, found, actor)

    def get(self, tx: Connection, action_ids: Iterable[str]) -> list[LoggedAction]:
        """Return the actions that exist, in the order in which they were planned."""
        found: list[LoggedAction] = []
        for some in chunks(action_ids):
            query = select(ACTIONS).where(ACTIONS.c.action_id.in_(some))
            found += objects_of(tx, LoggedAction, query)
        return sorted(found, key=lambda action: action.seq)

    def select(
        self, tx: Connection, chosen: Selection, *, limit: int | None = None, newest_first: bool = False
    ) -> list[LoggedAction]:
        """Return the matching actions in the order in which they were planned, or in reverse."""
        order = ACTIONS.c.seq.desc() if newest_first else ACTIONS.c.seq
        query = select(ACTIONS).where(*_conditions(chosen)).order_by(order).limit(limit)
        return objects_of(tx, LoggedAction, query)

    def starting_with(self, tx: Connection, account_id: str | None, prefix: str) -> list[LoggedAction]:
        """Return up to three actions (of an account) whose ID has this prefix, in order."""
        if not prefix:
            return []
        query = select(ACTIONS).where(ACTIONS.c.action_id.startswith(prefix, autoescape=True))
        if account_id is not None:
            query = query.where(ACTIONS.c.account_id == account_id)
        return objects_of(tx, LoggedAction, query.order_by(ACTIONS.c.seq).limit(3))

    def runs_starting_with(self, tx: Connection, prefix: str) -> list[str]:
        """Return up to two IDs of runs that acted and whose ID has this prefix."""
        table = ACTIONS.c
        beginning = table.run_id.startswith(prefix, autoescape=True)
        return [
            str(run)
            for run in tx.execute(select(table.run_id).where(beginning).distinct().limit(2)).scalars()
        ]

    def run_starting_with(self, tx: Connection, prefix: str) -> str:
        """Return the ID of the run that acted and whose ID has this prefix.

        Raises:
            NotFound: No run matches, or more than one.
        """
        return only(
            self.runs_starting_with(tx, prefix),
            prefix,
            none="No run that acted has",
            several="More than one run has",
            argument="run",
            hint="gaia email actions lists what was done.",
        )

    def acted_upon(
        self, tx: Connection, account_id: str, message_ids: Iterable[str], types: Sequence[str]
    ) -> set[str]:
        """Return the messages that have actions of these types in any state but `failed`."""
        found: set[str] = set()
        table = ACTIONS.c
        for some in chunks(message_ids):
            query = select(table.message_id).where(
                table.account_id == account_id,
                table.message_id.in_(some),
                table.action_type.in_(types),
                table.state != "failed",
            )
            found.update(tx.execute(query).scalars())
        return found

    def taken_back(self, tx: Connection, types: Sequence[str]) -> frozenset[tuple[str, str]]:
        """Return account and message IDs with a reversed action of these types and none that is planned or applied."""
        table, other = ACTIONS.c, ACTIONS.alias().c
        stands = exists().where(
            other.account_id == table.account_id,
            other.message_id == table.message_id,
            other.action_type.in_(types),
            other.state.in_(("planned", "applied")),
        )
        query = select(table.account_id, table.message_id).distinct()
        query = query.where(table.state == "reversed", table.action_type.in_(types), ~stands)
        return frozenset((account, message) for account, message in tx.execute(query))

    def open(self, tx: Connection, account_id: str | None = None) -> list[LoggedAction]:
        """Return the actions that are still planned, in order; a starting program checks them."""
        return self.select(tx, Selection(account_id=account_id, states=("planned",)))

    def count(self, tx: Connection, chosen: Selection) -> dict[ActionState, int]:
        """Count the matching actions by state; states without actions are omitted."""
        query = select(ACTIONS.c.state, func.count()).where(*_conditions(chosen)).group_by(ACTIONS.c.state)
        return {row[0]: row[1] for row in tx.execute(query)}

    def runs(self, tx: Connection, chosen: Selection, *, limit: int = 50) -> list[tuple[str, int, float]]:
        """Return the newest runs that acted: run ID, number of matching actions, and when the last was planned."""
        latest = func.max(ACTIONS.c.seq)
        query = (
            select(ACTIONS.c.run_id, func.count(), func.max(ACTIONS.c.timestamp))
            .where(ACTIONS.c.run_id.is_not(None), *_conditions(chosen))
            .group_by(ACTIONS.c.run_id)
            .order_by(latest.desc())
            .limit(limit)
        )
        return [(str(run_id), int(count), float(at)) for run_id, count, at in tx.execute(query)]

    def accounts(self, tx: Connection, chosen: Selection) -> list[str]:
        """Return the accounts of the matching actions, latest first."""
        query = select(ACTIONS.c.account_id).where(*_conditions(chosen)).group_by(ACTIONS.c.account_id)
        return list(tx.execute(query.order_by(func.max(ACTIONS.c.seq).desc())).scalars())

    def _with_events(self, tx: Connection, actions: list[LoggedAction], actor: str) -> list[LoggedAction]:
        """Write an event for each action and return the actions."""
        about = _about(tx, actions)
        events = [_event(action, actor, *about.get(_key(action), _named(action))) for action in actions]
        self._events.append(tx, *events)
        return actions


_SETTLE = (
    update(ACTIONS)
    .where(ACTIONS.c.action_id == bindparam("id"))
    .values(
        state=bindparam("new_state"),
        settled_at=bindparam("new_settled"),
        error=bindparam("new_error"),
        reversal_payload=func.coalesce(bindparam("new_reversal", type_=Text), ACTIONS.c.reversal_payload),
    )
)
_REVERSE = (
    update(ACTIONS)
    .where(ACTIONS.c.action_id == bindparam("id"))
    .values(state="reversed", reversed_at=bindparam("new_reversed"))
)


def _row(action: NewAction, seq: int, now: float) -> dict[str, object]:
    return {
        "action_id": action.action_id,
        "seq": seq,
        "timestamp": now,
        "run_id": action.run_id,
        "session_id": action.session_id,
        "account_id": action.account_id,
        "message_id": action.message_id,
        "action_type": action.action_type,
        "action_payload": to_json(action.payload),
        "reversal_payload": json_or_none(action.reversal),
        "state": "planned",
        "settled_at": None,
        "reversed_at": None,
        "autonomy_level": action.level,
        "cohort": action.cohort,
        "why": storable(action.why),
        "user_confirmed": action.user_confirmed,
        "error": None,
    }


def _conditions(chosen: Selection) -> list[ColumnElement[bool]]:
    columns = ACTIONS.c
    equal = (
        (columns.run_id, chosen.run_id),
        (columns.session_id, chosen.session_id),
        (columns.account_id, chosen.account_id),
        (columns.message_id, chosen.message_id),
    )
    conditions = [column == value for column, value in equal if value is not None]
    if chosen.since is not None:
        conditions.append(columns.timestamp >= chosen.since)
    if chosen.until is not None:
        conditions.append(columns.timestamp < chosen.until)
    if chosen.states:
        conditions.append(columns.state.in_(chosen.states))
    if chosen.types:
        conditions.append(columns.action_type.in_(chosen.types))
    if chosen.about:
        conditions.append(columns.action_payload.icontains(to_json(chosen.about)[1:-1], autoescape=True))
    return conditions


def _named(action: LoggedAction) -> tuple[str | None, str | None]:
    """Return sender and subject from the action itself, for a message that is not in the cache."""
    sender, subject = action.action_payload.get("sender"), action.action_payload.get("subject")
    return sender if isinstance(sender, str) else None, subject if isinstance(subject, str) else None


def _key(action: LoggedAction) -> tuple[str, str]:
    return action.account_id, action.message_id


def _about(tx: Connection, actions: Sequence[LoggedAction]) -> dict[tuple[str, str], tuple[str, str]]:
    """Return sender and subject of the messages in the cache."""
    columns = (MESSAGES.c.account_id, MESSAGES.c.message_id, MESSAGES.c.sender, MESSAGES.c.subject)
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for account in {action.account_id for action in actions}:
        ids = {action.message_id for action in actions if action.account_id == account}
        for some in chunks(ids):
            query = select(*columns).where(columns[0] == account, columns[1].in_(some))
            found.update(((row[0], row[1]), (row[2], row[3])) for row in tx.execute(query))
    return found


def _event(action: LoggedAction, actor: str, sender: str | None, subject: str | None) -> NewLedgerEvent:
    payload: dict[str, object] = {"type": action.action_type}
    if action.cohort is not None:
        payload["cohort"] = action.cohort
    if action.error is not None:
        payload["error"] = action.error
    return NewLedgerEvent(
        kind=f"action.{action.state}",
        actor=actor,
        account_id=action.account_id,
        message_id=action.message_id,
        run_id=action.run_id,
        session_id=action.session_id,
        action_id=action.action_id,
        sender=sender,
        subject=subject,
        payload=payload,
    )
