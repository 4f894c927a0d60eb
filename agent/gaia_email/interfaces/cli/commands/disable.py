"""`gaia email disable`: switches accounts off."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import pass_app


@click.command(name="disable")
@click.option("--account", metavar="ACCOUNT", help="Only this one.")
@pass_app
def command(app: App, account: str | None) -> None:
    """Switch accounts off: no connection, no run and no watch of them. Without --account, all of them.

    What runs now ends before its next effect; the login and everything kept here stay. gaia email enable ends it.
    """
    from gaia_email.interfaces.cli.enabling import switch_accounts

    switch_accounts(app, account, enabled=False)
