"""`gaia email triage`: the sorted inbox and what would be done with it; a plan, nothing more."""

from __future__ import annotations

import click

from gaia_email.faces.cli.commands.inbox import View, show_inbox
from gaia_email.faces.cli.options import chosen_source, field_list, output_options, source_options
from gaia_email.faces.cli.output import chosen_format


@click.command(name="triage")
@source_options
@click.option("--since", metavar="7d|DATE", help="Only mail from then on.")
@click.option("--limit", metavar="N", type=click.IntRange(min=1), help="At most N threads a bucket.")
@click.option("--all", "show_all", is_flag=True, help="Every thread, low priority too.")
@click.option("--dry-run", is_flag=True, help="Only show the plan; this is what happens anyway, for now.")
@output_options
def command(
    account: str | None,
    maildir: str | None,
    mbox: str | None,
    eml: str | None,
    demo: bool,
    user: tuple[str, ...],
    since: str | None,
    limit: int | None,
    show_all: bool,
    dry_run: bool,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> None:
    """Sort the inbox and show, thread by thread, what would be done under each sender's level. Changes nothing."""
    source = chosen_source(account, maildir, mbox, eml, demo, user)
    view = View(
        limit=limit,
        show_all=show_all,
        form=chosen_format(as_json, as_jsonl),
        fields=field_list(fields),
        with_plan=True,
    )
    show_inbox(source, view, since=since)
