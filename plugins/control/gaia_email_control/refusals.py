"""Refuse what dialect 0.1 can express but this product does not do.

Entry points: `command_refusal`, `delivery_refusal`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gaia_email_control.commands import ControlCommand, InvokeAgent, UpsertAgent, UpsertBinding, UpsertNode
from gaia_email_control.vocabulary import DeliveryTargetKind, DeliveryTransport

MESH: Final = (
    "Brokers of several machines do not join here (no mesh); connect to the broker of that machine itself."
)
VOICE: Final = "There are no voice sessions here; have your own program speak the text of the message."
BRIDGES: Final[Mapping[str, str]] = {"telegram": "Telegram", "discord": "Discord", "sms": "SMS"}
"""Platforms of bridges that are not supported, by their name in a binding or transport."""

_SPOKEN: Final[tuple[DeliveryTransport, ...]] = ("tts", "native_voice")


def command_refusal(command: ControlCommand, *, node_id: str) -> str | None:
    """Return the sentence that refuses an unsupported command; None if it is supported.

    Args:
        command: The command.
        node_id: The id of this machine's node.
    """
    match command:
        case UpsertNode(node=node) if node.id != node_id or node.advertise_scope == "mesh":
            return MESH
        case UpsertAgent(agent=agent) if agent.advertise_scope == "mesh":
            return MESH
        case UpsertAgent(agent=agent) if {agent.home_node_id, agent.authority_node_id} != {node_id}:
            return MESH
        case InvokeAgent(invocation=invocation) if invocation.target_node_id not in (None, node_id):
            return MESH
        case UpsertBinding(binding=binding):
            return _bridge_refusal(binding.platform)
        case _:
            return None


def delivery_refusal(target_kind: DeliveryTargetKind, transport: DeliveryTransport) -> str | None:
    """Return the sentence that refuses an unsupported target or transport of a delivery; None if it is supported."""
    if transport == "peer_broker":
        return MESH
    if target_kind == "voice_session" or transport in _SPOKEN:
        return VOICE
    return _bridge_refusal(transport)


def _bridge_refusal(platform: str) -> str | None:
    name = BRIDGES.get(platform.strip().lower())
    return (
        None
        if name is None
        else f"There is no bridge to {name} here; deliver to a device or a webhook instead."
    )
