"""Convert between the protocol's events and those of the ledger. Entry points: `append_records`, `control_event`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gaia_email.ledger.event_log import LedgerEvent, NewLedgerEvent
from gaia_email_control.events import EVENT_RECORDS, ControlEvent, EventKind
from gaia_email_control.records import ControlFlight
from gaia_email_control.store import PREFIX
from gaia_email_control.wire import WireRecord

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gaia_email_control.store import ControlStore

ACTOR = "control:"
"""Prefix for the actors of these events in the ledger, whose other actors are the program's interfaces."""


def ledger_event(kind: EventKind, record: WireRecord, actor_id: str) -> NewLedgerEvent:
    """Return the ledger's event for a record."""
    wire = record.to_wire()
    conversation = wire.get("conversationId")
    return NewLedgerEvent(
        kind=PREFIX + kind,
        actor=ACTOR + actor_id,
        run_id=record.id if isinstance(record, ControlFlight) else None,
        session_id=conversation if isinstance(conversation, str) else None,
        payload={EVENT_RECORDS[kind][0]: wire},
    )


def append_records(
    store: ControlStore, tx: Connection, actor_id: str, made: Iterable[tuple[EventKind, WireRecord]]
) -> None:
    """Write records and their events, in this order, in the caller's transaction."""
    store.append(tx, [ledger_event(kind, record, actor_id) for kind, record in made])


def control_event(event: LedgerEvent, node_id: str) -> ControlEvent | None:
    """Return the protocol's event in an event of the ledger; None if it has none."""
    kind = event.kind.removeprefix(PREFIX)
    if kind == event.kind or kind not in EVENT_RECORDS:
        return None
    return ControlEvent.of(
        id=f"event:{event.seq}",
        kind=kind,
        ts=round(event.at * 1000),
        actor_id=event.actor.removeprefix(ACTOR),
        node_id=node_id,
        payload=event.payload,
    )
