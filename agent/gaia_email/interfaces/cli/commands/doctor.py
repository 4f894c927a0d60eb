"""`gaia email doctor`: what is wrong on this machine, and the command that mends it."""

from __future__ import annotations

from gaia_email.app.operations.state import doctor
from gaia_email.interfaces.cli.from_operation import OperationView, operation_command

command = operation_command(
    doctor,
    """Look at disk, files, passwords, clock, ledgers, schedule, MCP clients, models, logins, certificates and MX.

    It asks the servers of your accounts and DNS, and changes nothing. Each thing that is wrong comes with the command
    that mends it. Exit code 1 while anything is.
    """,
    OperationView(
        columns=("ok", "check", "says", "mend"),
        rows=lambda document: document["findings"],
        card="doctor_card.print_findings",
        code=lambda document: 1 if document["wrong"] else 0,
    ),
)
