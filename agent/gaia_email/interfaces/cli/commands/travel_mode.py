"""`gaia email travel-mode`: quiet work while the user is away."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.from_operation import call_operation, operation_parameters, print_document
from gaia_email.interfaces.cli.options import field_list, output_options, pass_app
from gaia_email.interfaces.cli.output import chosen_format
from gaia_email.interfaces.cli.switching import SWITCHED
from gaia_email.operations.deciding import TRAVEL
from gaia_email_registry.errors import NeedsApproval


@click.command(name="travel-mode")
@output_options
@pass_app
def command(app: App, until: str, as_json: bool, as_jsonl: bool, fields: str) -> None:
    """Cap every level at 2 and tell of nothing until the end of a day; mail is understood all the while."""
    form, asked = chosen_format(as_json, as_jsonl, fields), {"until": until}
    try:
        answer = call_operation(app, TRAVEL, asked, by_person=False)
    except NeedsApproval:
        answer = call_operation(app, TRAVEL, asked, asks="Let the agent do more again")
    print_document(answer, SWITCHED, form, field_list(fields))


command.params[:0] = operation_parameters(TRAVEL)
