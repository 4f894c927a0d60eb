"""`gaia email wake`: bring back what was snoozed until now."""

from __future__ import annotations

from gaia_email.app.operations.acting import wake
from gaia_email.interfaces.cli.did import ACTED
from gaia_email.interfaces.cli.from_operation import operation_command

command = operation_command(
    wake,
    "Bring snoozed messages whose time has come back into the inbox, unread; what is in Trash or Spam stays there.",
    ACTED,
    asks="",
)
