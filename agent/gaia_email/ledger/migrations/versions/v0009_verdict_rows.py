"""A verdict stands in one row with what lessons need of its message; older verdicts are made again."""

from __future__ import annotations

from alembic import op
from sqlalchemy import text

from gaia_email.ledger.tables import INBOX_VERDICTS, METADATA

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the table, and drop the two that it replaces."""
    tx = op.get_bind()
    METADATA.create_all(tx, tables=[INBOX_VERDICTS])
    for name in ("kept_verdicts", "kept_looks"):
        tx.execute(text(f"DROP TABLE IF EXISTS {name}"))
