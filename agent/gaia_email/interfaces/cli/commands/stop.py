"""`gaia email stop`: everything ends now."""

from __future__ import annotations

from gaia_email.app.operations.deciding import stop
from gaia_email.interfaces.cli.from_operation import operation_command
from gaia_email.interfaces.cli.switching import STOPPED

command = operation_command(
    stop,
    """Stop the agent now, and see what it did in the last day.

    Nothing is changed after the effect that is under way, what waits for your answer is void, and nothing starts
    again by itself: gaia email resume does that.
    """,
    STOPPED,
)
