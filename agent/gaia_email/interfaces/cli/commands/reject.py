"""`gaia email reject ID…`: say no to what was proposed."""

from __future__ import annotations

from gaia_email.app.operations.acting import reject
from gaia_email.interfaces.cli.answering import ANSWERED
from gaia_email.interfaces.cli.from_operation import operation_command

command = operation_command(
    reject,
    "Do nothing of what item or question ID proposes. A step of a level that was earned by approvals is taken back.",
    ANSWERED,
)
