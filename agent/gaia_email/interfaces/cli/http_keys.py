"""`keys add | list | revoke`, for the command that serves HTTP. Entry point: `keys`."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.app.services.api_keys import SCOPES, ApiKeyList, ApiKeys, api_keys_file
from gaia_email.document import answer_of
from gaia_email.interfaces.cli.options import HelpfulGroup, field_list, output_options, pass_asking_app
from gaia_email.interfaces.cli.output import chosen_format, note, write_rows

COLUMNS = ("id", "name", "scopes", "created_at")


@click.group(name="keys", cls=HelpfulGroup)
def keys() -> None:
    """Keys for programs on other machines. Each may do what its scopes say, and none can approve anything."""


@keys.command(name="add")
@click.argument("name", metavar="NAME")
@click.option(
    "--scope",
    "scopes",
    type=click.Choice(SCOPES),
    multiple=True,
    required=True,
    help="Scope: look (read), prepare answers (draft), ask for changes (act). Repeatable.",
)
@pass_asking_app
def add(app: App, name: str, scopes: tuple[str, ...]) -> None:
    """Make a key for the program NAME and print it, this once."""
    from gaia_email.interfaces.cli.person import need_yes

    need_yes(app, f"Let a program on another machine {' and '.join(scopes)}")
    made, key = ApiKeys(api_keys_file(app.environ), clock=app.clock).add(name, set(scopes))
    click.echo(key)
    note(f"Send it as a bearer token. It is not shown again; gaia email serve keys revoke {made.id} ends it.")


@keys.command(name="list")
@output_options
@pass_asking_app
def list_all(app: App, as_json: bool, as_jsonl: bool, fields: str) -> None:
    """List the keys, oldest first."""
    from gaia_email.app.documents.layouts.filled_card import fill_layout
    from gaia_email.app.documents.layouts.state import HTTP_KEYS
    from gaia_email.interfaces.cli.document_card import print_filled

    found = ApiKeys(api_keys_file(app.environ)).all()
    document = answer_of(ApiKeyList(shown=len(found), keys=found))
    shown = [{**row, "scopes": " ".join(row["scopes"])} for row in document["keys"]]
    form = chosen_format(as_json, as_jsonl, fields)
    if form == "card":
        print_filled(fill_layout(HTTP_KEYS, document))
    else:
        rows = document["keys"] if form in ("json", "jsonl") else shown
        write_rows(document, rows, COLUMNS, form, field_list(fields))


@keys.command(name="revoke")
@click.argument("key_id", metavar="ID")
@pass_asking_app
def revoke(app: App, key_id: str) -> None:
    """End the key ID (the beginning of an id will do): from the next request on it opens nothing."""
    gone = ApiKeys(api_keys_file(app.environ)).revoke(key_id)
    note(f"the key of {gone.name} is revoked.")
