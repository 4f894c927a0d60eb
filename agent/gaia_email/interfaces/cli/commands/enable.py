"""`gaia email enable`: enables accounts."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.app.operations.deciding import enable
from gaia_email.interfaces.cli.from_operation import call_operation, operation_parameters
from gaia_email.interfaces.cli.options import pass_asking_app
from gaia_email.interfaces.cli.output import note


@click.command(name="enable")
@pass_asking_app
def command(app: App, account: str | None) -> None:
    """Switch accounts on again; without --account, all of them."""
    answer = call_operation(app, enable, {"account": account}, asks="Switch it on again")
    for one in (switched := answer.document["accounts"]):
        note(f"{one} is switched on.")
    if not switched:
        note(f"{account or 'every account'} was switched on before; nothing changed.")


command.params[:0] = operation_parameters(enable)
