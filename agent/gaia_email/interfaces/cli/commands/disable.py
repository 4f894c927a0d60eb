"""`gaia email disable`: disables accounts."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.app.operations.deciding import disable
from gaia_email.interfaces.cli.from_operation import call_operation, operation_parameters
from gaia_email.interfaces.cli.options import pass_asking_app
from gaia_email.interfaces.cli.output import note


@click.command(name="disable")
@pass_asking_app
def command(app: App, account: str | None) -> None:
    """Switch accounts off: no connection, no run and no watch of them. Without --account, all of them.

    What runs now ends before its next effect; the login and everything kept here stay. gaia email enable ends it.
    """
    answer = call_operation(app, disable, {"account": account})
    for one in (switched := answer.document["accounts"]):
        note(f"{one} is switched off.")
    if switched:
        of = f" --account {account}" if account else ""
        note(f"its data stays. next: gaia email enable{of} switches it on again.")
    else:
        note(f"{account or 'every account'} was switched off before; nothing changed.")


command.params[:0] = operation_parameters(disable)
