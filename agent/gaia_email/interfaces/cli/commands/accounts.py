"""`gaia email accounts`: the connected accounts. No server is contacted."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.app.operations.state import accounts
from gaia_email.interfaces.cli.from_operation import call_operation, print_document, view_of
from gaia_email.interfaces.cli.options import OutputChoice, addresses, pass_asking_app, pass_output
from gaia_email.interfaces.cli.output import note
from gaia_email.interfaces.cli.over_http import need_here


@click.command(name="accounts")
@click.option(
    "--account", metavar="ID", help="The account with these aliases; default: the only connected one."
)
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
@pass_output
@pass_asking_app
def command(
    app: App,
    account: str | None,
    aliases: tuple[str, ...],
    no_alias: bool,
    new_key: bool,
    out: OutputChoice,
) -> None:
    """The connected accounts, your other addresses, and where each password is.

    Shows no password and asks no server.
    """
    from gaia_email_registry.accounts import find_account

    if aliases and no_alias:
        raise click.UsageError("Choose one of --alias and --no-alias.")
    if aliases or no_alias or new_key:
        need_here(app, "gaia email accounts with a change")
    if aliases or no_alias:
        from gaia_email.app.services.aliases import keep_aliases

        keep_aliases(app, find_account(account, app.environ, disabled_too=True), aliases)
    if new_key:
        from gaia_email_registry.vault import renew_key

        key = renew_key(app.environ)
        note(
            f"new key: {key}." if key else "no password is kept in a file here; the keyring has its own key."
        )
        return
    print_document(call_operation(app, accounts, {}), view_of(accounts), *out)
