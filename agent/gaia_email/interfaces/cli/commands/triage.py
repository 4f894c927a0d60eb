"""`gaia email triage`: the sorted inbox with the planned actions; `--apply` carries them out."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.cli.commands.inbox import InboxView, show_inbox
from gaia_email.interfaces.cli.options import (
    NamedSource,
    field_list,
    output_options,
    pass_app,
    source_options,
)
from gaia_email.interfaces.cli.output import chosen_format, note
from gaia_email.interfaces.cli.times import since_epoch
from gaia_email_registry.clock import utc_now


@click.command(name="triage")
@source_options
@click.option("--apply", "do_it", is_flag=True, help="Do what your levels allow; all of it can be undone.")
@click.option("--yes", is_flag=True, help="With --apply: do not ask before the first time on a mailbox.")
@click.option("--again", is_flag=True, help="Also what you took back: go through it once more.")
@click.option("--dry-run", is_flag=True, help="Only show the plan (the default).")
@click.option("--since", metavar="7d|DATE", help="Only mail from then on.")
@click.option("--limit", metavar="N", type=click.IntRange(min=1), help="At most N threads a bucket.")
@click.option("--all", "show_all", is_flag=True, help="Every thread, low priority too.")
@click.option(
    "--explain-cost", is_flag=True, help="Print the cost of asking a language model to standard error."
)
@output_options
@pass_app
def command(
    app: App,
    named: NamedSource,
    do_it: bool,
    yes: bool,
    again: bool,
    dry_run: bool,
    since: str | None,
    limit: int | None,
    show_all: bool,
    explain_cost: bool,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> int:
    """Sort the inbox and show, thread by thread, what would be done under each sender's level; --apply does it.

    With --apply what was handled before is left as it is, also what you took back, unless you say --again; and what
    needs your word waits for it. The first time on a mailbox it shows what it would do, in counts, and asks.
    """
    source = named.resolve(app)
    if do_it and dry_run:
        raise click.UsageError("--apply does it, --dry-run only shows it: give one of them.")
    view = InboxView(
        limit=limit,
        show_all=show_all,
        explain_cost=explain_cost,
        form=chosen_format(as_json, as_jsonl, fields),
        fields=field_list(fields),
        with_plan=True,
    )
    if do_it:
        return _apply(app, source, view, since, yes=yes, again=again)
    show_inbox(app, [source], view, since=since, again=again)
    return 0


def _apply(
    app: App, source: SourceSpec, view: InboxView, since: str | None, *, yes: bool, again: bool
) -> int:

    from gaia_email.app.services.acting import writable_mailbox
    from gaia_email.app.services.triage_run import RunListener, run_triage
    from gaia_email.interfaces.cli.acting import acting_progress
    from gaia_email.interfaces.cli.did import show_run
    from gaia_email.interfaces.cli.first_time import ask_first
    from gaia_email.interfaces.cli.origin import origin_here
    from gaia_email.interfaces.cli.person import need_person
    from gaia_email.interfaces.cli.session import progress

    after = since_epoch(since, utc_now())
    writable_mailbox(source)
    if again:
        need_person(app)
    ask_first(app, source, after, yes=yes)
    listening = RunListener(reading=progress, acting=acting_progress, note=note)
    report = run_triage(app, source, after, listening, origin=origin_here(), again=again)
    if view.explain_cost:
        from gaia_email.interfaces.cli.model_cost import cost_lines

        for line in cost_lines(report.inbox):
            note(line)
    return show_run(report, source, view.form, view.fields)
