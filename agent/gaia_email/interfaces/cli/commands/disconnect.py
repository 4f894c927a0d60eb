"""`gaia email disconnect`: removes an account; its mail stays where it is."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import pass_app


@click.command(name="disconnect")
@click.argument("account", metavar="ACCOUNT")
@pass_app
def command(app: App, account: str) -> None:
    """Forget ACCOUNT, its password and what was kept of it here; a login at Google is revoked there.

    The mail on the server and other accounts stay.
    """
    from gaia_email.app.accounts.connect import disconnect
    from gaia_email.app.accounts.connect_files import files_of
    from gaia_email.interfaces.cli.output import note
    from gaia_email.interfaces.cli.person import need_person

    need_person(app)
    done = disconnect(account, app.environ)
    gone = done.account
    if files_of(gone) is not None:
        note(f"disconnected {gone.id}: the copy of its mail is gone from here, the files are untouched.")
        return
    note(f"disconnected {gone.id}: its password, index and copy are gone from here, its mail is untouched.")
    if done.told:
        note(done.told)
    if not gone.secret.startswith("vault:"):
        note("the command or file that gives its password was not this program's and is as it was.")
