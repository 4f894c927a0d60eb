"""`gaia email schema`: the published JSON Schema of a command's output."""

from __future__ import annotations

import click

from gaia_email.app.documents.schemas import schema
from gaia_email.app.operations.table import document_names
from gaia_email.interfaces.cli.output import write_json


@click.command(name="schema")
@click.argument("name", metavar="COMMAND", type=click.Choice(document_names()))
def command(name: str) -> None:
    """The JSON Schema of what COMMAND prints with --json (of one line, for classify)."""
    write_json(schema(name))
