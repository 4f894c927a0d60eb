"""The protocol's records of actors, places, messages and work. Entry points: `ControlMessage`, `ControlFlight`.

A message is conversation; an invocation is work; a flight is the tracked life of one invocation; a delivery is planned
for one target and transport; a binding maps an outside channel to a conversation.
"""

from __future__ import annotations

from pydantic import Field

from gaia_email_control.vocabulary import (
    ActorKind,
    AdvertiseScope,
    AgentCapability,
    AgentClass,
    AgentHarness,
    AgentState,
    AttemptStatus,
    BindingMode,
    ConversationKind,
    DeliveryPolicy,
    DeliveryReason,
    DeliveryStatus,
    DeliveryTargetKind,
    DeliveryTransport,
    EndpointTransport,
    FlightState,
    InvocationAction,
    MessageClass,
    ShareMode,
    VisibilityScope,
    WakePolicy,
)
from gaia_email_control.wire import Milliseconds, ScoutId, WireMetadata, WireRecord


class ControlActor(WireRecord):
    """A participant: a person, an agent, a device, the system."""

    id: ScoutId
    kind: ActorKind
    display_name: str
    handle: str | None = None
    labels: list[str] | None = None
    metadata: WireMetadata | None = None


class ControlAgent(ControlActor):
    """An agent: what it can do, where it is at home, and how it is named in a selector."""

    definition_id: ScoutId
    node_qualifier: str | None = None
    workspace_qualifier: str | None = None
    selector: str | None = None
    default_selector: str | None = None
    agent_class: AgentClass
    capabilities: list[AgentCapability]
    wake_policy: WakePolicy
    home_node_id: ScoutId
    authority_node_id: ScoutId
    advertise_scope: AdvertiseScope
    owner_id: ScoutId | None = None


class ControlHelper(ControlActor):
    """An actor that helps its owner with one engine on one node."""

    owner_id: ScoutId
    node_id: ScoutId
    engine: str
    capabilities: list[AgentCapability]


class ControlEndpoint(WireRecord):
    """Address of an agent."""

    id: ScoutId
    agent_id: ScoutId
    node_id: ScoutId
    harness: AgentHarness
    transport: EndpointTransport
    state: AgentState
    address: str | None = None
    session_id: str | None = None
    pane: str | None = None
    cwd: str | None = None
    project_root: str | None = None
    metadata: WireMetadata | None = None


class ControlNode(WireRecord):
    """A machine with a broker."""

    id: ScoutId
    mesh_id: ScoutId
    name: str
    host_name: str | None = None
    advertise_scope: AdvertiseScope
    broker_url: str | None = None
    tailnet_name: str | None = None
    capabilities: list[str] | None = None
    labels: list[str] | None = None
    metadata: WireMetadata | None = None
    last_seen_at: Milliseconds | None = None
    registered_at: Milliseconds


class ControlConversation(WireRecord):
    """A conversation with its participants, to which messages are posted."""

    id: ScoutId
    kind: ConversationKind
    title: str
    visibility: VisibilityScope
    share_mode: ShareMode
    authority_node_id: ScoutId
    participant_ids: list[ScoutId]
    topic: str | None = None
    parent_conversation_id: ScoutId | None = None
    message_id: ScoutId | None = None
    metadata: WireMetadata | None = None


class ControlBinding(WireRecord):
    """The channel of another program that a conversation is shown in."""

    id: ScoutId
    conversation_id: ScoutId
    platform: str
    mode: BindingMode
    external_channel_id: str
    external_thread_id: str | None = None
    metadata: WireMetadata | None = None


class MessageMention(WireRecord):
    """An actor that a message names."""

    actor_id: ScoutId
    label: str | None = None


class MessageAttachment(WireRecord):
    """A file that goes with a message."""

    id: ScoutId
    media_type: str
    file_name: str | None = None
    blob_key: str | None = None
    url: str | None = None
    metadata: WireMetadata | None = None


class MessageSpeech(WireRecord):
    """Part of a message to speak aloud; nothing here speaks."""

    text: str
    voice: str | None = None
    interruptible: bool | None = None


class MessageAudience(WireRecord):
    """Audience of a message: who sees it, who is notified, and who is invoked."""

    visible_to: list[ScoutId] | None = None
    notify: list[ScoutId] | None = None
    invoke: list[ScoutId] | None = None
    reason: DeliveryReason | None = None


class ControlMessage(WireRecord):
    """Something said in a conversation."""

    id: ScoutId
    conversation_id: ScoutId
    actor_id: ScoutId
    origin_node_id: ScoutId
    message_class: MessageClass = Field(alias="class")
    body: str
    reply_to_message_id: ScoutId | None = None
    thread_conversation_id: ScoutId | None = None
    mentions: list[MessageMention] | None = None
    attachments: list[MessageAttachment] | None = None
    speech: MessageSpeech | None = None
    audience: MessageAudience | None = None
    visibility: VisibilityScope
    policy: DeliveryPolicy
    created_at: Milliseconds
    metadata: WireMetadata | None = None


class InvocationExecution(WireRecord):
    """Execution of an invocation's work."""

    harness: AgentHarness | None = None


class ControlInvocation(WireRecord):
    """Work that somebody asks an agent for."""

    id: ScoutId
    requester_id: ScoutId
    requester_node_id: ScoutId
    target_agent_id: ScoutId
    target_node_id: ScoutId | None = None
    action: InvocationAction
    task: str
    conversation_id: ScoutId | None = None
    message_id: ScoutId | None = None
    context: WireMetadata | None = None
    execution: InvocationExecution | None = None
    ensure_awake: bool
    stream: bool
    timeout_ms: Milliseconds | None = None
    created_at: Milliseconds
    metadata: WireMetadata | None = None


class ControlFlight(WireRecord):
    """Progress of the work of one invocation."""

    id: ScoutId
    invocation_id: ScoutId
    requester_id: ScoutId
    target_agent_id: ScoutId
    state: FlightState
    summary: str | None = None
    output: str | None = None
    error: str | None = None
    started_at: Milliseconds | None = None
    completed_at: Milliseconds | None = None
    metadata: WireMetadata | None = None


class ControlDelivery(WireRecord):
    """That a message or an invocation is to reach one target over one transport."""

    id: ScoutId
    message_id: ScoutId | None = None
    invocation_id: ScoutId | None = None
    target_id: ScoutId
    target_node_id: ScoutId | None = None
    target_kind: DeliveryTargetKind
    transport: DeliveryTransport
    reason: DeliveryReason
    policy: DeliveryPolicy
    status: DeliveryStatus
    binding_id: ScoutId | None = None
    lease_owner: str | None = None
    lease_expires_at: Milliseconds | None = None
    metadata: WireMetadata | None = None


class ControlDeliveryAttempt(WireRecord):
    """One try to carry out a delivery, numbered from 1, and how it went."""

    id: ScoutId
    delivery_id: ScoutId
    attempt: int
    status: AttemptStatus
    error: str | None = None
    external_ref: str | None = None
    created_at: Milliseconds
    metadata: WireMetadata | None = None


class ControlDeliveryTarget(WireRecord):
    """A recipient of deliveries, and the transport."""

    id: ScoutId
    kind: DeliveryTargetKind
    transport: DeliveryTransport
    address: str | None = None
    binding_id: ScoutId | None = None
    metadata: WireMetadata | None = None
