"""`gaia email archive ID`: out of the inbox."""

from __future__ import annotations

from gaia_email.app.operations.acting import archive
from gaia_email.interfaces.cli.did import ACTED
from gaia_email.interfaces.cli.from_operation import operation_command

command = operation_command(
    archive,
    "Take messages out of the inbox; they stay in the mailbox. `gaia email undo` puts them back.",
    ACTED,
)
