"""`gaia email doctor`: what is wrong on this machine, and the command that mends it."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import field_list, output_options, pass_app
from gaia_email.interfaces.cli.output import chosen_format, write_rows


@click.command(name="doctor")
@click.option("--offline", is_flag=True, help="Ask no server, no DNS and no model.")
@output_options
@pass_app
def command(app: App, offline: bool, as_json: bool, as_jsonl: bool, fields: str) -> int:
    """Look at disk, files, passwords, clock, ledgers, schedule, MCP clients, models, logins, certificates and MX.

    It asks the servers of your accounts and DNS, and changes nothing. Each thing that is wrong comes with the command
    that mends it. Exit code 1 while anything is.
    """
    from gaia_email.documents.doctor import DOCTOR_COLUMNS, doctor_document, finding_rows
    from gaia_email.services.doctor import examine

    found = examine(app, offline=offline)
    form = chosen_format(as_json, as_jsonl, fields)
    if form == "card":
        from gaia_email.interfaces.cli.doctor_card import print_findings

        print_findings(found)
    else:
        write_rows(doctor_document(found), finding_rows(found), DOCTOR_COLUMNS, form, field_list(fields))
    return 0 if all(one.ok for one in found) else 1
