"""`gaia email ledger verify`: an integrity check of the ledger."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import HelpfulGroup, pass_app


@click.group(name="ledger", cls=HelpfulGroup)
def command() -> None:
    """The ledger: what was understood, done, asked and answered, kept on this machine."""


@command.command(name="verify")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
@pass_app
def verify(app: App, context: click.Context, as_json: bool) -> None:
    """Read the whole ledger and walk the chain of its events; exit code 1 when something is broken."""
    from gaia_email.app.services.upkeep import check_ledger
    from gaia_email.document import answer_of
    from gaia_email.interfaces.cli.output import note, write_json

    found = check_ledger(app)
    if as_json:
        write_json(answer_of(found))
    elif found.intact:
        click.echo(f"The ledger is whole: {found.events:,} events, each as it was written.")
        click.echo(
            "Rows of actions, corrections and what waits for you are not sealed, so not checked by it."
        )
    if found.broken is not None:
        note(f"Event {found.broken.seq} is broken: {found.broken.reason}.")
    if found.database is not None:
        note(f"The database is damaged: {found.database}")
    if not found.intact:
        context.exit(1)
