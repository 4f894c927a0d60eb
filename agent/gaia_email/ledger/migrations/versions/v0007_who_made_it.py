"""Which language model had a say in a verdict, and what each model answered, so that nothing is asked twice."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the columns and the table."""
    op.add_column("message_state", sa.Column("model", sa.Text(), nullable=True))
    op.add_column("message_state", sa.Column("prompt_version", sa.Text(), nullable=True))
    op.create_table(
        "model_answers",
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("made_in", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("prompt_version", sa.Text(), nullable=False),
        sa.Column("asked_at", sa.Float(53), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("account_id", "content_hash", "made_in", "model", "prompt_version"),
    )
