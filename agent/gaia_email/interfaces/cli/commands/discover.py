"""`gaia email discover`: the mail accounts that this machine already names. Nothing is sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import field_list, output_options, pass_app

if TYPE_CHECKING:
    from gaia_email_registry.discovery.look import AccountCandidate

COLUMNS = ("address", "provider", "confidence", "source", "where")


@click.command(name="discover")
@click.option("--verbose", is_flag=True, help="Every trace of each account, not only the best one.")
@output_options
@pass_app
def command(app: App, verbose: bool, as_json: bool, as_jsonl: bool, fields: str) -> None:
    """Accounts that the mail programs of this machine name and that are not connected yet.

    Reads the settings of mail programs (Thunderbird, Apple Mail, GNOME, KMail, mutt and others), of git and of MCP
    clients, and no password. With GAIA_DISCOVER_BROWSERS=1 also whom browsers are signed in as. What was found is kept
    in email/discovery.json of GAIA_HOME.
    """
    from gaia_email.documents.accounts import discover_document
    from gaia_email.interfaces.cli.output import chosen_format, note, write_rows
    from gaia_email.services.finding_accounts import look

    candidates = look(app.environ)
    document = discover_document(candidates)
    form = chosen_format(as_json, as_jsonl, fields)
    if form != "card":
        write_rows(document, document["candidates"], COLUMNS, form, field_list(fields))
    elif candidates:
        _print(candidates, verbose=verbose)
        note(f"next: gaia email connect --email {candidates[0].address}")
    else:
        note(
            "no account was found that is not connected. gaia email connect --email you@example.org adds one."
        )


def _print(candidates: Sequence[AccountCandidate], *, verbose: bool) -> None:
    from rich.table import Table

    from gaia_email.interfaces.cli.output import console
    from gaia_mail.printable import visible

    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("account", "provider", "server", "how sure", "how we know"):
        table.add_column(name)
    for candidate in candidates:
        for signal in candidate.signals if verbose else candidate.signals[:1]:
            imap = signal.servers.imap if signal.servers else None
            cells = (
                candidate.address,
                candidate.provider or "not known yet",
                f"{imap.host}:{imap.port}" if imap else "",
                signal.confidence,
                f"{signal.source}: {signal.where}",
            )
            table.add_row(*(visible(cell) for cell in cells))
    console().print(table)
