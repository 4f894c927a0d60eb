"""Records of the control protocol, written with their events and rebuilt from them. Entry: `ControlStore`.

Every event of kind `control.…` contains one whole record, and applying the events in order gives the read models.
Before events are pruned, the records that are still valid are set aside, so that the rest of the log gives the same
read models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Connection, Table, delete, insert, select

from gaia_email.ledger.event_log import EventLog, NewLedgerEvent
from gaia_email.ledger.plugin_tables import PluginTables
from gaia_email.ledger.statements import first_of, rows_of, upsert
from gaia_email.ledger.text import Json, from_json, storable, storable_or_none, to_json
from gaia_email_control import tables

if TYPE_CHECKING:
    from gaia_email.ledger import Ledger

PREFIX: Final = "control."
"""Prefix of the protocol's event kinds in the event log."""

Record = dict[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordModel:
    """Storage of the records for one kind of event.

    Attributes:
        name: The field of the event's payload that contains the record.
        table: Its table.
        columns: Column → the record's field that it repeats.
        over: Values of `state` in which a record is finished and is deleted with its event; None if all records of
            the kind are, empty if none is.
    """

    name: str
    table: Table
    columns: Mapping[str, str] = field(default_factory=dict[str, str])
    over: tuple[str, ...] | None = ()


FLIGHTS_OVER: Final = ("completed", "failed", "cancelled")

MODELS: Final[Mapping[str, RecordModel]] = {
    "node.upserted": RecordModel(name="node", table=tables.CONTROL_NODES),
    "actor.registered": RecordModel(name="actor", table=tables.CONTROL_ACTORS),
    "agent.registered": RecordModel(name="agent", table=tables.CONTROL_AGENTS),
    "agent.endpoint.upserted": RecordModel(
        name="endpoint", table=tables.CONTROL_ENDPOINTS, columns={"agent_id": "agentId"}
    ),
    "conversation.upserted": RecordModel(name="conversation", table=tables.CONTROL_CONVERSATIONS),
    "binding.upserted": RecordModel(
        name="binding", table=tables.CONTROL_BINDINGS, columns={"conversation_id": "conversationId"}
    ),
    "message.posted": RecordModel(
        name="message",
        table=tables.CONTROL_MESSAGES,
        columns={"conversation_id": "conversationId"},
        over=None,
    ),
    "invocation.requested": RecordModel(
        name="invocation", table=tables.CONTROL_INVOCATIONS, columns={"requester_id": "requesterId"}
    ),
    "flight.updated": RecordModel(
        name="flight",
        table=tables.CONTROL_FLIGHTS,
        columns={"requester_id": "requesterId", "state": "state"},
        over=FLIGHTS_OVER,
    ),
    "collaboration.upserted": RecordModel(
        name="record",
        table=tables.CONTROL_COLLABORATION,
        columns={"conversation_id": "conversationId"},
        over=("closed", "declined", "done", "cancelled"),
    ),
    "collaboration.event.appended": RecordModel(
        name="event",
        table=tables.CONTROL_COLLABORATION_EVENTS,
        columns={"record_id": "recordId"},
        over=None,
    ),
    "delivery.planned": RecordModel(
        name="delivery",
        table=tables.DELIVERIES,
        columns={"message_id": "messageId", "target_id": "targetId"},
        over=None,
    ),
    "delivery.attempted": RecordModel(
        name="attempt",
        table=tables.DELIVERY_ATTEMPTS,
        columns={"delivery_id": "deliveryId"},
        over=None,
    ),
}
"""Models by the protocol's event kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentGrant:
    """The user's grant to an agent of another program.

    Attributes:
        agent_id: The agent.
        key_id: The public part of its key.
        key_digest: SHA-256 of the key.
        actions: Actions it may invoke.
        account: The account it may act on; empty for any.
        granted_by: The interface in which the user granted it.
        granted_at: Epoch seconds.
    """

    agent_id: str
    key_id: str
    key_digest: str
    actions: tuple[str, ...]
    account: str = ""
    granted_by: str = ""
    granted_at: float = 0.0


class ControlStore:
    """Store of control records. Methods take a `Ledger.write()` connection, or `Ledger.read()` if they only read."""

    def __init__(self, clock: Callable[[], float], events: EventLog) -> None:
        self._clock = clock
        self._events = events

    @classmethod
    def of(cls, ledger: Ledger) -> ControlStore:
        """Return the store of a ledger."""
        return cls(ledger.clock, ledger.events)

    def append(self, tx: Connection, events: Sequence[NewLedgerEvent]) -> list[int]:
        """Write events of the protocol and their records. Returns the event numbers."""
        numbers = self._events.append(tx, *events)
        for number, event in zip(numbers, events, strict=True):
            _apply(tx, number, event.kind, event.payload)
        return numbers

    def get(self, tx: Connection, kind: str, record_id: str) -> Record | None:
        """Return a record by event kind and ID, or None."""
        table = MODELS[kind].table
        row = first_of(tx, select(table.c.record).where(table.c.id == storable(record_id)))
        return None if row is None else from_json(row["record"])

    def select(
        self,
        tx: Connection,
        kind: str,
        columns: Mapping[str, str] | None = None,
        *,
        limit: int | None = None,
        newest: bool = False,
    ) -> list[Record]:
        """Return records with these column values in the order of their events, or newest first."""
        table = MODELS[kind].table
        query = select(table.c.record).where(
            *(table.c[name] == storable(value) for name, value in (columns or {}).items())
        )
        order = (table.c.seq.desc(), table.c.id.desc()) if newest else (table.c.seq, table.c.id)
        return [from_json(row["record"]) for row in rows_of(tx, query.order_by(*order).limit(limit))]

    def is_member(self, tx: Connection, conversation_id: str, actor_id: str) -> bool:
        """Return True if an actor takes part in a conversation."""
        table = tables.CONTROL_MEMBERS.c
        query = select(table.position).where(
            table.conversation_id == storable(conversation_id), table.actor_id == storable(actor_id)
        )
        return tx.execute(query).first() is not None

    def rebuild(self, tx: Connection) -> None:
        """Rebuild every read model from the records set aside and from the event log."""
        for table in tables.READ_MODELS:
            tx.execute(delete(table))
        kept = tables.CONTROL_KEPT
        for row in rows_of(tx, select(kept).order_by(kept.c.seq, kept.c.kind, kept.c.id)):
            model = MODELS[row["kind"]]
            _apply(tx, row["seq"], PREFIX + row["kind"], {model.name: from_json(row["record"])})
        reached = 0
        while page := self._events.since(tx, reached, kind=f"{PREFIX}*"):
            for event in page:
                _apply(tx, event.seq, event.kind, event.payload)
            reached = page[-1].seq

    def output(self, tx: Connection, flight_id: str) -> str | None:
        """Return the output of a flight; None if it has none or it was deleted."""
        table = tables.CONTROL_OUTPUTS.c
        found: str | None = tx.execute(select(table.output).where(table.flight_id == flight_id)).scalar()
        return found

    def keep_output(self, tx: Connection, flight_id: str, output: str) -> None:
        """Store the output of a flight."""
        row = {"flight_id": flight_id, "output": storable_or_none(output), "at": float(self._clock())}
        upsert(tx, tables.CONTROL_OUTPUTS, [row])

    def grants(self, tx: Connection) -> list[AgentGrant]:
        """Return every grant, oldest first."""
        table = tables.CONTROL_GRANTS
        return [
            _grant(row) for row in rows_of(tx, select(table).order_by(table.c.granted_at, table.c.agent_id))
        ]

    def grant(self, tx: Connection, *, agent_id: str = "", key_id: str = "") -> AgentGrant | None:
        """Return the grant of an agent or a key, or None."""
        table = tables.CONTROL_GRANTS
        asked = table.c.agent_id == storable(agent_id) if agent_id else table.c.key_id == storable(key_id)
        row = first_of(tx, select(table).where(asked))
        return None if row is None else _grant(row)

    def put_grant(self, tx: Connection, grant: AgentGrant) -> None:
        """Store a grant, replacing the agent's previous one."""
        row = {name: getattr(grant, name) for name in grant.__dataclass_fields__}
        row |= {"actions": " ".join(grant.actions), "granted_at": float(self._clock())}
        upsert(tx, tables.CONTROL_GRANTS, [row])

    def remove_grant(self, tx: Connection, agent_id: str) -> bool:
        """Revoke a grant and its key. Returns False if there is none."""
        gone = delete(tables.CONTROL_GRANTS).where(tables.CONTROL_GRANTS.c.agent_id == agent_id)
        return tx.execute(gone).rowcount == 1

    @staticmethod
    def forget_older(tx: Connection, events: EventLog, before: float) -> None:
        """Prepare the pruning of events before a time: set aside valid records, delete the finished ones."""
        cut = events.cut(tx, before)
        outputs, kept = tables.CONTROL_OUTPUTS, tables.CONTROL_KEPT
        tx.execute(delete(outputs).where(outputs.c.at < before))
        if cut is None:
            return
        tx.execute(delete(kept))
        for kind, model in MODELS.items():
            table = model.table
            old = table.c.seq <= cut.seq
            if model.over is None:
                _forget(tx, kind, [row["id"] for row in rows_of(tx, select(table.c.id).where(old))])
                continue
            rows = rows_of(tx, select(table.c.id, table.c.seq, table.c.record).where(old))
            records = [(row, from_json(row["record"])) for row in rows]
            over = {str(row["id"]): record for row, record in records if record.get("state") in model.over}
            _forget(tx, kind, over)
            if kind == "flight.updated":
                _forget(tx, "invocation.requested", [str(one["invocationId"]) for one in over.values()])
                asked = [str(one["invocationId"]) for one in over.values()]
                tx.execute(delete(kept).where(kept.c.kind == "invocation.requested", kept.c.id.in_(asked)))
            standing = [{"kind": kind, **row} for row, _ in records if row["id"] not in over]
            if standing:
                tx.execute(insert(kept), standing)


TABLES = PluginTables(
    tables=tables.CONTROL_TABLES,
    purged_with_everything=tables.CONTROL_TABLES,
    before_pruning=ControlStore.forget_older,
)


def _grant(row: Mapping[str, Any]) -> AgentGrant:
    values = dict(row)
    values["actions"] = tuple(str(row["actions"]).split())
    return AgentGrant(**values)


def _apply(tx: Connection, seq: int, kind: str, payload: Mapping[str, Any]) -> None:
    """Write the record of an event; kinds of a newer program are skipped."""
    model = MODELS.get(kind.removeprefix(PREFIX))
    if model is None:
        return
    record: Record = payload[model.name]
    columns = {column: _text(record.get(name)) for column, name in model.columns.items()}
    upsert(tx, model.table, [{"id": _text(record["id"]), "seq": seq, "record": to_json(record), **columns}])
    match model.name:
        case "conversation":
            _replace(
                tx,
                tables.CONTROL_MEMBERS,
                {"conversation_id": _text(record["id"])},
                {one: {"actor_id": _text(one)} for one in _list(record, "participantIds")}.values(),
            )
        case "message":
            about = {"message_id": _text(record["id"])}
            mentions = [
                {"actor_id": _text(one["actorId"]), "label": _text(one.get("label"))}
                for one in _list(record, "mentions")
            ]
            _replace(tx, tables.CONTROL_MENTIONS, about, mentions)
            attachments = [{"record": to_json(one)} for one in _list(record, "attachments")]
            _replace(tx, tables.CONTROL_ATTACHMENTS, about, attachments)
        case _:
            pass


def _replace(
    tx: Connection, table: Table, about: Mapping[str, object], rows: Iterable[Mapping[str, object]]
) -> None:
    """Replace the rows that belong to a part of a record."""
    tx.execute(delete(table).where(*(table.c[name] == value for name, value in about.items())))
    made = [{**about, "position": position, **row} for position, row in enumerate(rows)]
    if made:
        tx.execute(insert(table), made)


def _forget(tx: Connection, kind: str, ids: Iterable[str]) -> None:
    table, gone = MODELS[kind].table, list(ids)
    parts = (tables.CONTROL_MENTIONS, tables.CONTROL_ATTACHMENTS) if kind == "message.posted" else ()
    for some in (gone[start : start + 500] for start in range(0, len(gone), 500)):
        tx.execute(delete(table).where(table.c.id.in_(some)))
        for part in parts:
            tx.execute(delete(part).where(part.c.message_id.in_(some)))


def _list(record: Mapping[str, Any], name: str) -> list[Any]:
    found = record.get(name)
    return found if isinstance(found, list) else []  # pyright: ignore[reportUnknownVariableType]


def _text(value: object) -> str | None:
    return storable_or_none(value) if isinstance(value, str) else None
