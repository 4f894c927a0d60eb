"""Tables of the inbox by rows, and of whom each cached message is addressed to, which is read from its summary."""

from __future__ import annotations

from alembic import op
from sqlalchemy import select

from gaia_email.ledger.contacts import Contacts
from gaia_email.ledger.message_sources import MailSources, rows_of_ids
from gaia_email.ledger.statements import chunks
from gaia_email.ledger.tables import (
    INBOX_MARKS,
    INBOX_SHOWN,
    INBOX_STATE,
    INBOX_THREADS,
    MESSAGES,
    METADATA,
    RECIPIENTS,
)

revision = "0008"
down_revision = "0007"

NEW = (RECIPIENTS, INBOX_THREADS, INBOX_SHOWN, INBOX_STATE, INBOX_MARKS)


def upgrade() -> None:
    """Make them; rows of the inbox are made when it is listed."""
    tx = op.get_bind()
    METADATA.create_all(tx, tables=list(NEW))
    next(index for index in MESSAGES.indexes if index.name == "messages_by_sender").create(
        tx, checkfirst=True
    )
    contacts = Contacts()
    sources = MailSources(contacts)
    for account in tx.execute(select(MESSAGES.c.account_id).distinct()).scalars().all():
        ids = (
            tx.execute(select(MESSAGES.c.message_id).where(MESSAGES.c.account_id == account)).scalars().all()
        )
        for some in chunks(ids):
            rows = rows_of_ids(tx, account, some)
            summaries = sources.summaries(tx, account, some)
            contacts.put(tx, account, [(rows[one], summary) for one, summary in summaries.items()])
