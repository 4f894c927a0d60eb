"""`gaia email summarise ID`: a thread in a few sentences, each with the message it is from."""

from __future__ import annotations

from gaia_email.app.operations.reading import summarise
from gaia_email.interfaces.cli.from_operation import OperationView, operation_command

command = operation_command(
    summarise,
    """The thread of message ID (as a listing shows it) in a few sentences, each with the message it is from.

    By the language model you chose, if any: numbers, dates, names and amounts that do not stand in the message are not
    shown. Without one, by lines taken out of the messages.
    """,
    OperationView(
        columns=("message", "from.address", "text"),
        rows=lambda document: document["lines"],
        notes=lambda document: [document["said"]] if document["said"] else [],
        card="summary_view.print_summary",
    ),
)
