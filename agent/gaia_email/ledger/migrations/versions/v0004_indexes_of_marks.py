"""Indexes over marks and sizes, so that what is rare is found without looking at every message."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the indexes."""
    op.create_index("message_marks_by_marks", "message_marks", ["marks"], unique=False)
    op.create_index("message_marks_by_size", "message_marks", ["size"], unique=False)
