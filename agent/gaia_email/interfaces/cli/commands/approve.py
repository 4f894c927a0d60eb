"""`gaia email approve ID…`: agree to what was proposed."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import field_list, output_options, pass_app
from gaia_email.interfaces.cli.output import chosen_format


@click.command(name="approve")
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option(
    "--bucket", metavar="B", help="As that instead: urgent, actionable, informational or low_priority."
)
@click.option("--all-of-cohort", is_flag=True, help="Also everything else of the same kind and cohort.")
@click.option("--maildir", metavar="DIR", help="Where the mail is, if it was moved.")
@output_options
@pass_app
def command(
    app: App,
    ids: tuple[str, ...],
    bucket: str | None,
    all_of_cohort: bool,
    maildir: str | None,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> int:
    """Do what item ID proposes (as gaia email pending shows it; the beginning of an id will do), or its message's.

    Exactly what was shown is done, once: a message that was changed meanwhile is left alone, and what was answered
    before, here or elsewhere, is told. A mail server's question is only agreed to: the same call passes once within 15
    minutes, when your assistant tries again. You type the code that your
    terminal shows. Exit code 3 where only some counted, 5 where none did.
    """
    from gaia_email.interfaces.cli.acting import INTERFACE
    from gaia_email.interfaces.cli.answering import print_answers
    from gaia_email.interfaces.cli.person import need_yes
    from gaia_email.services.answers import approve

    if bucket and (len(ids) > 1 or all_of_cohort):
        raise click.UsageError("--bucket is about one item.")
    need_yes(app, "Approve this")
    answers = approve(
        app, ids, interface=INTERFACE, bucket=bucket, all_of_cohort=all_of_cohort, maildir=maildir
    )
    return print_answers(answers, chosen_format(as_json, as_jsonl, fields), field_list(fields))
