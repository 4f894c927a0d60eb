"""`gaia email runs`: what ran, runs and waits; `runs cancel ID` ends one."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import HelpfulGroup, field_list, output_options, pass_app
from gaia_email.interfaces.cli.output import chosen_format


@click.group(name="runs", cls=HelpfulGroup, invoke_without_command=True)
@click.option("--limit", metavar="N", type=click.IntRange(1, 1000), default=20, help="Usually 20.")
@output_options
@click.pass_context
@pass_app
def command(app: App, context: click.Context, limit: int, as_json: bool, as_jsonl: bool, fields: str) -> None:
    """The latest runs, newest first, with what became of each. A run outlives the program that began it.

    States: queued, running, completed, failed, cancelled (by you, a stop, a pause or quiet hours).
    """
    if context.invoked_subcommand is None:
        from gaia_email.interfaces.cli.run_printing import print_runs

        print_runs(app, limit, chosen_format(as_json, as_jsonl, fields), field_list(fields))


@command.command(name="cancel")
@click.argument("run_id", metavar="ID")
@pass_app
def cancel(app: App, run_id: str) -> None:
    """End the run ID now (the beginning of an id will do): nothing more of it is done, and it is not resumed."""
    from gaia_email.interfaces.cli.output import note
    from gaia_email.runs.history import cancel as cancel_run

    cancel_run(app.environ, run_id)
    note("cancelled. What it did before can be taken back: gaia email undo --run " + run_id)
