"""`gaia email summarise ID`: a thread in a few sentences, each with the message it is from."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import (
    NamedSource,
    field_list,
    output_options,
    pass_app,
    source_options,
)
from gaia_email.interfaces.cli.output import chosen_format


@click.command(name="summarise")
@click.argument("message_id", metavar="ID")
@source_options
@output_options
@pass_app
def command(
    app: App, message_id: str, named: NamedSource, as_json: bool, as_jsonl: bool, fields: str
) -> None:
    """The thread of message ID (as a listing shows it) in a few sentences, each with the message it is from.

    By the language model you chose, if any: numbers, dates, names and amounts that do not stand in the message are not
    shown. Without one, by lines taken out of the messages.
    """
    from gaia_email.documents.summary import SUMMARY_COLUMNS, summary_document
    from gaia_email.interfaces.cli.naming import message_named
    from gaia_email.interfaces.cli.output import note, write_rows
    from gaia_email.interfaces.cli.session import user_rules
    from gaia_email.interfaces.cli.summary_view import print_summary
    from gaia_email.services.reading import sum_up_thread

    message_id, source = message_named(app, message_id, named)
    found = sum_up_thread(app, source, message_id, rules=user_rules(app), tell=note)
    form = chosen_format(as_json, as_jsonl, fields)
    if form == "card":
        print_summary(found, source)
        return
    document, rows = summary_document(found)
    if found.said:
        note(found.said)
    write_rows(document, rows, SUMMARY_COLUMNS, form, field_list(fields))
