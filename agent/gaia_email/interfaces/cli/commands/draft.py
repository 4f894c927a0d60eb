"""`gaia email draft ID`: a reply to finish and send yourself; kept as a draft with `--save`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import (
    NamedSource,
    OutputChoice,
    pass_app,
    printed,
    source_options,
)
from gaia_email.interfaces.cli.output import note, write_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaia_email.app.documents.talk import DraftDocument
    from gaia_email.app.services.drafting import DraftedReply, Length, ReplyRequest
    from gaia_email.app.services.source import SourceSpec
    from gaia_email.app.services.voice import Tone

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
@click.option("--improve", "task", flag_value="improve", help="Have a model put --answer better.")
@click.option("--shorten", "task", flag_value="shorten", help="Have a model shorten --answer.")
@click.option("--no-model", is_flag=True, help="Without a language model, also where one is chosen.")
@click.option("--save", is_flag=True, help="Keep it as a draft in the mailbox.")
@source_options
@printed
@pass_app
def command(
    app: App,
    message_id: str,
    tone: Tone,
    length: Length,
    language: str | None,
    answer: str,
    task: Literal["improve", "shorten"] | None,
    no_model: bool,
    save: bool,
    named: NamedSource,
    out: OutputChoice,
) -> None:
    """A reply to message ID (as a listing shows it): your usual greeting, what is asked, your sign-off. Sends nothing.

    How you write is counted from your sent mail. Without --answer the questions of the message stand there, quoted,
    with room for your words; a model chosen with "gaia email models use" writes sentences of its own instead. What it
    names that the conversation does not is marked [check], and what would promise something is left out. --save keeps
    it as a draft in the mailbox; sending it is up to you.
    """
    from gaia_email.app.services.choosing import sample_source
    from gaia_email.app.services.drafting import ReplyRequest, save_draft
    from gaia_email.interfaces.cli.naming import message_named
    from gaia_email.interfaces.cli.person import need_person
    from gaia_email.triage.tiers import has_models

    request = ReplyRequest(tone=tone, length=length, language=language or "", answer=answer)
    message_id, chosen = message_named(app, message_id, named)
    if task is not None and no_model:
        raise click.UsageError(f"--{task} needs a language model: leave --no-model out.")
    by_model = task is not None or (not no_model and not answer and has_models(app.environ))
    make = partial(_make, message_id, request, (task or "write") if by_model else None, app.environ)
    if chosen.kind == "demo":
        if save:
            raise click.UsageError("The sample mailbox is only read: leave --save out.")
        with sample_source(app) as (of_sample, sample):
            draft = make(of_sample, sample)
    else:
        draft = make(app, chosen)
        if save:
            need_person(app)
            save_draft(app, chosen, draft, actor="cli")
    from gaia_email.app.services.drafting import draft_row

    row: DraftDocument = {"schema_version": 1, **draft_row(draft), "saved": save}
    if out.form != "card":
        write_rows(row, [row], COLUMNS, *out)
        return
    _show(draft, row)
    note(
        "kept as a draft; nothing was sent."
        if save
        else "nothing was kept or sent; --save keeps it as a draft."
    )


def _make(
    message_id: str,
    request: ReplyRequest,
    task: Literal["write", "improve", "shorten"] | None,
    models: Mapping[str, str],
    app: App,
    source: SourceSpec,
) -> DraftedReply:
    """The reply; without a task, no model is asked, otherwise the one chosen in the environment `models`."""
    from gaia_email.app.services.drafting import draft_for, written_draft

    if task is None:
        return draft_for(app, source, message_id, request, own_words=True)
    return written_draft(app, source, message_id, request, models, task=task, tell=note)


def _show(draft: DraftedReply, row: DraftDocument) -> None:
    from gaia_email.interfaces.chat.words import draft_notes
    from gaia_mail.printable import visible_text

    click.echo(visible_text(draft.body))
    for said in draft_notes(row):
        note(said)
    if draft.left_out:
        note(f"{draft.left_out} more questions; --length long takes up all of them.")
