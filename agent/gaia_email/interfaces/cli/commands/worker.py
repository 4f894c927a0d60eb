"""`gaia email worker`: runs what is scheduled and what waits, until stopped."""

from __future__ import annotations

import os

import click


@click.command(name="worker")
@click.option("--watch", "watching", is_flag=True, help="Also triage each connected account as mail arrives.")
def command(watching: bool) -> int:
    """Run schedules, and runs that other programs asked for or left half done. Ends at Ctrl-C or SIGTERM.

    A run that is under way then goes on at the next start, after its last finished step. One worker a machine.
    """
    from gaia_email.interfaces.cli.working import work

    return work(os.environ, watching=watching)
