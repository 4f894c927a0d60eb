"""Tables of automations as they were made first; what came later is a step of the plug-in."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Boolean, Column, Float, Index, Integer, MetaData, Table, Text

from gaia_email.ledger.tables import SEQUENCE

revision = "0011"
down_revision = "0010"

MADE = MetaData()

Table(
    "automations",
    MADE,
    Column("automation_id", Text, primary_key=True),
    Column("account_id", Text, nullable=False),
    Column("place", Text, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("created_at", Float(53), nullable=False),
    Column("updated_at", Float(53), nullable=False),
)
Table(
    "automation_versions",
    MADE,
    Column("automation_id", Text, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("account_id", Text, nullable=False),
    Column("definition", Text, nullable=False),
    Column("flows", Text, nullable=False),
    Column("saved_by", Text, nullable=False),
    Column("saved_at", Float(53), nullable=False),
)
Table(
    "automation_triggers",
    MADE,
    Column("trigger_id", Text, primary_key=True),
    Column("automation_id", Text, nullable=False),
    Column("account_id", Text, nullable=False),
    Column("position", Integer, nullable=False),
    Column("type", Text, nullable=False),
    Column("config", Text, nullable=False),
    Column("enabled", Boolean, nullable=False),
    Column("secret_hash", Text, nullable=True),
    Column("last_fired_at", Float(53), nullable=True),
    Column("cursor", SEQUENCE, nullable=False),
    Index("automation_triggers_by_automation", "automation_id"),
)
Table(
    "automation_runs",
    MADE,
    Column("run_id", Text, primary_key=True),
    Column("automation_id", Text, nullable=False),
    Column("account_id", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("trigger_id", Text, nullable=True),
    Column("trigger_type", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("place", Text, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("definition", Text, nullable=False),
    Column("flows", Text, nullable=False),
    Column("trigger_payload", Text, nullable=False),
    Column("inputs", Text, nullable=False),
    Column("tainted", Text, nullable=False),
    Column("output", Text, nullable=False),
    Column("error", Text, nullable=False),
    Column("failed_step_id", Text, nullable=True),
    Column("calls", Integer, nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("usd", Float(53), nullable=False),
    Column("chain", Text, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("created_at", Float(53), nullable=False),
    Column("started_at", Float(53), nullable=True),
    Column("resumed_at", Float(53), nullable=True),
    Column("finished_at", Float(53), nullable=True),
    Index("automation_runs_by_automation", "automation_id", "created_at"),
    Index("automation_runs_by_status", "status"),
)
Table(
    "automation_steps",
    MADE,
    Column("run_id", Text, primary_key=True),
    Column("step_id", Text, primary_key=True),
    Column("account_id", Text, nullable=False),
    Column("position", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("config", Text, nullable=False),
    Column("output", Text, nullable=False),
    Column("error", Text, nullable=False),
    Column("confirmation_id", Text, nullable=True),
    Column("started_at", Float(53), nullable=False),
    Column("finished_at", Float(53), nullable=True),
)
Table(
    "automation_keys",
    MADE,
    Column("trigger_id", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("account_id", Text, nullable=False),
    Column("run_id", Text, nullable=False),
    Column("at", Float(53), nullable=False),
)


def upgrade() -> None:
    """Make them; nothing is in them yet."""
    MADE.create_all(op.get_bind())
