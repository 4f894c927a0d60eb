"""`gaia email egress`: connections from this machine; `egress purge` deletes their record."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from gaia_email.app import App
from gaia_email.app.documents.layouts.state import EGRESS
from gaia_email.app.operations.state import egress
from gaia_email.interfaces.cli.from_operation import OperationView, operation_command, with_commands_below
from gaia_email.interfaces.cli.options import pass_app

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def _rows(document: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    each: Sequence[Mapping[str, Any]] | None = document["connections"]
    totals: Sequence[Mapping[str, Any]] = document["totals"]
    return totals if each is None else each


def _columns(document: Mapping[str, Any]) -> Sequence[str]:
    if document["connections"] is None:
        return ("host", "why", "connections", "sent", "received", "last")
    return ("at", "program", "account", "host", "port", "why", "sent", "received")


command = with_commands_below(
    operation_command(
        egress,
        """Every connection that a program of gaia-email opened: with which server, why, how many bytes.

        Summed by server and reason: mail (a mailbox), send, sign-in, unsubscribe, model (a language model), tools (a
        tool server of yours), database (a PostgreSQL server of yours), lookup (the servers of an address), check
        (doctor), agent (gaia email serve). Kept for 90 days, on this machine; no mail is in it.
        """,
        OperationView(columns=_columns, rows=_rows, layout=EGRESS),
    )
)


@command.command(name="purge")
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_app
def purge(app: App, yes: bool) -> None:
    """Delete the record of all connections; those that are open or come later are written down anew."""
    from gaia_email.app.services.egress import connections, forget
    from gaia_email.interfaces.cli.output import note
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
