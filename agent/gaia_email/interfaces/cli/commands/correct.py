"""`gaia email correct ID`: record the right bucket of a message; --retract takes it back."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import click

from gaia_email.app import App
from gaia_email.app.operations.acting import correct, retract
from gaia_email.app.operations.inputs import BucketName
from gaia_email.interfaces.cli.from_operation import (
    OperationAnswer,
    OperationView,
    call_operation,
    print_document,
)
from gaia_email.interfaces.cli.options import (
    NamedSource,
    OutputChoice,
    pass_asking_app,
    pass_output,
    source_options,
)
from gaia_email.interfaces.cli.output import note

if TYPE_CHECKING:
    from gaia_email.app.documents.pending_types import CorrectDocument

COLUMNS = ("id", "was", "bucket", "cohort", "retracted")
_VIEW = OperationView(columns=COLUMNS, card="commands.correct.print_corrected")


@click.command(name="correct")
@click.argument("message_id", metavar="ID")
@click.option("--bucket", type=click.Choice(get_args(BucketName)), help="The right bucket.")
@click.option("--retract", "take_back", is_flag=True, help="Take back what was last said about it.")
@source_options
@pass_output
@pass_asking_app
def command(
    app: App,
    message_id: str,
    bucket: str | None,
    take_back: bool,
    named: NamedSource,
    out: OutputChoice,
) -> None:
    """Say that message ID (as a listing shows it) belongs in another bucket.

    It is recorded with the sender and what the rules saw in the message, without its words, and can be taken back. A
    step of a level that its cohort earned by approvals is taken back with it.
    """
    if (bucket is None) == (not take_back):
        raise click.UsageError("Give --bucket, or --retract.")
    if bucket is None:
        answer = call_operation(app, retract, {"message_id": message_id})
    else:
        answer = call_operation(app, correct, {"message_id": message_id, "bucket": bucket}, named)
    print_document(answer, _VIEW, *out)


def print_corrected(document: CorrectDocument, answer: OperationAnswer) -> None:
    """Print the recorded correction as a sentence."""
    bucket, was = document["bucket"], document["was"]
    note("taken back." if document["retracted"] else f"recorded: {bucket}, not {was}.")
