"""The ledger records the version of each plug-in's tables; every older ledger has those of these two."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Integer, Text

revision = "0015"
down_revision = "0014"

FIRST = ("automations", "control")


def upgrade() -> None:
    """Make the table, with the plug-ins whose tables earlier steps made."""
    made = op.create_table(
        "plugin_versions",
        Column("name", Text(), primary_key=True),
        Column("version", Integer(), nullable=False),
    )
    op.bulk_insert(made, [{"name": name, "version": 1} for name in FIRST])
