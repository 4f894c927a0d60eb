"""The life of flights that agents of other programs invoked. Entry point: `ControlFlights`.

```
queued ─▶ running ─▶ waiting ─▶ completed
  ▲            └──▶ completed | failed
waiting ─▶ cancelled
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from gaia_email_control.broker.commands import ControlBroker
from gaia_email_control.broker.owner_questions import OwnerQuestions, still_asked
from gaia_email_control.deliveries import delivery_after
from gaia_email_control.records import (
    ControlDelivery,
    ControlDeliveryAttempt,
    ControlFlight,
    ControlInvocation,
)
from gaia_email_control.store import FLIGHTS_OVER, ControlStore
from gaia_email_control.vocabulary import AttemptStatus, FlightState

if TYPE_CHECKING:
    from sqlalchemy import Connection

MOST_TRIES = 5
"""Failed attempts after which a delivery has failed."""


class ControlFlights:
    """Moves flights and deliveries through their states.

    Args:
        broker: The broker that writes the records.
    """

    def __init__(self, broker: ControlBroker) -> None:
        self._broker = broker
        self._ledger = broker.ledger
        self._store = ControlStore.of(broker.ledger)
        self._questions = OwnerQuestions(broker.ledger, broker.who)

    def in_state(self, state: FlightState) -> list[tuple[ControlFlight, ControlInvocation]]:
        """Return the flights in a state, each with its invocation, oldest first."""
        with self._ledger.read() as tx:
            found = [
                ControlFlight.from_wire(one)
                for one in self._store.select(tx, "flight.updated", {"state": state})
            ]
            asked = [self._store.get(tx, "invocation.requested", one.invocation_id) for one in found]
        return [
            (flight, ControlInvocation.from_wire(one))
            for flight, one in zip(found, asked, strict=True)
            if one is not None
        ]

    def begin(self, flight_id: str) -> bool:
        """Mark a queued flight as running; return False if it is not queued any more."""
        now = round(self._ledger.clock() * 1000)
        with self._ledger.write() as tx:
            flight = self._flight(tx, flight_id)
            if flight is None or flight.state != "queued":
                return False
            self._change(tx, flight, state="running", startedAt=now)
        return True

    def queue_again(self) -> None:
        """Queue flights of a program that has ended; call this only while no other program executes flights."""
        with self._ledger.write() as tx:
            for one in self._store.select(tx, "flight.updated", {"state": "running"}):
                self._change(tx, ControlFlight.from_wire(one), state="queued", startedAt=None)

    def end(
        self,
        flight_id: str,
        state: Literal["completed", "failed", "waiting"],
        *,
        summary: str = "",
        output: str = "",
        error: str = "",
    ) -> None:
        """Record the end of a flight, or that it waits for the user; a flight that is over is not changed."""
        now = round(self._ledger.clock() * 1000)
        with self._ledger.write() as tx:
            flight = self._flight(tx, flight_id)
            if flight is None or flight.state in FLIGHTS_OVER:
                return
            if output:
                self._store.keep_output(tx, flight_id, output)
            over = None if state == "waiting" else now
            self._change(
                tx, flight, state=state, summary=summary or None, error=error or None, completedAt=over
            )

    def go_on(self) -> None:
        """Continue flights whose questions are all closed.

        First writes the owner's answers into the agents' questions. A flight that has done its work is completed; one
        that a question kept from beginning is queued, or cancelled if that was declined.
        """
        self._questions.settle()
        with self._ledger.write() as tx:
            for one in self._store.select(tx, "flight.updated", {"state": "waiting"}):
                flight = ControlFlight.from_wire(one)
                if still_asked(tx, self._ledger, flight.id):
                    continue
                now = round(self._ledger.clock() * 1000)
                if flight.started_at is not None:
                    told = {
                        "state": "completed",
                        "summary": "What it asked was answered.",
                        "completedAt": now,
                    }
                elif self._questions.was_declined(tx, flight.requester_id, flight.id):
                    told = {
                        "state": "cancelled",
                        "error": "What it waited for was declined.",
                        "completedAt": now,
                    }
                else:
                    told = {"state": "queued"}
                self._change(tx, flight, **told)

    def record_attempt(
        self, message_id: str, target_id: str, status: AttemptStatus, *, error: str = ""
    ) -> None:
        """Record an attempt at the pending deliveries of a message to a target."""
        now = round(self._ledger.clock() * 1000)
        with self._ledger.write() as tx:
            for one in self._store.select(
                tx, "delivery.planned", {"message_id": message_id, "target_id": target_id}
            ):
                delivery = ControlDelivery.from_wire(one)
                if delivery.status != "pending":
                    continue
                kept = self._store.select(tx, "delivery.attempted", {"delivery_id": delivery.id})
                attempt = ControlDeliveryAttempt.of(
                    id=f"{delivery.id}:{len(kept) + 1}",
                    delivery_id=delivery.id,
                    attempt=len(kept) + 1,
                    status=status,
                    error=error or None,
                    created_at=now,
                )
                attempts = [*map(ControlDeliveryAttempt.from_wire, kept), attempt]
                stands = delivery_after(delivery, attempts, most=MOST_TRIES)
                moved = ControlDelivery.from_wire({**delivery.to_wire(), "status": stands})
                self._broker.append(
                    tx,
                    self._broker.who.agent_id,
                    ("delivery.attempted", attempt),
                    ("delivery.planned", moved),
                )

    def _flight(self, tx: Connection, flight_id: str) -> ControlFlight | None:
        found = self._store.get(tx, "flight.updated", flight_id)
        return None if found is None else ControlFlight.from_wire(found)

    def _change(self, tx: Connection, flight: ControlFlight, **changed: object) -> None:
        wire = {name: value for name, value in {**flight.to_wire(), **changed}.items() if value is not None}
        self._broker.append(tx, self._broker.who.agent_id, ("flight.updated", ControlFlight.from_wire(wire)))
