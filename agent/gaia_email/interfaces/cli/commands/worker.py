"""`gaia email worker`: executes scheduled and waiting runs until stopped."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import pass_app


@click.command(name="worker")
@click.option("--watch", "watching", is_flag=True, help="Also triage each connected account as mail arrives.")
@pass_app
def command(app: App, watching: bool) -> int:
    """Run schedules, and runs that other programs asked for or left half done. Ends at Ctrl-C or SIGTERM.

    A run that is under way then goes on at the next start, after its last finished step. One worker a machine.
    """
    from gaia_email.interfaces.cli.working import work

    return work(app, watching=watching)
