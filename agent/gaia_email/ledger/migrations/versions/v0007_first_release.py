"""Where the numbering begins: a new ledger is made whole from `tables.py`, so there is nothing to change."""

from __future__ import annotations

revision = "0007"
down_revision = None


def upgrade() -> None:
    """Nothing: no older ledger is brought to this version."""
