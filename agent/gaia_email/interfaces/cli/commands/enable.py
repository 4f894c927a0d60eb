"""`gaia email enable`: switches accounts on."""

from __future__ import annotations

import click


@click.command(name="enable")
@click.option("--account", metavar="ACCOUNT", help="Only this one.")
def command(account: str | None) -> None:
    """Switch accounts on again; without --account, all of them."""
    from gaia_email.interfaces.cli.enabling import switch_accounts
    from gaia_email.interfaces.cli.person import need_yes

    need_yes("Switch it on again")
    switch_accounts(account, enabled=True)
