"""A broker over a ledger of its own, and what callers send it. Entry point: `BrokerBench`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Table, select

from gaia_email.control.broker.callers import ControlCaller
from gaia_email.control.broker.commands import ControlBroker
from gaia_email.control.broker.flights import ControlFlights
from gaia_email.control.identities import LocalIdentities
from gaia_email.ledger import Ledger, open_ledger
from gaia_email.ledger.control_store import AgentGrant
from gaia_email.ledger.control_tables import READ_MODELS
from gaia_email.ledger.statements import rows_of

Json = dict[str, Any]
WHO = LocalIdentities(node_id="laptop")
OWNER = ControlCaller(
    actor_id=WHO.owner_id,
    kind="person",
    actions=frozenset(("consult", "execute", "summarize", "status", "wake")),
)


def agent_caller(agent_id: str) -> ControlCaller:
    return ControlCaller(actor_id=agent_id, kind="agent", actions=frozenset(("consult", "status")))


def agent(agent_id: str, **changed: object) -> Json:
    record = {
        "id": agent_id,
        "kind": "agent",
        "displayName": agent_id,
        "definitionId": agent_id,
        "agentClass": "general",
        "capabilities": ["chat"],
        "wakePolicy": "manual",
        "homeNodeId": WHO.node_id,
        "authorityNodeId": WHO.node_id,
        "advertiseScope": "local",
    }
    return {"kind": "agent.upsert", "agent": {**record, **changed}}


def conversation(conversation_id: str, *participants: str, **changed: object) -> Json:
    record = {
        "id": conversation_id,
        "kind": "channel",
        "title": "Plans",
        "visibility": "private",
        "shareMode": "local",
        "authorityNodeId": WHO.node_id,
        "participantIds": list(participants),
    }
    return {"kind": "conversation.upsert", "conversation": {**record, **changed}}


def message(message_id: str, conversation_id: str, actor_id: str, **changed: object) -> Json:
    record = {
        "id": message_id,
        "conversationId": conversation_id,
        "actorId": actor_id,
        "originNodeId": WHO.node_id,
        "class": "agent",
        "body": "Hello",
        "visibility": "private",
        "policy": "durable",
        "createdAt": 1,
    }
    return {"kind": "conversation.post", "message": {**record, **changed}}


def invocation(invocation_id: str, requester_id: str, **changed: object) -> Json:
    record = {
        "id": invocation_id,
        "requesterId": requester_id,
        "requesterNodeId": WHO.node_id,
        "targetAgentId": WHO.agent_id,
        "action": "status",
        "task": "How is it?",
        "ensureAwake": True,
        "stream": False,
        "createdAt": 1,
    }
    return {"kind": "agent.invoke", "invocation": {**record, **changed}}


def question(record_id: str, actor_id: str, **changed: object) -> Json:
    record = {
        "id": record_id,
        "kind": "question",
        "title": "May I?",
        "createdById": actor_id,
        "askedById": actor_id,
        "askedOfId": WHO.owner_id,
        "nextMoveOwnerId": WHO.owner_id,
        "state": "open",
        "acceptanceState": "pending",
        "createdAt": 1,
        "updatedAt": 1,
    }
    return {"kind": "collaboration.upsert", "record": {**record, **changed}}


def work_item(record_id: str, actor_id: str, **changed: object) -> Json:
    record = {
        "id": record_id,
        "kind": "work_item",
        "title": "Sort it",
        "createdById": actor_id,
        "ownerId": actor_id,
        "nextMoveOwnerId": actor_id,
        "requestedById": WHO.owner_id,
        "state": "working",
        "acceptanceState": "pending",
        "createdAt": 1,
        "updatedAt": 1,
    }
    return {"kind": "collaboration.upsert", "record": {**record, **changed}}


def happened(event_id: str, record_id: str, actor_id: str, kind: str, about: str = "question") -> Json:
    event = {
        "id": event_id,
        "recordId": record_id,
        "recordKind": about,
        "kind": kind,
        "actorId": actor_id,
        "at": 2,
    }
    return {"kind": "collaboration.event.append", "event": event}


@dataclass
class BrokerBench:
    """A broker, and the number of its events before and after."""

    home: Path
    now: float = 1_800_000_000.0
    ledger: Ledger = field(init=False)

    def __post_init__(self) -> None:
        self.ledger = open_ledger(url=f"sqlite:///{self.home / 'ledger.db'}", clock=lambda: self.now)
        self.broker = ControlBroker(self.ledger, WHO)
        self.flights = ControlFlights(self.broker)
        with self.ledger.write() as tx:
            for name in ("ann", "bob"):
                grant = AgentGrant(agent_id=name, key_id=name, key_digest="", actions=("status",))
                self.ledger.control.put_grant(tx, grant)

    def send(self, command: Json, caller: ControlCaller | str = OWNER) -> Json:
        who = agent_caller(caller) if isinstance(caller, str) else caller
        return self.broker.execute(command, who).to_json()

    def kinds(self) -> list[str]:
        with self.ledger.read() as tx:
            return [event.kind for event in self.ledger.events.since(tx)]

    def models(self) -> dict[str, list[Json]]:
        """Every row of every read model, as it is kept."""
        with self.ledger.read() as tx:
            return {table.name: rows_of(tx, _ordered(table)) for table in READ_MODELS}

    def rebuilt(self) -> dict[str, list[Json]]:
        with self.ledger.write() as tx:
            self.ledger.control.rebuild(tx)
        return self.models()


def _ordered(table: Table) -> Any:
    return select(table).order_by(*table.primary_key.columns)
