"""`gaia email status`: how everything stands. No mail server is asked."""

from __future__ import annotations

import click

from gaia_email.faces.cli.options import field_list, output_options
from gaia_email.faces.cli.output import chosen_format, select_fields, write_json, write_jsonl, write_tsv

COLUMNS = (
    "switches.stopped_at",
    "switches.paused_at",
    "last_run.started_at",
    "pending.question",
    "pending.review",
    "pending.notify",
    "planned_actions",
    "ledger.verified",
)


@click.command(name="status")
@click.option("--quick", is_flag=True, help="Do not walk through the event log to verify it.")
@output_options
def command(quick: bool, as_json: bool, as_jsonl: bool, fields: str) -> int:
    """Accounts, switches, the last run, what waits for you, and whether the event log is whole.

    Exit code 1 where the log is broken: somebody changed the ledger's file past this program.
    """
    from gaia_email.faces.cli.standing import print_standing, standing

    found = standing(verify=not quick)
    names = field_list(fields)
    form = chosen_format(as_json, as_jsonl)
    if form == "json":
        write_json(select_fields(found.document, names))
    elif form == "jsonl":
        write_jsonl([select_fields(found.document, names)])
    elif form == "tsv":
        write_tsv(names or COLUMNS, [found.document])
    else:
        print_standing(found)
    return 1 if found.is_broken else 0
