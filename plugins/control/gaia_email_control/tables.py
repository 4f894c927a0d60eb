"""Tables of the control protocol, which other programs use; each row contains its record as JSON.

All but `CONTROL_GRANTS`, `CONTROL_OUTPUTS` and `CONTROL_KEPT` are read models of the event log: they can be dropped
and rebuilt (`store.py`). `seq` is the number of the event that wrote a row.
"""

from __future__ import annotations

from sqlalchemy import Column, Float, Index, Integer, Table, Text

from gaia_email.ledger.tables import METADATA, SEQUENCE


def _record_table(name: str, *columns: str) -> Table:
    """Return a table of records by ID; `columns` are fields of the record that are queried."""
    return Table(
        name,
        METADATA,
        Column("id", Text, primary_key=True),
        Column("seq", SEQUENCE, nullable=False),
        Column("record", Text, nullable=False),
        *(Column(column, Text, nullable=True) for column in columns),
        *(Index(f"{name}_by_{column}", column, "seq") for column in columns),
    )


CONTROL_NODES = _record_table("control_nodes")
CONTROL_ACTORS = _record_table("control_actors")
CONTROL_AGENTS = _record_table("control_agents")
CONTROL_ENDPOINTS = _record_table("control_agent_endpoints", "agent_id")
CONTROL_CONVERSATIONS = _record_table("control_conversations")
CONTROL_BINDINGS = _record_table("control_bindings", "conversation_id")
CONTROL_MESSAGES = _record_table("control_messages", "conversation_id")
CONTROL_INVOCATIONS = _record_table("control_invocations", "requester_id")
CONTROL_FLIGHTS = _record_table("control_flights", "requester_id", "state")
CONTROL_COLLABORATION = _record_table("control_collaboration", "conversation_id")
CONTROL_COLLABORATION_EVENTS = _record_table("control_collaboration_events", "record_id")
DELIVERIES = _record_table("deliveries", "message_id", "target_id")
DELIVERY_ATTEMPTS = _record_table("delivery_attempts", "delivery_id")

CONTROL_MEMBERS = Table(
    "control_conversation_members",
    METADATA,
    Column("conversation_id", Text, primary_key=True),
    Column("actor_id", Text, primary_key=True),
    Column("position", Integer, nullable=False),
)
CONTROL_MENTIONS = Table(
    "control_message_mentions",
    METADATA,
    Column("message_id", Text, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("actor_id", Text, nullable=False),
    Column("label", Text, nullable=True),
)
CONTROL_ATTACHMENTS = Table(
    "control_message_attachments",
    METADATA,
    Column("message_id", Text, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("record", Text, nullable=False),
)

CONTROL_KEPT = Table(
    "control_kept",
    METADATA,
    Column("kind", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("seq", SEQUENCE, nullable=False),
    Column("record", Text, nullable=False),
)
"""Valid records whose events were pruned; together with the remaining events, they give all read models."""

CONTROL_GRANTS = Table(
    "control_grants",
    METADATA,
    Column("agent_id", Text, primary_key=True),
    Column("key_id", Text, nullable=False),
    Column("key_digest", Text, nullable=False),
    Column("actions", Text, nullable=False),
    Column("account", Text, nullable=False),
    Column("granted_by", Text, nullable=False),
    Column("granted_at", Float(53), nullable=False),
)
"""The user's grants to agents of other programs: key, actions and account."""

CONTROL_OUTPUTS = Table(
    "control_outputs",
    METADATA,
    Column("flight_id", Text, primary_key=True),
    Column("output", Text, nullable=False),
    Column("at", Float(53), nullable=False),
)
"""Outputs of flights. They may contain text from mail, so no event has them and the ledger's retention applies."""

READ_MODELS = (
    CONTROL_NODES,
    CONTROL_ACTORS,
    CONTROL_AGENTS,
    CONTROL_ENDPOINTS,
    CONTROL_CONVERSATIONS,
    CONTROL_MEMBERS,
    CONTROL_BINDINGS,
    CONTROL_MESSAGES,
    CONTROL_MENTIONS,
    CONTROL_ATTACHMENTS,
    CONTROL_INVOCATIONS,
    CONTROL_FLIGHTS,
    CONTROL_COLLABORATION,
    CONTROL_COLLABORATION_EVENTS,
    DELIVERIES,
    DELIVERY_ATTEMPTS,
)
CONTROL_TABLES = (*READ_MODELS, CONTROL_KEPT, CONTROL_GRANTS, CONTROL_OUTPUTS)
