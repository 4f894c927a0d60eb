"""The documents of `control`: agents, conversations, flights and events of the control protocol.

Entries: `agents_document`, `conversations_document`, `flights_document`, `tail_document`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from gaia_email.document import Count, Time, Version, at, clean

if TYPE_CHECKING:
    from gaia_email.control.events import ControlEvent
    from gaia_email.ledger.control_store import AgentGrant

MOST_TOLD = 200
"""Characters of a message or a task in a listing of events."""


class ControlAgentRow(TypedDict):
    """An agent, with what it was granted: ours was granted nothing, since it is what is invoked."""

    id: str
    name: str
    selector: str
    capabilities: list[str]
    actions: list[str]
    account: str
    granted_at: Time | None


class ControlAgentsDocument(TypedDict):
    """What `control agents` prints."""

    schema_version: Version
    shown: Count
    agents: list[ControlAgentRow]


class ControlGrantDocument(TypedDict):
    """What `control grant` prints; the key is shown this once."""

    schema_version: Version
    agent_id: str
    actions: list[str]
    account: str
    key: str


class ControlRevokedDocument(TypedDict):
    """What `control revoke` prints."""

    schema_version: Version
    agent_id: str


class ControlConversationRow(TypedDict):
    """A conversation, and who takes part."""

    id: str
    kind: str
    title: str
    participants: list[str]


class ControlMessageRow(TypedDict):
    """Something said in a conversation."""

    id: str
    at: Time
    actor: str
    body: str


class ControlConversationsDocument(TypedDict):
    """What `control conversations` prints; `messages` are those of the one that was named."""

    schema_version: Version
    shown: Count
    conversations: list[ControlConversationRow]
    messages: list[ControlMessageRow]


class ControlFlightRow(TypedDict):
    """A flight; `output` is what it gave, `error` why it gave nothing."""

    id: str
    invocation: str
    requester: str
    state: str
    summary: str
    output: str
    error: str
    started_at: Time | None
    completed_at: Time | None


class ControlFlightsDocument(TypedDict):
    """What `control flights` and `control invoke` print."""

    schema_version: Version
    shown: Count
    flights: list[ControlFlightRow]


class ControlEventRow(TypedDict):
    """An event of the stream: its number in the event log, and itself as the protocol has it."""

    seq: Count
    at: Time
    kind: str
    actor: str
    about: str
    event: dict[str, object]


class ControlTailDocument(TypedDict):
    """What `control tail` prints; the next one begins after `reached`."""

    schema_version: Version
    shown: Count
    reached: Count
    events: list[ControlEventRow]


CONTROL_DOCUMENTS: dict[str, object] = {
    "control-agents": ControlAgentsDocument,
    "control-grant": ControlGrantDocument,
    "control-revoke": ControlRevokedDocument,
    "control-conversations": ControlConversationsDocument,
    "control-flights": ControlFlightsDocument,
    "control-tail": ControlTailDocument,
}


def agents_document(
    agents: Sequence[Mapping[str, object]], grants: Mapping[str, AgentGrant]
) -> ControlAgentsDocument:
    """Agents as records of the protocol, each with its grant."""
    rows = [_agent(one, grants.get(str(one["id"]))) for one in agents]
    return {"schema_version": 1, "shown": len(rows), "agents": rows}


def _agent(agent: Mapping[str, object], grant: AgentGrant | None) -> ControlAgentRow:
    return {
        "id": _word(agent, "id"),
        "name": _word(agent, "displayName"),
        "selector": _word(agent, "defaultSelector") or f"@{_word(agent, 'definitionId')}",
        "capabilities": _words(agent, "capabilities"),
        "actions": [] if grant is None else list(grant.actions),
        "account": "" if grant is None else clean(grant.account),
        "granted_at": None if grant is None else at(grant.granted_at),
    }


def grant_document(grant: AgentGrant, key: str) -> ControlGrantDocument:
    """A grant that was just given."""
    return {
        "schema_version": 1,
        "agent_id": grant.agent_id,
        "actions": list(grant.actions),
        "account": clean(grant.account),
        "key": key,
    }


def conversations_document(
    conversations: Sequence[Mapping[str, object]], messages: Sequence[Mapping[str, object]] = ()
) -> ControlConversationsDocument:
    """Conversations and messages as records of the protocol."""
    rows: list[ControlConversationRow] = [
        {
            "id": _word(one, "id"),
            "kind": _word(one, "kind"),
            "title": _word(one, "title"),
            "participants": _words(one, "participantIds"),
        }
        for one in conversations
    ]
    said: list[ControlMessageRow] = [
        {
            "id": _word(one, "id"),
            "at": _time(one, "createdAt") or at(0),
            "actor": _word(one, "actorId"),
            "body": _word(one, "body"),
        }
        for one in messages
    ]
    return {"schema_version": 1, "shown": len(rows), "conversations": rows, "messages": said}


def flights_document(flights: Sequence[Mapping[str, object]]) -> ControlFlightsDocument:
    """Flights as records of the protocol."""
    rows: list[ControlFlightRow] = [
        {
            "id": _word(one, "id"),
            "invocation": _word(one, "invocationId"),
            "requester": _word(one, "requesterId"),
            "state": _word(one, "state"),
            "summary": _word(one, "summary"),
            "output": _word(one, "output"),
            "error": _word(one, "error"),
            "started_at": _time(one, "startedAt"),
            "completed_at": _time(one, "completedAt"),
        }
        for one in flights
    ]
    return {"schema_version": 1, "shown": len(rows), "flights": rows}


def tail_document(events: Sequence[tuple[int, ControlEvent]], *, reached: int) -> ControlTailDocument:
    """Events with their numbers."""
    rows: list[ControlEventRow] = [
        {
            "seq": seq,
            "at": at(one.ts / 1000),
            "kind": one.kind,
            "actor": clean(one.actor_id),
            "about": _about(one),
            "event": one.to_wire(),
        }
        for seq, one in events
    ]
    return {"schema_version": 1, "shown": len(rows), "reached": reached, "events": rows}


def _about(event: ControlEvent) -> str:
    """What an event is about, in a few words."""
    record: Any = next(iter(event.payload.values()), dict[str, Any]())
    words = [_word(record, name) for name in ("state", "status", "action", "kind", "title", "task", "body")]
    told = " ".join(one for one in words if one)
    return f"{_word(record, 'id')} {told[:MOST_TOLD]}".strip()


def _word(record: Mapping[str, object], name: str) -> str:
    value = record.get(name)
    return clean(value) if isinstance(value, str) else ""


def _words(record: Mapping[str, object], name: str) -> list[str]:
    value = record.get(name)
    return [clean(str(one)) for one in value] if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _time(record: Mapping[str, object], name: str) -> str | None:
    """A time of the protocol; one that no calendar here has counts as none."""
    value = record.get(name)
    try:
        return at(value / 1000) if isinstance(value, int | float) else None
    except (OverflowError, ValueError, OSError):
        return None
