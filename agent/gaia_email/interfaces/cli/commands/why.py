"""`gaia email why ID`: what decided a verdict, signal by signal."""

from __future__ import annotations

from gaia_email.app.operations.reading import why
from gaia_email.interfaces.cli.from_operation import OperationView, operation_command

command = operation_command(
    why,
    "Why message ID (as a listing shows it) is in its bucket: reason, signals and the words behind them.",
    OperationView(
        columns=(
            "id",
            "bucket",
            "priority.score",
            "priority.reason",
            "confidence",
            "cohort",
            "from.address",
            "subject",
        ),
        card="detail_card.print_why",
    ),
)
