"""`gaia email correct ID`: say what is right; recorded, and taken back with --retract."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.cascade.verdict import BUCKETS, Bucket
from gaia_email.interfaces.cli.options import (
    NamedSource,
    field_list,
    output_options,
    pass_app,
    source_options,
)
from gaia_email.interfaces.cli.output import chosen_format, note, write_rows

COLUMNS = ("id", "was", "bucket", "cohort", "retracted")


@click.command(name="correct")
@click.argument("message_id", metavar="ID")
@click.option("--bucket", type=click.Choice(BUCKETS), help="Where it belongs.")
@click.option("--retract", "take_back", is_flag=True, help="Take back what was last said about it.")
@source_options
@output_options
@pass_app
def command(
    app: App,
    message_id: str,
    bucket: Bucket | None,
    take_back: bool,
    named: NamedSource,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> None:
    """Say that message ID (as a listing shows it) belongs in another bucket.

    It is recorded with the sender and what the rules saw in the message, without its words, and can be taken back. A
    step of a level that its cohort earned by approvals is taken back with it.
    """
    from gaia_email.documents.pending import corrected_row
    from gaia_email.interfaces.cli.acting import INTERFACE
    from gaia_email.interfaces.cli.naming import message_named
    from gaia_email.interfaces.cli.person import need_person
    from gaia_email.services.corrections import correct_message, retract_correction

    if (bucket is None) == (not take_back):
        raise click.UsageError("Give --bucket, or --retract.")
    need_person(app)
    if bucket is None:
        done = retract_correction(app, message_id, actor=INTERFACE)
    else:
        message_id, source = message_named(app, message_id, named)
        done = correct_message(app, source, message_id, bucket, actor=INTERFACE)
    said = done.correction
    row = corrected_row(done, retracted=take_back)
    form = chosen_format(as_json, as_jsonl, fields)
    if form != "card":
        write_rows(row, [row], COLUMNS, form, field_list(fields))
    else:
        note(
            "taken back." if take_back else f"recorded: {said.corrected.bucket}, not {said.original.bucket}."
        )
