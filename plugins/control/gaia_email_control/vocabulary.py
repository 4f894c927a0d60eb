"""The vocabulary of the protocol, dialect 0.1, as field types. Entry points: `FlightState`, `DeliveryTransport`.

A word for something that this product does not do (another machine, a voice, a bridge) is still part of the protocol,
so a record may contain it. Requests for such things are refused by `refusals`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

ActorKind: TypeAlias = Literal["person", "helper", "agent", "system", "bridge", "device"]
AgentState: TypeAlias = Literal["offline", "idle", "active", "waiting", "degraded"]
AgentClass: TypeAlias = Literal[
    "general", "builder", "reviewer", "researcher", "operator", "bridge", "system"
]
AgentCapability: TypeAlias = Literal[
    "chat", "invoke", "deliver", "speak", "listen", "bridge", "summarize", "review", "execute"
]
AgentHarness: TypeAlias = Literal["codex", "claude", "native", "worker", "bridge", "http"]
WakePolicy: TypeAlias = Literal["manual", "on_demand", "keep_warm"]
AdvertiseScope: TypeAlias = Literal["local", "mesh"]
ShareMode: TypeAlias = Literal["local", "summary", "shared"]
VisibilityScope: TypeAlias = Literal["private", "workspace", "public", "system"]
ConversationKind: TypeAlias = Literal["channel", "direct", "group_direct", "thread", "system"]
BindingMode: TypeAlias = Literal["inbound", "outbound", "bidirectional"]
MessageClass: TypeAlias = Literal["agent", "log", "system", "status", "artifact"]
InvocationAction: TypeAlias = Literal["consult", "execute", "summarize", "status", "wake"]
FlightState: TypeAlias = Literal["queued", "waking", "running", "waiting", "completed", "failed", "cancelled"]
DeliveryStatus: TypeAlias = Literal["pending", "leased", "sent", "acknowledged", "failed", "cancelled"]
AttemptStatus: TypeAlias = Literal["sent", "acknowledged", "failed"]
DeliveryPolicy: TypeAlias = Literal["best_effort", "must_ack", "durable", "ephemeral"]
DeliveryTargetKind: TypeAlias = Literal[
    "participant", "agent", "bridge", "device", "voice_session", "webhook"
]
EndpointTransport: TypeAlias = Literal[
    "local_socket",
    "http",
    "websocket",
    "claude_stream_json",
    "codex_app_server",
    "codex_exec",
    "claude_resume",
    "tmux",
]
DeliveryTransport: TypeAlias = Literal[
    "local_socket",
    "websocket",
    "peer_broker",
    "http",
    "webhook",
    "telegram",
    "discord",
    "sms",
    "email",
    "tts",
    "native_voice",
    "claude_stream_json",
    "codex_app_server",
    "codex_exec",
    "claude_resume",
    "tmux",
]
DeliveryReason: TypeAlias = Literal[
    "conversation_visibility",
    "direct_message",
    "mention",
    "thread_reply",
    "invocation",
    "bridge_outbound",
    "speech",
]
StreamTransport: TypeAlias = Literal["local_socket", "websocket"]

CollaborationKind: TypeAlias = Literal["question", "work_item"]
QuestionState: TypeAlias = Literal["open", "answered", "closed", "declined"]
WorkItemState: TypeAlias = Literal["open", "working", "waiting", "review", "done", "cancelled"]
CollaborationPriority: TypeAlias = Literal["low", "normal", "high", "urgent"]
AcceptanceState: TypeAlias = Literal["none", "pending", "accepted", "reopened"]
RelationKind: TypeAlias = Literal["blocks", "spawns", "relates_to", "references"]
WaitingOnKind: TypeAlias = Literal["actor", "question", "work_item", "approval", "artifact", "condition"]
CollaborationEventKind: TypeAlias = Literal[
    "created",
    "claimed",
    "answered",
    "accepted",
    "reopened",
    "waiting",
    "progressed",
    "handoff",
    "review_requested",
    "done",
    "declined",
    "cancelled",
]
