"""`gaia email remember`: stores, shows, changes and deletes your preferences as sentences."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.app.operations import deciding
from gaia_email.app.operations.state import list_remembered
from gaia_email.interfaces.cli.from_operation import call_operation, print_document, view_of
from gaia_email.interfaces.cli.options import OutputChoice, pass_asking_app, pass_output


@click.command(name="remember")
@click.argument("text", metavar="[TEXT]", required=False)
@click.option("--list", "listing", is_flag=True, help="Show what is remembered (as without TEXT).")
@click.option("--edit", metavar="N", type=click.IntRange(min=1), help="Put TEXT in the place of number N.")
@click.option("--forget", metavar="N", type=click.IntRange(min=1), help="Delete number N.")
@pass_output
@pass_asking_app
def command(
    app: App,
    text: str | None,
    listing: bool,
    edit: int | None,
    forget: int | None,
    out: OutputChoice,
) -> None:
    """Remember TEXT, a sentence of yours about how you like things. Only you say what is remembered, never a mail."""
    if (
        (forget is not None and (text or edit))
        or (listing and (text or edit or forget))
        or (edit and not text)
    ):
        raise click.UsageError("Give TEXT, --edit N TEXT, --forget N, or --list.")
    if forget is not None:
        answer = call_operation(app, deciding.forget, {"number": forget})
    elif text and edit:
        answer = call_operation(app, deciding.reword, {"number": edit, "text": text})
    elif text:
        answer = call_operation(app, deciding.remember, {"text": text})
    else:
        answer = call_operation(app, list_remembered, {})
    print_document(answer, view_of(list_remembered), *out)
