"""`gaia email approve ID…`: agree to a proposal."""

from __future__ import annotations

from typing import Any

import click

from gaia_email.app import App
from gaia_email.app.operations.answering import approve
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.cli.answering import ANSWERED
from gaia_email.interfaces.cli.from_operation import call_operation, operation_parameters, print_document
from gaia_email.interfaces.cli.options import OutputChoice, pass_app, pass_output


@click.command(name="approve")
@click.option("--maildir", metavar="DIR", help="Folder of the mail, if it was moved.")
@pass_output
@pass_app
def command(app: App, /, maildir: str | None, out: OutputChoice, **asked: Any) -> int:
    """Do what item ID proposes (as gaia email pending shows it; the beginning of an id will do), or its message's.

    Exactly what was shown is done, once: a message that was changed meanwhile is left alone, and what was answered
    before, here or elsewhere, is told. A mail server's question is only agreed to: the same call passes once within 15
    minutes, when your assistant tries again. You type the code that your
    terminal shows. Exit code 3 where only some counted, 5 where none did.
    """
    if asked["bucket"] and (len(asked["ids"]) > 1 or asked["all_of_cohort"]):
        raise click.UsageError("--bucket is about one item.")
    moved = SourceSpec(kind="maildir", path=maildir, user=()) if maildir else None
    answer = call_operation(app, approve, asked, asks="Approve this", source=moved)
    return print_document(answer, ANSWERED, *out)


command.params[:0] = operation_parameters(approve)
