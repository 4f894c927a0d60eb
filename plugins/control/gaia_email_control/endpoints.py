"""The endpoints of the control protocol over HTTP, for the routes and for the contract. Entry: `ENDPOINTS`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from gaia_email_control import DIALECT
from gaia_email_control.commands import COMMAND_TYPES
from gaia_email_control.reading import MOST
from gaia_email_control.schemas import control_schema

Json = dict[str, Any]

CONTROL_PATH: Final = "/control/v1"

_STATES: Final = ("queued", "waking", "running", "waiting", "completed", "failed", "cancelled")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolEndpoint:
    """An endpoint.

    Attributes:
        name: The listed resource, or `about` or `command`.
        path: The path below `CONTROL_PATH`.
        says: One sentence that describes it.
        records: The record types it lists; empty for `about` and `command`.
        query: The schemas of its query parameters.
        example: An example for the sample mailbox: the id in the path (`FLIGHT` stands for a flight's id), the query,
            or the command.
    """

    name: str
    path: str
    says: str
    method: Literal["GET", "POST"] = "GET"
    records: tuple[str, ...] = ()
    query: Mapping[str, Json] = field(default_factory=dict[str, Json])
    example: Json = field(default_factory=dict[str, Any])

    @property
    def operation_id(self) -> str:
        """Operation id in the contract."""
        return f"protocol_{self.name}"


ENDPOINTS: tuple[ProtocolEndpoint, ...] = (
    ProtocolEndpoint(
        name="about", path="", says="Say who the caller is in the control protocol, and what it may."
    ),
    ProtocolEndpoint(
        name="command",
        method="POST",
        path="/commands",
        says="Carry out a command of the control protocol, whole or not at all; `agent.invoke` answers its flight.",
        example={
            "kind": "agent.ensure_awake",
            "agentId": "gaia-email",
            "requesterId": "api-token",
            "reason": "hello",
        },
    ),
    ProtocolEndpoint(
        name="agents",
        path="/agents",
        says="Agents: ours, and those of other programs.",
        records=("ControlAgent",),
    ),
    ProtocolEndpoint(
        name="conversations",
        path="/conversations",
        says="Conversations of the caller; to the owner also the Agent Inbox and those with our agent.",
        records=("ControlConversation",),
    ),
    ProtocolEndpoint(
        name="messages",
        path="/conversations/{id}/messages",
        says="The last messages of a conversation, oldest first.",
        records=("ControlMessage",),
        example={"id": "agent-inbox"},
    ),
    ProtocolEndpoint(
        name="flights",
        path="/flights",
        says="What runs and ran, newest first.",
        records=("ControlFlight",),
        query={
            "state": {"type": "string", "enum": ["", *_STATES]},
            "limit": {"type": "integer", "minimum": 1, "maximum": MOST},
        },
        example={"limit": 5},
    ),
    ProtocolEndpoint(
        name="flight",
        path="/flights/{id}",
        says="One flight, with what it gave.",
        records=("ControlFlight",),
        example={"id": "FLIGHT"},
    ),
    ProtocolEndpoint(
        name="records",
        path="/records",
        says="Questions and work items; of the Agent Inbox those that are open.",
        records=("ControlQuestion", "ControlWorkItem"),
    ),
    ProtocolEndpoint(
        name="bindings",
        path="/bindings",
        says="Channels of other programs that conversations are bound to.",
        records=("ControlBinding",),
    ),
    ProtocolEndpoint(
        name="deliveries",
        path="/deliveries",
        says="How messages reach whom they are for, newest first.",
        records=("ControlDelivery",),
    ),
)
"""All endpoints except the stream, which is a WebSocket."""


def control_definitions(place: str) -> Json:
    """Return the schemas of commands and records by name; their references point to `place`."""
    text = json.dumps(control_schema()["$defs"]).replace("#/$defs/", place)
    found: Json = json.loads(text)
    return found


def command_schema(place: str) -> Json:
    """Return the schema of a command; its references point to `place`."""
    return {"oneOf": [_named(place, one.__name__) for one in COMMAND_TYPES]}


def answer_schema(endpoint: ProtocolEndpoint, place: str) -> Json:
    """Return the schema of an endpoint's answer; its references point to `place`."""
    match endpoint.name:
        case "about":
            names = ("dialect", "nodeId", "agentId", "actorId")
            actions = {"type": "array", "items": {"type": "string"}}
            return _object({**{one: {"type": "string"} for one in names}, "actions": actions})
        case "command":
            parts = {"kind": {"type": "string"}, "record": {"type": "object"}, "isNew": {"type": "boolean"}}
            return _object(parts)
        case _:
            named = [_named(place, one) for one in endpoint.records]
            one_of = named[0] if len(named) == 1 else {"oneOf": named}
            listed = {"type": "array", "items": one_of}
            return _object({"dialect": {"const": DIALECT}, LISTED.get(endpoint.name, endpoint.name): listed})


LISTED: Final[Mapping[str, str]] = {"flight": "flights"}
"""Endpoints whose list has a different name."""


def _object(properties: Json) -> Json:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _named(place: str, record: str) -> Json:
    return {"$ref": f"{place}{record}"}
