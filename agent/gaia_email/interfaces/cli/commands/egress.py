"""`gaia email egress`: what left this machine; `egress purge` deletes the record of it."""

from __future__ import annotations

import sys

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import HelpfulGroup, field_list, output_options, pass_app
from gaia_email.interfaces.cli.times import since_epoch


@click.group(name="egress", cls=HelpfulGroup, invoke_without_command=True)
@click.option("--since", metavar="7d|DATE", help="Only from then on.")
@click.option("--account", metavar="NAME", help="Only what was opened for this account.")
@click.option("--all", "each", is_flag=True, help="Each connection, newest first, instead of sums.")
@output_options
@click.pass_context
@pass_app
def command(
    app: App,
    context: click.Context,
    since: str | None,
    account: str | None,
    each: bool,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> None:
    """Every connection that a program of gaia-email opened: with which server, why, how many bytes.

    Summed by server and reason: mail (a mailbox), send, sign-in, unsubscribe, model (a language model), tools (a tool
    server of yours), database (a PostgreSQL server of yours), lookup (the servers of an address), check (doctor). Kept
    for 90 days, on this machine; no mail is in it.
    """
    if context.invoked_subcommand is not None:
        return
    from datetime import UTC, datetime

    from gaia_email.documents import egress
    from gaia_email.interfaces.cli.egress_card import print_connections, print_totals
    from gaia_email.interfaces.cli.output import chosen_format, note, write_rows
    from gaia_email.services.egress import connections

    form = chosen_format(as_json, as_jsonl, fields)
    after = since_epoch(since, datetime.now(UTC))
    rows = connections(app, after, account)
    if form == "card":
        if not rows:
            note("No connection was opened, as far as the egress ledger goes back.")
        elif each:
            print_connections(egress.connection_rows(rows))
        else:
            print_totals(egress.total_rows(rows))
        return
    document = egress.egress_document(rows, each=each, since=after, account=account)
    if each:
        listed = egress.connection_rows(rows)
        write_rows(document, listed, egress.CONNECTION_COLUMNS, form, field_list(fields))
    else:
        sums = egress.total_rows(rows)
        write_rows(document, sums, egress.TOTAL_COLUMNS, form, field_list(fields))


@command.command(name="purge")
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_app
def purge(app: App, yes: bool) -> None:
    """Delete the record of all connections; those that are open or come later are written down anew."""
    from gaia_email.interfaces.cli.output import note
    from gaia_email.services.egress import connections, forget
    from gaia_email_registry.errors import NeedsApproval

    held = len(connections(app))
    if not held:
        note("The egress ledger is empty.")
        return
    if not yes and not (
        sys.stdin.isatty() and click.confirm(f"Delete the record of {held:,} connections?", err=True)
    ):
        raise NeedsApproval("nothing was deleted.", hint="to delete without being asked, add --yes.")
    note(f"deleted the record of {forget(app):,} connections.")
