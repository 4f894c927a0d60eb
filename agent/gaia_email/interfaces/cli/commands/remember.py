"""`gaia email remember`: sentences about how you like things, kept, shown, changed and deleted."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import field_list, output_options, pass_app
from gaia_email.interfaces.cli.output import chosen_format, note, write_rows

COLUMNS = ("n", "text", "said_in")


@click.command(name="remember")
@click.argument("text", metavar="[TEXT]", required=False)
@click.option("--list", "listing", is_flag=True, help="Show what is remembered (as without TEXT).")
@click.option("--edit", metavar="N", type=click.IntRange(min=1), help="Put TEXT in the place of number N.")
@click.option("--forget", metavar="N", type=click.IntRange(min=1), help="Delete number N.")
@output_options
@pass_app
def command(
    app: App,
    text: str | None,
    listing: bool,
    edit: int | None,
    forget: int | None,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> None:
    """Remember TEXT, a sentence of yours about how you like things. Only you say what is remembered, never a mail."""
    from gaia_email.interfaces.cli.person import need_person
    from gaia_email.services import memory

    if (
        (forget is not None and (text or edit))
        or (listing and (text or edit or forget))
        or (edit and not text)
    ):
        raise click.UsageError("Give TEXT, --edit N TEXT, --forget N, or --list.")
    if text or forget is not None:
        need_person(app)
    if forget is not None:
        known = memory.forget(app, forget, said_in="cli")
    elif text and edit:
        known = memory.replace_sentence(app, edit, text, said_in="cli")
    elif text:
        known = memory.remember(app, text, said_in="cli")
    else:
        known = memory.remembered(app)
    from gaia_email.documents.talk import remember_document

    document = remember_document([(one.text, one.said_in) for one in known])
    rows = document["sentences"]
    form = chosen_format(as_json, as_jsonl, fields)
    if form != "card":
        write_rows(document, rows, COLUMNS, form, field_list(fields))
        return
    from gaia_mail.printable import visible

    for row in rows:
        click.echo(f"{row['n']:>3}  {visible(row['text'])}  (said in {row['said_in']})")
    if not rows:
        note('nothing is remembered; gaia email remember "I sign with A." changes that.')
