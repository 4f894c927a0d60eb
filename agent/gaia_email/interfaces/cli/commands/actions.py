"""`gaia email actions`: what was done to your mail, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaia_email.app.documents.actions import ACTION_COLUMNS
from gaia_email.app.operations.state import actions
from gaia_email.interfaces.cli.from_operation import OperationView, operation_command

if TYPE_CHECKING:
    from gaia_email.app.documents.actions import ActionsDocument


def _cut(document: ActionsDocument) -> list[str]:
    shown, total = document["shown"], document["total"]
    return [f"showing {shown:,} of {total:,} actions"] if shown < total else []


command = operation_command(
    actions,
    """Everything that was done to your mail, newest first, each with its reason and its undo.

    A run is one card; --json lists its actions one by one.
    """,
    OperationView(
        columns=ACTION_COLUMNS,
        rows=lambda document: document["actions"],
        notes=_cut,
        card="action_card.print_actions",
    ),
)
