"""Rows of the inbox have one text, from which a card is made, too; they are made anew when it is listed next."""

from __future__ import annotations

from alembic import op

from gaia_email.ledger.tables import INBOX_MARKS, INBOX_SHOWN, INBOX_STATE, INBOX_THREADS, METADATA

revision = "0014"
down_revision = "0013"

MADE_ANEW = (INBOX_THREADS, INBOX_SHOWN, INBOX_STATE, INBOX_MARKS)


def upgrade() -> None:
    """Make the tables of rows anew: they hold nothing that the copy of mail does not give again."""
    tx = op.get_bind()
    METADATA.drop_all(tx, tables=list(MADE_ANEW))
    METADATA.create_all(tx, tables=list(MADE_ANEW))
