"""Questions of the gate in memory, by the rules and in the table that the ledger has for them. Entry: `InMemory`."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import nullcontext

from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateTable

from gaia_email.ledger.approvals import GATE_TABLE
from gaia_email.ledger.tables import CONFIRMATIONS
from gaia_email_registry.approvals import AskerApprovals
from gaia_email_registry.clock import now
from tests.origins import PERSON


class InMemory(AskerApprovals):
    """The questions of one program run."""

    def __init__(self, clock: Callable[[], float] = now) -> None:
        db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        db.execute(str(CreateTable(CONFIRMATIONS).compile(dialect=sqlite.dialect())))
        super().__init__(GATE_TABLE, lambda _: nullcontext(db.execute), clock, origin=PERSON)
