"""Tables of automations: definitions by version, triggers, runs, steps and keys.

A run stores its definition, payload and inputs; a step stores its configuration and output. These may contain text
from mail, so they are deleted after the ledger's retention period and by a purge.
"""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, Index, Integer, Table, Text

from gaia_email.ledger.tables import METADATA, SEQUENCE

AUTOMATIONS = Table(
    "automations",
    METADATA,
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
"""Automations saved by the user; `place` is the mailbox in the format of runs."""

AUTOMATION_VERSIONS = Table(
    "automation_versions",
    METADATA,
    Column("automation_id", Text, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("account_id", Text, nullable=False),
    Column("definition", Text, nullable=False),
    Column("flows", Text, nullable=False),
    Column("saved_by", Text, nullable=False),
    Column("saved_at", Float(53), nullable=False),
)
"""Every version of a definition, with the flows that were allowed when it was saved."""

AUTOMATION_TRIGGERS = Table(
    "automation_triggers",
    METADATA,
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
"""Triggers of the newest versions; `cursor` is the last event number that an event trigger has processed."""

AUTOMATION_RUNS = Table(
    "automation_runs",
    METADATA,
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
"""Runs; `chain` names the automations whose runs led to this one, `turn` counts how often it was queued."""

AUTOMATION_STEPS = Table(
    "automation_steps",
    METADATA,
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
"""Steps that were started; `config` is the configuration rendered before the step's effect."""

AUTOMATION_KEYS = Table(
    "automation_keys",
    METADATA,
    Column("trigger_id", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("account_id", Text, nullable=False),
    Column("run_id", Text, nullable=False),
    Column("at", Float(53), nullable=False),
)
"""Idempotency keys: the run started for a trigger's time, event or key."""

AUTOMATION_TABLES = (
    AUTOMATIONS,
    AUTOMATION_VERSIONS,
    AUTOMATION_TRIGGERS,
    AUTOMATION_RUNS,
    AUTOMATION_STEPS,
    AUTOMATION_KEYS,
)
