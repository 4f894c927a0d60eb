"""`gaia email runs`: past, current and waiting runs; `runs cancel ID` ends one."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.app.operations.deciding import cancel_run
from gaia_email.app.operations.state import runs
from gaia_email.interfaces.cli.from_operation import (
    call_operation,
    operation_command,
    view_of,
    with_commands_below,
)
from gaia_email.interfaces.cli.options import pass_asking_app

command = with_commands_below(
    operation_command(
        runs,
        """The latest runs, newest first, with what became of each. A run outlives the program that began it.

    States: queued, running, completed, failed, cancelled (by you, a stop, a pause or quiet hours).
    """,
        view_of(runs),
    )
)


@command.command(name="cancel")
@click.argument("run_id", metavar="ID")
@pass_asking_app
def cancel(app: App, run_id: str) -> None:
    """End the run ID now (the beginning of an id will do): nothing more of it is done, and it is not resumed."""
    from gaia_email.interfaces.cli.output import note

    call_operation(app, cancel_run, {"run_id": run_id})
    note("cancelled. What it did before can be taken back: gaia email undo --run " + run_id)
