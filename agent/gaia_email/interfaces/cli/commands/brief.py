"""`gaia email brief`: the day on one screen."""

from __future__ import annotations

from gaia_email.app.operations.day import brief
from gaia_email.interfaces.cli.from_operation import OperationView, operation_command

command = operation_command(
    brief,
    """The day: your mail in its buckets, the calendar, and who owes whom.

    In the morning it is about today, from 17:00 on about tomorrow. Events come from the calendar of the account, else
    from invitations in mail. gaia email schedule add brief makes one every day; docs/brief.md says more.
    """,
    OperationView(
        columns=("kind", "date", "messages", "threads", "owe_total", "owed_total", "archived_total"),
        card="brief_card.print_brief",
        text=lambda document: document["text"],
        is_text=True,
    ),
)
