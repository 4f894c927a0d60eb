"""Summaries and bodies in the copy of mail, so that interfaces can read it; accounts are listed once more for them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the table, and forget the cursors: the next listing confirms what is here without reading it again."""
    op.create_table(
        "message_source",
        sa.Column("row", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("refused", sa.Boolean(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=True),
        sa.Column("defects", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("row"),
    )
    op.drop_index("messages_unconfirmed", "messages")
    op.create_index("messages_by_account", "messages", ["account_id", "row"], unique=False)
    state = sa.table("sync_state", sa.column("cursor", sa.Text()), sa.column("complete", sa.Boolean()))
    op.execute(sa.update(state).values(cursor=None, complete=False))
