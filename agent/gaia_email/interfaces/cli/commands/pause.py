"""`gaia email pause`: no new run starts."""

from __future__ import annotations

from gaia_email.app.operations.deciding import pause
from gaia_email.interfaces.cli.from_operation import operation_command
from gaia_email.interfaces.cli.switching import SWITCHED

command = operation_command(
    pause,
    "Start no new run. The current one finishes, and reading goes on; gaia email resume ends it.",
    SWITCHED,
)
