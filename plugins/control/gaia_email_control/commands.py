"""The broker's twelve commands. Entry points: `read_command`, `ControlCommand`."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter, ValidationError

from gaia_email_control.collaboration_records import CollaborationEvent, CollaborationRecord
from gaia_email_control.records import (
    ControlActor,
    ControlAgent,
    ControlBinding,
    ControlConversation,
    ControlEndpoint,
    ControlInvocation,
    ControlMessage,
    ControlNode,
)
from gaia_email_control.vocabulary import StreamTransport
from gaia_email_control.wire import ScoutId, WireMetadata, WireRecord, check_depth, refuse_record


class PostMessage(WireRecord):
    """Say something in a conversation."""

    kind: Literal["conversation.post"]
    message: ControlMessage


class InvokeAgent(WireRecord):
    """Ask an agent for work."""

    kind: Literal["agent.invoke"]
    invocation: ControlInvocation


class EnsureAwake(WireRecord):
    """Have an agent ready for work."""

    kind: Literal["agent.ensure_awake"]
    agent_id: ScoutId
    requester_id: ScoutId
    reason: str
    metadata: WireMetadata | None = None


class StreamSubscription(WireRecord):
    """Choice of events; an absent field chooses all."""

    actor_id: ScoutId
    conversation_ids: list[ScoutId] | None = None
    flight_ids: list[ScoutId] | None = None
    event_kinds: list[str] | None = None


class SubscribeStream(WireRecord):
    """Be told events as they happen."""

    kind: Literal["stream.subscribe"]
    subscription: StreamSubscription
    transport: StreamTransport


class UpsertNode(WireRecord):
    """Add a node or replace it."""

    kind: Literal["node.upsert"]
    node: ControlNode


class UpsertActor(WireRecord):
    """Add an actor or replace it."""

    kind: Literal["actor.upsert"]
    actor: ControlActor


class UpsertAgent(WireRecord):
    """Add an agent or replace it."""

    kind: Literal["agent.upsert"]
    agent: ControlAgent


class UpsertEndpoint(WireRecord):
    """Add an agent's endpoint or replace it."""

    kind: Literal["agent.endpoint.upsert"]
    endpoint: ControlEndpoint


class UpsertConversation(WireRecord):
    """Begin a conversation or replace what is known of it."""

    kind: Literal["conversation.upsert"]
    conversation: ControlConversation


class UpsertBinding(WireRecord):
    """Bind a conversation to an outside channel."""

    kind: Literal["binding.upsert"]
    binding: ControlBinding


class UpsertCollaboration(WireRecord):
    """Put up a question or a work item, or replace it."""

    kind: Literal["collaboration.upsert"]
    record: CollaborationRecord


class AppendCollaborationEvent(WireRecord):
    """Say what happened to a question or a work item."""

    kind: Literal["collaboration.event.append"]
    event: CollaborationEvent


ControlCommand: TypeAlias = Annotated[
    PostMessage
    | InvokeAgent
    | EnsureAwake
    | SubscribeStream
    | UpsertNode
    | UpsertActor
    | UpsertAgent
    | UpsertEndpoint
    | UpsertConversation
    | UpsertBinding
    | UpsertCollaboration
    | AppendCollaborationEvent,
    Field(discriminator="kind"),
]

COMMAND_TYPES: Final[tuple[type[WireRecord], ...]] = (
    PostMessage,
    InvokeAgent,
    EnsureAwake,
    SubscribeStream,
    UpsertNode,
    UpsertActor,
    UpsertAgent,
    UpsertEndpoint,
    UpsertConversation,
    UpsertBinding,
    UpsertCollaboration,
    AppendCollaborationEvent,
)

_COMMANDS: Final[TypeAdapter[ControlCommand]] = TypeAdapter(ControlCommand)


def read_command(value: object) -> ControlCommand:
    """Parse a command from a JSON value.

    It does not check if the record may be stored: see `collaboration.record_errors` and `refusals.command_refusal`.

    Raises:
        BadArgument: It is not a command; the message names the fields and never repeats their values.
    """
    check_depth(value)
    try:
        return _COMMANDS.validate_python(value, by_alias=True, by_name=False)
    except ValidationError as error:
        raise refuse_record("The command", error) from None
