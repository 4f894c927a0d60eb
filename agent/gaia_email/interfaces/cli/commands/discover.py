"""`gaia email discover`: the mail accounts that this machine already names. Nothing is sent."""

from __future__ import annotations

import click

from gaia_email.app.operations.state import discover
from gaia_email.interfaces.cli.from_operation import OperationView, operation_command

command = operation_command(
    discover,
    """Accounts that the mail programs of this machine name and that are not connected yet.

    Reads the settings of mail programs (Thunderbird, Apple Mail, GNOME, KMail, mutt and others), of git and of MCP
    clients, and no password. With GAIA_DISCOVER_BROWSERS=1 also whom browsers are signed in as. What was found is kept
    in email/discovery.json of GAIA_HOME.
    """,
    OperationView(
        columns=("address", "provider", "confidence", "source", "where"),
        rows=lambda document: document["candidates"],
        card="accounts_card.print_candidates",
    ),
    options=(
        click.option("--verbose", is_flag=True, help="Every trace of each account, not only the best one."),
    ),
)
