"""Tables of automations: definitions by version, triggers, runs, steps and idempotency keys."""

from __future__ import annotations

from alembic import op

from gaia_email.ledger.automation_tables import AUTOMATION_TABLES
from gaia_email.ledger.tables import METADATA

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Make them; nothing is in them yet."""
    METADATA.create_all(op.get_bind(), tables=list(AUTOMATION_TABLES))
