"""`gaia email travel-mode`: quiet work while the user is away."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.app.operations.deciding import travel
from gaia_email.interfaces.cli.from_operation import call_operation, operation_parameters, print_document
from gaia_email.interfaces.cli.options import OutputChoice, pass_asking_app, pass_output
from gaia_email.interfaces.cli.switching import SWITCHED
from gaia_email_registry.errors import NeedsApproval


@click.command(name="travel-mode")
@pass_output
@pass_asking_app
def command(app: App, until: str, out: OutputChoice) -> None:
    """Cap every level at 2 and tell of nothing until the end of a day; mail is understood all the while."""
    asked = {"until": until}
    try:
        answer = call_operation(app, travel, asked, by_person=False)
    except NeedsApproval:
        answer = call_operation(app, travel, asked, asks="Let the agent do more again")
    print_document(answer, SWITCHED, *out)


command.params[:0] = operation_parameters(travel)
