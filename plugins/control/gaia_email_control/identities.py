"""This machine's side as the protocol's records. Entry points: `LocalIdentities`, `agent_record`."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Final

from gaia_email_control.records import ControlActor, ControlAgent, ControlConversation, ControlNode
from gaia_email_control.selectors import format_selector

_FLIGHTS: Final = uuid.UUID("6f0e3c0a-4f5e-4c7e-9a43-6f2d1c0b7a55")


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalIdentities:
    """The protocol's ids of this machine's side.

    Attributes:
        node_id: This machine.
        agent_id: The agent, and its definition: `@gaia-email` names it in a text.
        owner_id: The owner of the mail.
        program_id: Any holder of the API token: programs of the owner, which ask and decide nothing.
        inbox_id: The conversation that represents the Agent Inbox.
    """

    node_id: str
    agent_id: str = "gaia-email"
    owner_id: str = "owner"
    program_id: str = "api-token"
    inbox_id: str = "agent-inbox"

    @property
    def ids(self) -> frozenset[str]:
        """All of these ids; no other actor may use one."""
        return frozenset((self.node_id, self.agent_id, self.owner_id, self.program_id, self.inbox_id))


def flight_id_of(invocation_id: str) -> str:
    """Return the id of the flight for an invocation by another program."""
    return str(uuid.uuid5(_FLIGHTS, invocation_id))


def node_record(who: LocalIdentities, name: str, *, registered_at: float) -> ControlNode:
    """Return the record of this machine, which belongs to no mesh: it is the only node of its own.

    Args:
        who: The ids of this machine.
        name: Its name for people.
        registered_at: Time of first use, epoch seconds.
    """
    return ControlNode.of(
        id=who.node_id,
        mesh_id=who.node_id,
        name=name,
        advertise_scope="local",
        registered_at=round(registered_at * 1000),
    )


def owner_record(who: LocalIdentities, name: str) -> ControlActor:
    """Return the owner of the mail, the only one who approves anything."""
    return ControlActor.of(id=who.owner_id, kind="person", display_name=name)


def agent_record(who: LocalIdentities) -> ControlAgent:
    """Return the agent, which chats, works when invoked, summarises, and presents items for review."""
    return ControlAgent.of(
        id=who.agent_id,
        kind="agent",
        display_name="gaia-email",
        definition_id=who.agent_id,
        default_selector=format_selector({"definitionId": who.agent_id}),
        agent_class="operator",
        capabilities=["chat", "invoke", "summarize", "review"],
        wake_policy="on_demand",
        home_node_id=who.node_id,
        authority_node_id=who.node_id,
        advertise_scope="local",
        owner_id=who.owner_id,
    )


def inbox_record(who: LocalIdentities) -> ControlConversation:
    """Return the Agent Inbox: the conversation in which the agent notifies and asks its owner."""
    return ControlConversation.of(
        id=who.inbox_id,
        kind="system",
        title="Agent Inbox",
        visibility="private",
        share_mode="local",
        authority_node_id=who.node_id,
        participant_ids=[who.owner_id, who.agent_id],
    )


def session_record(session_id: str, who: LocalIdentities) -> ControlConversation:
    """Return a chat session of the owner with the agent."""
    return ControlConversation.of(
        id=session_id,
        kind="direct",
        title="Chat",
        visibility="private",
        share_mode="local",
        authority_node_id=who.node_id,
        participant_ids=[who.owner_id, who.agent_id],
    )
