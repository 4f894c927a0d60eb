"""`gaia email mark ID --as read`: read, unread, starred or not."""

from __future__ import annotations

from gaia_email.app.operations.labelling import mark
from gaia_email.interfaces.cli.did import ACTED
from gaia_email.interfaces.cli.from_operation import operation_command

command = operation_command(
    mark, "Mark messages read, unread, starred or not starred. `gaia email undo` takes it back.", ACTED
)
