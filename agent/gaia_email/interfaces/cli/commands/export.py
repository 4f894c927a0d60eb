"""`gaia email export`: the content of the ledger, for other programs. No mailbox is contacted."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.app.documents.export import EXPORT_PARTS
from gaia_email.interfaces.cli.options import pass_app
from gaia_email.interfaces.cli.times import since_epoch
from gaia_email_registry.clock import utc_now


@click.command(name="export")
@click.option(
    "--what",
    type=click.Choice(EXPORT_PARTS),
    multiple=True,
    help="Only this; repeat for several. Default: all.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "csv"]),
    default="json",
    show_default=True,
    help="Format of the file.",
)
@click.option(
    "--output", metavar="PATH", help="A file, or for several tables as CSV a folder; else standard output."
)
@click.option("--account", metavar="NAME", help="Only this account's.")
@click.option("--since", metavar="7d|DATE", help="Only from then on.")
@click.option("--bodies", is_flag=True, help="Include the texts of messages and drafts.")
@click.option("--people", is_flag=True, help="Include senders and subjects in the event log.")
@pass_app
def command(
    app: App,
    what: tuple[str, ...],
    form: str,
    output: str | None,
    account: str | None,
    since: str | None,
    bodies: bool,
    people: bool,
) -> None:
    """Export what the ledger holds: events, actions, verdicts, corrections, settings, and the copy of mail."""
    from gaia_email.app.services.names import account_named
    from gaia_email.app.services.upkeep import ExportSelection
    from gaia_email.interfaces.cli.exporting import run_export

    chosen = ExportSelection(
        account_id=account_named(app, account),
        since=since_epoch(since, utc_now()),
        bodies=bodies,
        people=people,
    )
    run_export(app, what or EXPORT_PARTS, chosen, csv=form == "csv", output=output)
