"""`gaia email followups`: who owes whom an answer, and your decisions about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gaia_email.app import App
from gaia_email.app.documents.layouts.mail import FOLLOWUP, FOLLOWUPS
from gaia_email.app.operations.day import decide_followup, followups
from gaia_email.interfaces.cli.from_operation import OperationView, call_operation, print_document
from gaia_email.interfaces.cli.options import (
    NamedSource,
    field_list,
    output_options,
    pass_asking_app,
    source_options,
)
from gaia_email.interfaces.cli.output import chosen_format

if TYPE_CHECKING:
    from gaia_email.app.documents.followups import FollowupsDocument

COLUMNS = ("id", "owes", "due", "days", "until", "subject", "why")


def limits(document: FollowupsDocument) -> list[str]:
    """Return notes on follow-ups that are not shown."""
    said = list[str]()
    if document["total"] > document["shown"]:
        said.append(f"showing {document['shown']:,} of {document['total']:,}; --limit shows more")
    if document["unread"]:
        said.append(f"{document['unread']:,} messages were too many to be read")
    return said


LISTED = OperationView(
    columns=COLUMNS,
    rows=lambda document: document["followups"],
    notes=limits,
    noted=("jsonl", "json", "tsv", "card"),
    layout=FOLLOWUPS,
)
SAID = OperationView(columns=(*COLUMNS, "said"), layout=FOLLOWUP)


@click.command(name="followups")
@click.option("--owe", is_flag=True, help="Only what you owe.")
@click.option("--owed", is_flag=True, help="Only what is owed to you.")
@click.option("--limit", metavar="N", type=click.IntRange(1, 1000), default=100, help="At most N threads.")
@click.option("--dismiss", metavar="ID", help="It is settled, until a newer message comes.")
@click.option("--wait", metavar="ID", help="Do not tell of it until --until.")
@click.option("--until", metavar="WHEN", help="For --wait: 3d, friday, 2030-01-31.")
@click.option("--correct", metavar="ID", help="It is as --as says.")
@click.option(
    "--as", "as_side", type=click.Choice(["owe", "owed", "nothing"]), help="For --correct: who owes."
)
@source_options
@output_options
@pass_asking_app
def command(
    app: App,
    owe: bool,
    owed: bool,
    limit: int,
    dismiss: str | None,
    wait: str | None,
    until: str | None,
    correct: str | None,
    as_side: str | None,
    named: NamedSource,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> int:
    """Show who owes whom an answer: what people expect of you or you promised, and what you asked or were promised.

    Read from the threads of the last 60 days, without a language model; docs/follow-ups.md says how well. What you
    say of a thread holds until a newer message comes, and changes no mail.
    """
    said = [one for one in (dismiss, wait, correct) if one]
    if len(said) > 1 or (said and (owe or owed)) or (owe and owed):
        raise click.UsageError("Choose one of --owe, --owed, --dismiss, --wait and --correct.")
    if bool(wait) != bool(until) or bool(correct) != bool(as_side):
        raise click.UsageError("--wait takes --until, and --correct takes --as.")
    form, names = chosen_format(as_json, as_jsonl, fields), field_list(fields)
    if said:
        decided = "dismiss" if dismiss else "wait" if wait else as_side
        asked = {"message_id": said[0], "decided": decided, "until": until or ""}
        return print_document(call_operation(app, decide_followup, asked, named), SAID, form, names)
    side = "owe" if owe else "owed" if owed else "all"
    answer = call_operation(app, followups, {"side": side, "limit": limit}, named)
    return print_document(answer, LISTED, form, names)
