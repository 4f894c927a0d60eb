"""`gaia email snooze ID --until WHEN`: out of the inbox until then."""

from __future__ import annotations

from gaia_email.app.operations.acting import snooze
from gaia_email.interfaces.cli.did import ACTED
from gaia_email.interfaces.cli.from_operation import operation_command

command = operation_command(
    snooze,
    """Take messages out of the inbox; `gaia email wake` brings them back, unread, when the time has come.

    The time is in a label of the message at your mail provider, so any machine can bring it back.
    """,
    ACTED,
)
