"""`gaia email accounts`: which accounts are connected. No server is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import addresses, field_list, output_options, pass_app
from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.documents.accounts import AccountRow

COLUMNS = ("id", "address", "provider", "server", "password", "enabled", "added_at", "aliases")


@click.command(name="accounts")
@click.option("--account", metavar="ID", help="Whose aliases; with one account connected, it is that one.")
@click.option(
    "--alias",
    "aliases",
    metavar="ADDRESS",
    multiple=True,
    callback=addresses,
    help="Another address of yours, in place of those known so far; may be repeated.",
)
@click.option("--no-alias", is_flag=True, help="You have no other address.")
@click.option("--new-key", is_flag=True, help="Encrypt the file of passwords anew, with a new key.")
@output_options
@pass_app
def command(
    app: App,
    account: str | None,
    aliases: tuple[str, ...],
    no_alias: bool,
    new_key: bool,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> None:
    """The connected accounts, your other addresses, and where each password is.

    Shows no password and asks no server.
    """
    from gaia_email.documents.accounts import accounts_document
    from gaia_email.interfaces.cli.output import chosen_format, note, write_rows
    from gaia_email_registry.accounts import CONNECT_HINT, find_account, read_accounts

    if aliases and no_alias:
        raise click.UsageError("Choose one of --alias and --no-alias.")
    if aliases or no_alias:
        from gaia_email.services.aliases import keep_aliases

        keep_aliases(app, find_account(account, app.environ, disabled_too=True), aliases)
    if new_key:
        from gaia_email_registry.vault import renew_key

        key = renew_key(app.environ)
        note(
            f"new key: {key}." if key else "no password is kept in a file here; the keyring has its own key."
        )
        return
    document = accounts_document(read_accounts(app.environ))
    rows = document["accounts"]
    form = chosen_format(as_json, as_jsonl, fields)
    if form != "card":
        write_rows(document, rows, COLUMNS, form, field_list(fields))
    elif rows:
        _print(rows)
    else:
        note(f"no account is connected. {CONNECT_HINT}")


def _print(rows: list[AccountRow]) -> None:
    from rich.table import Table

    from gaia_email.interfaces.cli.output import console

    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in COLUMNS[:5]:
        table.add_column(name)
    for row in rows:
        table.add_row(*(_cell(row, name) for name in COLUMNS[:5]))
    console().print(table)


def _cell(row: AccountRow, name: str) -> str:
    """Beside the address stand the owner's others; mail files have none of their own, so theirs stand alone."""
    if name != "address":
        return visible(str(dict[str, object](row)[name]))
    address, others = row["address"], row["aliases"]
    own = [address] if "@" in address or not others else []
    return "\n".join(map(visible, (*own, *others)))
