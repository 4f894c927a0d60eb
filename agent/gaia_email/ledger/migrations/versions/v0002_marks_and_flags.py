"""Marks of messages, for searches; flags of verdicts, for trying a policy on past mail; what no sync has listed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from gaia_email.ledger.marks import marks_of

revision = "0002"
down_revision = "0001"

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_AT_ONCE = 1_000


def upgrade() -> None:
    """Add the table and the columns; what the copy of mail holds gets its marks."""
    marks = op.create_table(
        "message_marks",
        sa.Column("row", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("account_id", sa.Text(), nullable=False),
        sa.Column("marks", sa.BigInteger(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("date", sa.Float(precision=53), nullable=True),
        sa.PrimaryKeyConstraint("row"),
    )
    op.create_index("messages_by_header", "messages", ["header_message_id"], unique=False)
    unlisted = sa.text("generation < 0")
    op.create_index(
        "messages_unconfirmed",
        "messages",
        ["account_id"],
        unique=False,
        sqlite_where=unlisted,
        postgresql_where=unlisted,
    )
    _mark(marks)
    for name in ("phishing", "injection", "spam"):
        op.add_column("message_state", sa.Column(name, sa.Float(precision=53), nullable=True))
    op.add_column("message_state", sa.Column("needs_reply", sa.Boolean(), nullable=True))
    for name in ("unsubscribe", "forged", "withheld"):
        op.add_column("message_state", sa.Column(name, sa.Text(), nullable=True))


def _mark(marks: sa.Table) -> None:
    """The bits follow from the labels alone, so today's rule is right here, too: who changes it marks all again."""
    names = ("row", "account_id", "labels", "has_attachments", "size", "date")
    columns: list[sa.ColumnClause[object]] = [sa.column(name) for name in names]
    messages = sa.table("messages", *columns)
    bind = op.get_bind()
    last = -1
    while True:
        some = sa.select(messages).where(messages.c.row > last).order_by(messages.c.row).limit(_AT_ONCE)
        found = bind.execute(some).mappings().all()
        if not found:
            return
        op.bulk_insert(
            marks,
            [
                {"marks": marks_of(one["labels"], bool(one["has_attachments"]))}
                | {name: one[name] for name in ("row", "account_id", "size", "date")}
                for one in found
            ],
        )
        last = found[-1]["row"]
