"""The protocol's event stream: thirteen kinds, each about one record. Entry points: `new_event`, `read_event`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

from gaia_email_control.collaboration_records import (
    CollaborationEvent,
    ControlQuestion,
    ControlWorkItem,
    read_collaboration_record,
)
from gaia_email_control.records import (
    ControlActor,
    ControlAgent,
    ControlBinding,
    ControlConversation,
    ControlDelivery,
    ControlDeliveryAttempt,
    ControlEndpoint,
    ControlFlight,
    ControlInvocation,
    ControlMessage,
    ControlNode,
)
from gaia_email_control.wire import Milliseconds, ScoutId, WireMetadata, WireRecord
from gaia_email_registry.errors import BadArgument

EventKind: TypeAlias = Literal[
    "node.upserted",
    "actor.registered",
    "agent.registered",
    "agent.endpoint.upserted",
    "conversation.upserted",
    "binding.upserted",
    "message.posted",
    "invocation.requested",
    "flight.updated",
    "delivery.planned",
    "delivery.attempted",
    "collaboration.upserted",
    "collaboration.event.appended",
]
EVENT_KINDS: Final[tuple[EventKind, ...]] = get_args(EventKind)

EVENT_RECORDS: Final[Mapping[EventKind, tuple[str, tuple[type[WireRecord], ...]]]] = {
    "node.upserted": ("node", (ControlNode,)),
    "actor.registered": ("actor", (ControlActor,)),
    "agent.registered": ("agent", (ControlAgent,)),
    "agent.endpoint.upserted": ("endpoint", (ControlEndpoint,)),
    "conversation.upserted": ("conversation", (ControlConversation,)),
    "binding.upserted": ("binding", (ControlBinding,)),
    "message.posted": ("message", (ControlMessage,)),
    "invocation.requested": ("invocation", (ControlInvocation,)),
    "flight.updated": ("flight", (ControlFlight,)),
    "delivery.planned": ("delivery", (ControlDelivery,)),
    "delivery.attempted": ("attempt", (ControlDeliveryAttempt,)),
    "collaboration.upserted": ("record", (ControlQuestion, ControlWorkItem)),
    "collaboration.event.appended": ("event", (CollaborationEvent,)),
}
"""The field of the payload with an event's record, and the record's types."""


class ControlEvent(WireRecord):
    """Something that happened, as the broker tells it: `ts` is when, `actor_id` who did it."""

    id: ScoutId
    kind: EventKind
    ts: Milliseconds
    actor_id: ScoutId
    node_id: ScoutId | None = None
    payload: WireMetadata

    def record(self) -> WireRecord:
        """Return the record that the event is about.

        Raises:
            BadArgument: The payload has none.
        """
        name, kinds = EVENT_RECORDS[self.kind]
        if name not in self.payload:
            raise BadArgument(f"{self.kind} is not valid: payload.{name}: Field required")
        value = self.payload[name]
        return kinds[0].from_wire(value) if len(kinds) == 1 else read_collaboration_record(value)


def new_event(
    kind: EventKind, record: WireRecord, *, id: str, ts: float, actor_id: str, node_id: str | None = None
) -> ControlEvent:
    """Return an event of this kind about a record."""
    name, _ = EVENT_RECORDS[kind]
    return ControlEvent.of(
        id=id, kind=kind, ts=ts, actor_id=actor_id, node_id=node_id, payload={name: record.to_wire()}
    )


def read_event(value: object) -> ControlEvent:
    """Parse an event from a JSON value, with a record of its kind.

    Raises:
        BadArgument: It is not an event; the message names the fields.
    """
    event = ControlEvent.from_wire(value)
    event.record()
    return event
