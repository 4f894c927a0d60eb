"""`gaia email draft ID`: a reply to finish and send yourself; `--save` stores it as a draft."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from gaia_email.app import App
from gaia_email.app.operations.acting import draft
from gaia_email.interfaces.cli.from_operation import (
    OperationAnswer,
    OperationView,
    call_operation,
    print_document,
)
from gaia_email.interfaces.cli.options import (
    NamedSource,
    OutputChoice,
    pass_app,
    pass_output,
    source_options,
)
from gaia_email.interfaces.cli.output import note

if TYPE_CHECKING:
    from gaia_email.app.services.drafting import DraftDocument


@click.command(name="draft")
@click.argument("message_id", metavar="ID")
@click.option("--tone", type=click.Choice(["usual", "formal", "casual"]), default="usual", show_default=True)
@click.option("--length", type=click.Choice(["short", "medium", "long"]), default="medium", show_default=True)
@click.option(
    "--language",
    type=click.Choice(["en", "de", "fr", "es", "it", "pt", "nl"]),
    help="Usually the message's.",
)
@click.option("--answer", "say", metavar="TEXT", default="", help="Your answer in your own words.")
@click.option("--improve", "task", flag_value="improve", help="Have a model put --answer better.")
@click.option("--shorten", "task", flag_value="shorten", help="Have a model shorten --answer.")
@click.option("--no-model", is_flag=True, help="Without a language model, also where one is chosen.")
@click.option("--save", is_flag=True, help="Keep it as a draft in the mailbox.")
@source_options
@pass_output
@pass_app
def command(
    app: App,
    /,
    message_id: str,
    task: Literal["improve", "shorten"] | None,
    no_model: bool,
    named: NamedSource,
    out: OutputChoice,
    **asked: Any,
) -> None:
    """A reply to message ID (as a listing shows it): your usual greeting, what is asked, your sign-off. Sends nothing.

    How you write is counted from your sent mail. Without --answer the questions of the message stand there, quoted,
    with room for your words; a model chosen with "gaia email models use" writes sentences of its own instead. What it
    names that the conversation does not is marked [check], and what would promise something is left out. --save keeps
    it as a draft in the mailbox; sending it is up to you.
    """
    from gaia_email.interfaces.cli.naming import message_named
    from gaia_email.triage.tiers import has_models

    message_id, chosen = message_named(app, message_id, named)
    if task is not None and no_model:
        raise click.UsageError(f"--{task} needs a language model: leave --no-model out.")
    by_model = task is not None or (not no_model and not asked["say"] and has_models(app.environ))
    wanted = {**asked, "message_id": message_id, "by_model": by_model, "task": task}
    if chosen.kind == "demo" and asked["save"]:
        raise click.UsageError("The sample mailbox is only read: leave --save out.")
    answer = call_operation(app, draft, wanted, source=chosen)
    print_document(answer, _VIEW, *out)


def print_draft(row: DraftDocument, answer: OperationAnswer) -> None:
    """Print the reply with its head on standard output, and notes for the user on standard error."""
    from gaia_email.interfaces.chat.words import draft_head, draft_notes

    for line in draft_head(row):
        click.echo(line)
    click.echo("")
    click.echo(row["body"])
    for said in draft_notes(row):
        note(said)
    if row["questions_left_out"]:
        note(f"{row['questions_left_out']} more questions; --length long takes up all of them.")
    note(
        "kept as a draft; nothing was sent."
        if row["saved"]
        else "nothing was kept or sent; --save keeps it as a draft."
    )


_VIEW = OperationView(
    columns=("id", "to", "cc", "subject", "body", "saved"), card="commands.draft.print_draft"
)
