"""The gate's questions in the ledger, stored by `gaia_email_registry.approvals`. Entry: `approvals_in`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from sqlalchemy import Connection, text

from gaia_email_registry.approvals import (
    ApprovalStore,
    ApprovalTable,
    Execute,
)

GATE_TABLE = ApprovalTable(
    name="confirmations",
    columns={
        "approval_id": "confirmation_id",
        "call": "fingerprint",
        "account": "account_id",
        "tool": "tool",
        "fields": "shown",
        "arguments": "arguments",
        "state": "state",
        "created_at": "created_at",
        "expires_at": "expires_at",
        "answered_at": "answered_at",
        "answered_by": "answered_by",
        "used_at": "used_at",
        "origin": "origin",
        "run_id": "run_id",
    },
)
"""The table `confirmations` of `tables.py`, described for `ApprovalStore`."""


def approvals_in(tx: Connection, clock: Callable[[], float]) -> ApprovalStore:
    """Return the store of the gate's questions within an open transaction."""
    return ApprovalStore(GATE_TABLE, lambda _: nullcontext(statements_in(tx)), clock)


def statements_in(tx: Connection) -> Execute:
    """Return a function that executes a statement in a transaction."""
    return lambda statement, values: tx.execute(text(statement), values)
