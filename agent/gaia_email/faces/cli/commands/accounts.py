"""`gaia email accounts`: which accounts are connected. No server is asked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from gaia_email.faces.cli.options import field_list, output_options

if TYPE_CHECKING:
    from gaia_email_registry.accounts import Account

COLUMNS = ("id", "address", "provider", "server", "password", "enabled", "added_at")


@click.command(name="accounts")
@output_options
def command(as_json: bool, as_jsonl: bool, fields: str) -> None:
    """The connected accounts, and where the password of each one is. Shows no password and asks no server."""
    from gaia_email.faces.cli.output import chosen_format, note, write_rows
    from gaia_email_registry.accounts import CONNECT_HINT, read_accounts

    rows = [_row(account) for account in read_accounts(os.environ)]
    form = chosen_format(as_json, as_jsonl, fields)
    if form != "card":
        write_rows({"schema_version": 1, "accounts": rows}, rows, COLUMNS, form, field_list(fields))
    elif rows:
        _print(rows)
    else:
        note(f"no account is connected. {CONNECT_HINT}")


def _row(account: Account) -> dict[str, object]:
    """An account without its secret: only whether that is in the keyring, a file, or comes from a command."""
    kind = account.secret.removeprefix("vault:").partition(":")[0]
    places = {"keyring": "keyring", "file": "file", "command": "command", "env": "environment"}
    place = "vault" if account.secret.startswith("vault:file:") else places.get(kind, "none")
    return {
        "id": account.id,
        "address": account.address,
        "provider": account.provider,
        "server": account.server,
        "password": place,
        "enabled": account.enabled,
        "added_at": account.added_at,
    }


def _print(rows: list[dict[str, object]]) -> None:
    from rich.table import Table

    from gaia_email.faces.cli.output import console
    from gaia_mail.printable import visible

    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in COLUMNS[:5]:
        table.add_column(name)
    for row in rows:
        table.add_row(*(visible(str(row[name])) for name in COLUMNS[:5]))
    console().print(table)
