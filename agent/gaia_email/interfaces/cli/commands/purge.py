"""`gaia email purge`: deletes the local copy of mail, or everything in the ledger, after asking twice."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import pass_app


@click.command(name="purge")
@click.option(
    "--mail", "extent", flag_value="mail", help="The local copy of mail; the next search makes it again."
)
@click.option("--everything", "extent", flag_value="everything", help="Everything in the ledger.")
@click.option("--account", metavar="NAME", help="Only this account's.")
@click.option("--yes", is_flag=True, help="Answers the first question.")
@click.option("--really", is_flag=True, help="Answers the second question.")
@click.option("--json", "as_json", is_flag=True, help="Print what was deleted as one JSON document.")
@pass_app
def command(
    app: App, extent: str | None, account: str | None, yes: bool, really: bool, as_json: bool
) -> None:
    """Delete what gaia email keeps on this machine. It says what goes and asks twice; no mailbox is touched."""
    from gaia_email.interfaces.cli.purging import run_purge

    if extent is None:
        raise click.UsageError("Say what to delete: --mail (the local copy of mail) or --everything.")
    run_purge(
        app, "mail" if extent == "mail" else "everything", account, answered=(yes, really), as_json=as_json
    )
