"""`gaia email reply-later ID`: into the queue to be answered later."""

from __future__ import annotations

from gaia_email.app.operations.acting import reply_later
from gaia_email.interfaces.cli.did import ACTED
from gaia_email.interfaces.cli.from_operation import operation_command

command = operation_command(
    reply_later,
    """Put messages into the queue to be answered later, or take them off it with --done; `gaia email later` lists it.

    The queue is the label gaia/reply-later at your mail provider, so any machine sees it; messages stay where they are.
    """,
    ACTED,
    name="reply-later",
)
