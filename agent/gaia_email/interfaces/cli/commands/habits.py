"""`gaia email habits`: what a mailbox shows of its owner."""

from __future__ import annotations

from gaia_email.app.documents.habits import HABITS_COLUMNS
from gaia_email.app.operations.reading import habits
from gaia_email.interfaces.cli.from_operation import OperationView, operation_command

command = operation_command(
    habits,
    """Whom you answer and how soon, your newsletters, signature and languages, as the last 90 days show them.

    Counted anew each time and kept nowhere. Whom you answer often counts as a VIP; gaia email vip changes that.
    """,
    OperationView(
        columns=HABITS_COLUMNS,
        rows=lambda document: document["people"],
        card="habits_card.print_habits",
    ),
)
