"""What files of runs show a person. Entries: `print_files`, `print_link`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.interfaces.cli.from_operation import OperationAnswer


def print_files(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """A line each."""
    for one in document["files"]:
        until = f"until {one['expires_at']}" if one["expires_at"] else "kept"
        about = f"{one['kind']} · {one['bytes']:,} bytes · {one['visibility']} · {until}"
        said = f"{one['id'][:8]}  {one['name']} · {about}"
        click.echo(visible(said))
    if not document["files"]:
        click.echo("no run has kept a file.")


def print_link(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """The link, this once."""
    click.echo(document["path"])
    said = f"It opens {document['file']['name']} until {document['expires_at']}, below the address of gaia email serve."
    click.echo(visible(said), err=True)
