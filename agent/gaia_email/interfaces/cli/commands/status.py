"""`gaia email status`: how everything stands. No mail server is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.app.operations.state import status
from gaia_email.interfaces.cli.from_operation import OperationView, operation_command

if TYPE_CHECKING:
    from gaia_email.app.documents.status import StatusDocument

COLUMNS = (
    "switches.stopped_at",
    "switches.paused_at",
    "last_run.started_at",
    "pending.confirmation",
    "pending.question",
    "pending.review",
    "pending.notify",
    "planned_actions",
    "ledger.verified",
)


def _broken(document: StatusDocument) -> int:
    ledger = document["ledger"]
    return 1 if ledger is not None and ledger["broken"] is not None else 0


command = operation_command(
    status,
    """Accounts, switches, the last run, what waits for you, and whether the event log is whole.

    Exit code 1 where the log is broken: somebody changed the ledger's file past this program.
    """,
    OperationView(columns=COLUMNS, card="status_view.print_status", code=_broken),
)
