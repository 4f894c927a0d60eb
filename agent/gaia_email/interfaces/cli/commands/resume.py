"""`gaia email resume`: the agent may work again."""

from __future__ import annotations

from gaia_email.app.operations.deciding import resume
from gaia_email.interfaces.cli.from_operation import operation_command
from gaia_email.interfaces.cli.switching import SWITCHED

command = operation_command(
    resume,
    "End a pause or a stop. What was cancelled stays cancelled; travel mode and quiet hours stay as they are.",
    SWITCHED,
    asks="Let the agent work again",
)
