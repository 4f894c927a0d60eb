"""A broker over a ledger of its own, and what callers send it. Entry point: `BrokerBench`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import Table, select

from gaia_email.ledger import Ledger, open_ledger
from gaia_email.ledger.statements import rows_of
from gaia_email_control.broker.callers import ControlCaller
from gaia_email_control.broker.commands import ControlBroker
from gaia_email_control.broker.flights import ControlFlights
from gaia_email_control.identities import LocalIdentities
from gaia_email_control.store import AgentGrant, ControlStore
from gaia_email_control.tables import READ_MODELS
from gaia_email_registry.errors import BadArgument, NotFound

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

    url: str
    now: float = 1_800_000_000.0
    ledger: Ledger = field(init=False)

    def __post_init__(self) -> None:
        self.ledger = open_ledger(url=self.url, clock=lambda: self.now)
        self.broker = ControlBroker(self.ledger, WHO)
        self.flights = ControlFlights(self.broker)
        with self.ledger.write() as tx:
            for name in ("ann", "bob"):
                grant = AgentGrant(agent_id=name, key_id=name, key_digest="", actions=("status",))
                ControlStore.of(self.ledger).put_grant(tx, grant)

    def begin(self) -> None:
        """`ann` and the owner are in `plans`; `bob` is in nothing."""
        self.send(agent("ann"), "ann")
        self.send(conversation("plans", "ann", WHO.owner_id), "ann")

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
            ControlStore.of(self.ledger).rebuild(tx)
        return self.models()


def _ordered(table: Table) -> Any:
    return select(table).order_by(*table.primary_key.columns)


def _fill(bench: BrokerBench, prefix: str) -> None:
    """Something of everything, some of it over."""
    bench.send(conversation(f"{prefix}c", "ann", "bob", WHO.owner_id), "ann")
    bench.send(
        message(f"{prefix}m", f"{prefix}c", "ann", mentions=[{"actorId": "bob", "label": "@bob"}]), "ann"
    )
    bench.send(
        message(f"{prefix}a", f"{prefix}c", "bob", attachments=[{"id": "a", "mediaType": "text/plain"}]),
        "bob",
    )
    bench.send(question(f"{prefix}q", "ann"), "ann")
    bench.send(work_item(f"{prefix}w", "ann"), "ann")
    bench.send(work_item(f"{prefix}w", "ann", state="done", nextMoveOwnerId=None), "ann")
    bench.send(happened(f"{prefix}e", f"{prefix}q", WHO.owner_id, "answered"))
    for name in ("over", "open"):
        bench.send(invocation(f"{prefix}{name}", "bob"), "bob")
    done = bench.send(invocation(f"{prefix}over", "bob"), "bob")["record"]
    bench.flights.end(done["id"], "completed", output="Done.")


ODD = "a\x00b \ud800 😀"
"""Text of which a database refuses parts."""


def check_read_models(bench: BrokerBench) -> None:
    """They follow from the event log to the byte, however often and up to where that is pruned."""
    odd = message("odd", "plans", "ann", body=ODD, mentions=[{"actorId": ODD, "label": ODD}])
    assert bench.send(odd, "ann")["isNew"]
    assert not bench.send(odd, "ann")["isNew"]
    for command in (message("m", ODD, "ann"), question(ODD, "ann"), happened("e", ODD, "ann", "claimed")):
        with pytest.raises((BadArgument, NotFound)):
            bench.send(command, "ann")
    for day in range(6):
        _fill(bench, f"day{day}-")
        bench.now += 86_400
        if day == 3:
            bench.send(conversation("day0-c", "ann", "bob", WHO.owner_id, title="Renamed"), "ann")
    assert bench.models() == bench.rebuilt()
    for kept_days in (4, 4, 2, 0):
        with bench.ledger.write() as tx:
            before = bench.now - kept_days * 86_400
            ControlStore.of(bench.ledger).forget_older(tx, bench.ledger.events, before)
            bench.ledger.events.prune(tx, before)
        left = bench.models()
        assert left == bench.rebuilt()
        assert len(left["control_messages"]) == 2 * kept_days
        assert len(left["control_conversations"]) == 7
        assert len(left["control_flights"]) == 6 + kept_days == len(left["control_invocations"])
        assert len(left["control_collaboration"]) == 6 + kept_days
        with bench.ledger.read() as tx:
            assert bench.ledger.events.verify(tx) is None
    bench.send(message("new", "plans", "ann"), "ann")
    assert bench.models() == bench.rebuilt()
