"""`gaia email unsubscribe --sender S`: leave a mailing list by one click."""

from __future__ import annotations

from gaia_email.app.operations.acting import unsubscribe
from gaia_email.interfaces.cli.did import ACTED
from gaia_email.interfaces.cli.from_operation import operation_command

command = operation_command(
    unsubscribe,
    """Ask a sender's list to stop, by the one-click header of RFC 8058, never by a link in the text. Asks first.

    It cannot be undone. Whether the list took it is kept in the list of actions.
    """,
    ACTED,
    asks="",
)
