"""Tables of the control protocol as they were made first; what came later is a step of the plug-in."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Float, Index, Integer, MetaData, Table, Text

from gaia_email.ledger.tables import SEQUENCE

revision = "0012"
down_revision = "0011"

MADE = MetaData()


def _record_table(name: str, *columns: str) -> Table:
    """Return a table of records by ID; `columns` are fields of the record that are queried."""
    return Table(
        name,
        MADE,
        Column("id", Text, primary_key=True),
        Column("seq", SEQUENCE, nullable=False),
        Column("record", Text, nullable=False),
        *(Column(column, Text, nullable=True) for column in columns),
        *(Index(f"{name}_by_{column}", column, "seq") for column in columns),
    )


_record_table("control_nodes")
_record_table("control_actors")
_record_table("control_agents")
_record_table("control_agent_endpoints", "agent_id")
_record_table("control_conversations")
_record_table("control_bindings", "conversation_id")
_record_table("control_messages", "conversation_id")
_record_table("control_invocations", "requester_id")
_record_table("control_flights", "requester_id", "state")
_record_table("control_collaboration", "conversation_id")
_record_table("control_collaboration_events", "record_id")
_record_table("deliveries", "message_id", "target_id")
_record_table("delivery_attempts", "delivery_id")
Table(
    "control_conversation_members",
    MADE,
    Column("conversation_id", Text, primary_key=True),
    Column("actor_id", Text, primary_key=True),
    Column("position", Integer, nullable=False),
)
Table(
    "control_message_mentions",
    MADE,
    Column("message_id", Text, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("actor_id", Text, nullable=False),
    Column("label", Text, nullable=True),
)
Table(
    "control_message_attachments",
    MADE,
    Column("message_id", Text, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("record", Text, nullable=False),
)
Table(
    "control_kept",
    MADE,
    Column("kind", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("seq", SEQUENCE, nullable=False),
    Column("record", Text, nullable=False),
)
Table(
    "control_grants",
    MADE,
    Column("agent_id", Text, primary_key=True),
    Column("key_id", Text, nullable=False),
    Column("key_digest", Text, nullable=False),
    Column("actions", Text, nullable=False),
    Column("account", Text, nullable=False),
    Column("granted_by", Text, nullable=False),
    Column("granted_at", Float(53), nullable=False),
)
Table(
    "control_outputs",
    MADE,
    Column("flight_id", Text, primary_key=True),
    Column("output", Text, nullable=False),
    Column("at", Float(53), nullable=False),
)


def upgrade() -> None:
    """Make them; nothing is in them yet."""
    MADE.create_all(op.get_bind())
