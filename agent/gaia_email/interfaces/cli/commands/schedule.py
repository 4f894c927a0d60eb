"""`gaia email schedule`: what is run by the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import (
    HelpfulGroup,
    NamedSource,
    addresses,
    field_list,
    output_options,
    pass_app,
)
from gaia_email.interfaces.cli.output import chosen_format, note
from gaia_email.runs.kinds import job_kind, kind_names

if TYPE_CHECKING:
    from gaia_email.runs.queues import OverlapRule

SCHEDULED = kind_names(scheduled=True)
TITLES = " or ".join(job_kind(name).title for name in SCHEDULED)


@click.group(name="schedule", cls=HelpfulGroup)
def command() -> None:
    """Runs by the clock, in a time zone of yours. gaia email worker runs them, in a terminal or as a service.

    A scheduled triage acts by itself only at L5; what lower levels would do, it prepares for your review. It does not
    start in your quiet hours, nor while the agent is paused or stopped.
    """


@command.command(name="add", help=f"Have {TITLES} run again and again.")
@click.argument("kind", metavar="|".join(SCHEDULED), type=click.Choice(SCHEDULED))
@click.option("--cron", metavar="LINE", required=True, help="Minute, hour, day, month, weekday: '0 7 * * *'.")
@click.option("--zone", metavar="ZONE", help="Such as Europe/Berlin. Usually this machine's.")
@click.option("--name", metavar="NAME", help="What it is called. Usually the kind and the mailbox.")
@click.option(
    "--overlap",
    type=click.Choice(("drop", "queue", "parallel")),
    default="drop",
    help="Where a run of the mailbox is under way: leave this one out (usually), let it wait, or run it beside.",
)
@click.option("--account", metavar="NAME", help="A connected account; not needed when there is only one.")
@click.option("--maildir", metavar="DIR", help="A Maildir, with its folders.")
@click.option(
    "--user",
    metavar="ADDRESS",
    multiple=True,
    callback=addresses,
    help="Whose mailbox it is, for a Maildir.",
)
@output_options
@pass_app
def add(
    app: App,
    kind: str,
    cron: str,
    zone: str | None,
    name: str | None,
    overlap: OverlapRule,
    account: str | None,
    maildir: str | None,
    user: tuple[str, ...],
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> None:
    """Schedule a run of one of the kinds of the table."""
    from gaia_email.app.services.opening import owner_of
    from gaia_email.app.services.switches import why_held
    from gaia_email.app.services.triage_run import has_acted
    from gaia_email.interfaces.cli.person import need_person, need_yes
    from gaia_email.interfaces.cli.run_printing import print_schedules
    from gaia_email.interfaces.cli.zones import this_zone
    from gaia_email.runs.history import add_schedule
    from gaia_email.runs.job import Job

    source = NamedSource(account=account, maildir=maildir, user=user).chosen(app)
    if job_kind(kind).needs_yes and not has_acted(app, source):
        need_yes(app, "Let triages act on this mailbox by the clock")
    else:
        need_person(app)
    place = source.mailbox
    job = Job(kind=kind, run_id="", place=place, owner=owner_of(app, source), scheduled=True)
    made = add_schedule(
        app.environ,
        name or f"{kind}:{place.path}",
        job,
        cron=cron,
        zone=zone or this_zone(app.environ),
        overlap=overlap,
    )
    print_schedules([made], chosen_format(as_json, as_jsonl, fields), field_list(fields))
    reason = why_held(app.environ)
    note(f"gaia email worker runs it. {reason}".rstrip())


@command.command(name="list")
@output_options
@pass_app
def list_all(app: App, as_json: bool, as_jsonl: bool, fields: str) -> None:
    """What is run by the clock."""
    from gaia_email.app.services.switches import why_held
    from gaia_email.interfaces.cli.run_printing import print_schedules
    from gaia_email.runs.history import schedules

    print_schedules(schedules(app.environ), chosen_format(as_json, as_jsonl, fields), field_list(fields))
    if reason := why_held(app.environ):
        note(reason)


@command.command(name="remove")
@click.argument("name", metavar="NAME")
@pass_app
def remove(app: App, name: str) -> None:
    """Forget the schedule NAME; a run that it has started goes on."""
    from gaia_email.runs.history import remove_schedule

    remove_schedule(app.environ, name)
    note("removed.")
