"""Items and questions of the Agent Inbox carry their origin; those from before say that it is not known."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Text

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the column to both tables; an empty text is an unknown origin."""
    for table in ("confirmations", "pending"):
        op.add_column(table, Column("origin", Text(), nullable=False, server_default=""))
