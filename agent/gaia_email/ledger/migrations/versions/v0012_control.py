"""Tables of the control protocol: records of other programs, grants, and what flights gave."""

from __future__ import annotations

from alembic import op

from gaia_email.ledger.control_tables import CONTROL_TABLES
from gaia_email.ledger.tables import METADATA

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Make them; nothing is in them yet."""
    METADATA.create_all(op.get_bind(), tables=list(CONTROL_TABLES))
