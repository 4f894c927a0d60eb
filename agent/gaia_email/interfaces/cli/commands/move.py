"""`gaia email move ID --to WHERE`: to another folder."""

from __future__ import annotations

from gaia_email.app.operations.labelling import move
from gaia_email.interfaces.cli.did import ACTED
from gaia_email.interfaces.cli.from_operation import operation_command

command = operation_command(
    move,
    """Move messages to the inbox, the archive, spam, Trash, or a folder that your mailbox has.

    At a provider with labels, they get the label and leave the inbox. `gaia email undo` puts them back.
    """,
    ACTED,
)
