"""`gaia email disconnect`: forgets an account; its mail stays where it is."""

from __future__ import annotations

import os

import click


@click.command(name="disconnect")
@click.argument("account", metavar="ACCOUNT")
def command(account: str) -> None:
    """Forget ACCOUNT, its password and what was kept of it here. The mail on the server and other accounts stay."""
    from gaia_email.connecting import disconnect
    from gaia_email.faces.cli.output import note

    gone = disconnect(account, os.environ)
    note(f"disconnected {gone.id}: its password, index and copy are gone from here, its mail is untouched.")
    if gone.server == "gmail":
        note("Google lists it until you remove it at myaccount.google.com/permissions.")
    if not gone.secret.startswith("vault:"):
        note("the command or file that gives its password was not this program's and is as it was.")
