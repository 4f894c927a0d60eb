"""What was made of each message of the copy, so that a second look need not read and judge it again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the table; it fills as mail is judged."""
    op.create_table(
        "kept_verdicts",
        sa.Column("row", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("basis", sa.Text(), nullable=False),
        sa.Column("age", sa.Float(53), nullable=False),
        sa.Column("after", sa.Float(53), nullable=False),
        sa.Column("until", sa.Float(53), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("row"),
    )
