"""`gaia email brief`: the day on one screen."""

from __future__ import annotations

import sys

import click

from gaia_email.app import App
from gaia_email.app.operations.day import BRIEF
from gaia_email.interfaces.cli.from_operation import OperationView, call_operation, print_document
from gaia_email.interfaces.cli.options import (
    NamedSource,
    field_list,
    output_options,
    pass_asking_app,
    source_options,
)
from gaia_email.interfaces.cli.output import chosen_format

VIEW = OperationView(
    columns=("kind", "date", "messages", "threads", "owe_total", "owed_total", "archived_total"),
    card="brief_card.print_brief",
)


@click.command(name="brief")
@click.option("--evening", is_flag=True, help="The evening's, about tomorrow. Usually the one of the hour.")
@click.option("--date", "day", metavar="DATE", default="", help="Whose events: a day such as 2026-11-30.")
@click.option("--last", is_flag=True, help="The last one that was made by the clock, as it was then.")
@click.option(
    "--to", type=click.Choice(["markdown", "html", "print", "speech"]), help="As text in this form."
)
@source_options
@output_options
@pass_asking_app
def command(
    app: App,
    evening: bool,
    day: str,
    last: bool,
    to: str | None,
    named: NamedSource,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> int:
    """The day: your mail in its buckets, the calendar, and who owes whom.

    In the morning it is about today, from 17:00 on about tomorrow. Events come from the calendar of the account, else
    from invitations in mail. gaia email schedule add brief makes one every day; docs/brief.md says more.
    """
    if last and (evening or day):
        raise click.UsageError("--last shows one that was made; --evening and --date make one.")
    asked = {"evening": evening, "date": day, "last": last, "to": to or ""}
    answer = call_operation(app, BRIEF, asked, named)
    if to and not (as_json or as_jsonl or fields):
        sys.stdout.write(answer.document["text"])
        return 0
    return print_document(answer, VIEW, chosen_format(as_json, as_jsonl, fields), field_list(fields))
