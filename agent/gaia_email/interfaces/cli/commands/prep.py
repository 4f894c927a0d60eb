"""`gaia email prep`: what to know before a meeting."""

from __future__ import annotations

from gaia_email.app.operations.day import prep
from gaia_email.interfaces.cli.from_operation import OperationView, operation_command

command = operation_command(
    prep,
    """What to know before your meetings of the next day: who takes part, the last threads with them, what is open.

    From the calendar of the account, or from invitations in mail; gaia email schedule add prep puts up a note before
    each. docs/brief.md says more.
    """,
    OperationView(
        columns=("id", "start", "title", "people"),
        rows=lambda document: document["meetings"],
        card="prep_card.print_meetings",
    ),
)
