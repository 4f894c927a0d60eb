"""`gaia email status`: how everything stands. No mail server is asked."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import field_list, output_options, pass_app
from gaia_email.interfaces.cli.output import chosen_format, write_rows

COLUMNS = (
    "switches.stopped_at",
    "switches.paused_at",
    "last_run.started_at",
    "pending.confirmation",
    "pending.question",
    "pending.review",
    "pending.notify",
    "planned_actions",
    "ledger.verified",
)


@click.command(name="status")
@click.option("--quick", is_flag=True, help="Skip the check of the event log.")
@output_options
@pass_app
def command(app: App, quick: bool, as_json: bool, as_jsonl: bool, fields: str) -> int:
    """Accounts, switches, the last run, what waits for you, and whether the event log is whole.

    Exit code 1 where the log is broken: somebody changed the ledger's file past this program.
    """
    from gaia_email.interfaces.cli.status_view import print_status
    from gaia_email.services.status import overall_status

    found = overall_status(app, verify=not quick)
    form = chosen_format(as_json, as_jsonl, fields)
    if form != "card":
        write_rows(found.document, [found.document], COLUMNS, form, field_list(fields))
    else:
        print_status(found)
    return 1 if found.is_broken else 0
