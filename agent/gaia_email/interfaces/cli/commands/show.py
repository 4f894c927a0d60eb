"""`gaia email show ID`: one message for reading, with what was hidden in it."""

from __future__ import annotations

from gaia_email.app.operations.reading import show
from gaia_email.interfaces.cli.from_operation import OperationView, operation_command

command = operation_command(
    show,
    "Message ID (as a listing shows it): what its sender wrote, and what quotes, signature and tricks were removed.",
    OperationView(
        columns=("id", "bucket", "date", "from.address", "subject", "text.normalized"),
        card="detail_card.print_show",
    ),
)
