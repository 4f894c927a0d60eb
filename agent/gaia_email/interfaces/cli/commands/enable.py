"""`gaia email enable`: switches accounts on."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import pass_app


@click.command(name="enable")
@click.option("--account", metavar="ACCOUNT", help="Only this one.")
@pass_app
def command(app: App, account: str | None) -> None:
    """Switch accounts on again; without --account, all of them."""
    from gaia_email.interfaces.cli.enabling import switch_accounts
    from gaia_email.interfaces.cli.person import need_yes

    need_yes(app, "Switch it on again")
    switch_accounts(app, account, enabled=True)
