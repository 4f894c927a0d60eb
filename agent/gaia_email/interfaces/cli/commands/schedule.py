"""`gaia email schedule`: scheduled runs."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.app.operations.deciding import add_schedule, remove_schedule
from gaia_email.app.operations.state import schedules
from gaia_email.interfaces.cli.from_operation import call_operation, print_document, view_of
from gaia_email.interfaces.cli.options import (
    HelpfulGroup,
    NamedSource,
    OutputChoice,
    addresses,
    pass_app,
    pass_output,
)
from gaia_email.interfaces.cli.output import note
from gaia_email.runs.kinds import job_kind, kind_names

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
@click.option("--name", metavar="NAME", help="Name of the schedule. Default: the kind and the mailbox.")
@click.option(
    "--overlap",
    type=click.Choice(("drop", "queue", "parallel")),
    default="drop",
    help="If a run of the mailbox is under way: leave this one out (default), let it wait, or run it beside.",
)
@click.option("--account", metavar="NAME", help="A connected account; not needed when there is only one.")
@click.option("--maildir", metavar="DIR", help="A Maildir, with its folders.")
@click.option(
    "--user",
    metavar="ADDRESS",
    multiple=True,
    callback=addresses,
    help="Address of the owner of a Maildir.",
)
@pass_output
@pass_app
def add(
    app: App,
    /,
    kind: str,
    zone: str | None,
    account: str | None,
    maildir: str | None,
    user: tuple[str, ...],
    out: OutputChoice,
    **asked: str | None,
) -> None:
    """Schedule a run of one of the kinds of the table."""
    from gaia_email.app.services.switches import explain_hold
    from gaia_email.app.services.triage_run import has_acted
    from gaia_email.interfaces.cli.zones import this_zone

    source = NamedSource(account=account, maildir=maildir, user=user).resolve(app)
    is_first = job_kind(kind).needs_yes and not has_acted(app, source)
    asks = "Let triages act on this mailbox by the clock" if is_first else None
    wanted = {**asked, "kind": kind, "zone": zone or this_zone(app.environ)}
    print_document(
        call_operation(app, add_schedule, wanted, asks=asks, source=source), view_of(schedules), *out
    )
    note(f"gaia email worker runs it. {explain_hold(app.environ)}".rstrip())


@command.command(name="list")
@pass_output
@pass_app
def list_all(app: App, out: OutputChoice) -> None:
    """List what runs by the clock."""
    from gaia_email.app.services.switches import explain_hold

    print_document(call_operation(app, schedules, {}), view_of(schedules), *out)
    if reason := explain_hold(app.environ):
        note(reason)


@command.command(name="remove")
@click.argument("name", metavar="NAME")
@pass_app
def remove(app: App, name: str) -> None:
    """Forget the schedule NAME; a run that it has started goes on."""
    call_operation(app, remove_schedule, {"name": name})
    note("removed.")
