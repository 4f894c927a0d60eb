"""What was put off, as lines for a terminal. Entry: `print_later`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.interfaces.cli.from_operation import OperationAnswer


def print_later(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """The queue, then what is snoozed with when it comes back."""
    every = [*document["reply_later"], *document["snoozed"]]
    is_numbered, number = answer.number_rows([(row["account"], row["id"]) for row in every]), 0
    for heading, rows in (("To be answered", document["reply_later"]), ("Snoozed", document["snoozed"])):
        if rows:
            click.echo(f"{heading} {len(rows)}")
        for row in rows:
            until = row["until"]
            back = f"  until {datetime.fromisoformat(until).astimezone():%a %d %b, %H:%M}" if until else ""
            sender = row["from"]["name"] or row["from"]["address"]
            number += 1
            margin = f"{number:>3} " if is_numbered else "  "
            click.echo(visible(f"{margin}{sender} · {row['subject']}{back}  {row['id']}".replace("\n", " ")))
    if not document["total"]:
        click.echo("nothing is put off")
