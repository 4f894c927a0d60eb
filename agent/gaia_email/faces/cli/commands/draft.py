"""`gaia email draft ID`: a reply to finish and send yourself; kept as a draft with `--save`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gaia_email.faces.cli.options import NamedSource, field_list, output_options, source_options
from gaia_email.faces.cli.output import chosen_format, note, write_rows

if TYPE_CHECKING:
    from gaia_email.services.drafting import Length
    from gaia_email.services.voice import Tone

COLUMNS = ("id", "to", "subject", "body", "saved")


@click.command(name="draft")
@click.argument("message_id", metavar="ID")
@click.option("--tone", type=click.Choice(["usual", "formal", "casual"]), default="usual", show_default=True)
@click.option("--length", type=click.Choice(["short", "medium", "long"]), default="medium", show_default=True)
@click.option(
    "--language",
    type=click.Choice(["en", "de", "fr", "es", "it", "pt", "nl"]),
    help="Usually the message's.",
)
@click.option("--answer", metavar="TEXT", default="", help="What you want to say, in your own words.")
@click.option("--save", is_flag=True, help="Keep it as a draft in the mailbox.")
@source_options
@output_options
def command(
    message_id: str,
    tone: Tone,
    length: Length,
    language: str | None,
    answer: str,
    save: bool,
    named: NamedSource,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> None:
    """A reply to message ID (as a listing shows it): your usual greeting, what is asked, your sign-off. Sends nothing.

    How you write is counted from your sent mail. Without --answer the questions of the message stand there, quoted,
    with room for your words. --save keeps it as a draft in the mailbox; sending it is up to you.
    """
    from gaia_email.faces.cli.naming import message_named
    from gaia_email.services.choosing import sample_source
    from gaia_email.services.drafting import Wish, draft_for, save_draft

    wish = Wish(tone=tone, length=length, language=language or "", answer=answer)
    message_id, chosen = message_named(message_id, named)
    if chosen.kind == "demo":
        if save:
            raise click.UsageError("The sample mailbox is only read: leave --save out.")
        with sample_source() as sample:
            draft = draft_for(sample, message_id, wish, own_words=True)
    else:
        draft = draft_for(chosen, message_id, wish, own_words=True)
        if save:
            save_draft(chosen, draft, actor="cli")
    from gaia_email.documents.talk import DraftDocument
    from gaia_email.services.short_rows import draft_row

    row: DraftDocument = {"schema_version": 1, **draft_row(draft), "saved": save}
    form = chosen_format(as_json, as_jsonl, fields)
    if form != "card":
        write_rows(row, [row], COLUMNS, form, field_list(fields))
        return
    from gaia_mail.printable import visible_text

    click.echo(visible_text(draft.body))
    if draft.left_out:
        note(f"{draft.left_out} more questions; --length long takes up all of them.")
    note(
        "kept as a draft; nothing was sent."
        if save
        else "nothing was kept or sent; --save keeps it as a draft."
    )
