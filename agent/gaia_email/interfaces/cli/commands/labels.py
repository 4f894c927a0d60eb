"""`gaia email labels`: labels, each with a sentence that describes its mail."""

from __future__ import annotations

import click

from gaia_email.app.documents.layouts.policy import LABEL_THREADS
from gaia_email.interfaces.cli.from_operation import OperationView
from gaia_email.interfaces.cli.options import HelpfulGroup


@click.group(name="labels", cls=HelpfulGroup)
def command() -> None:
    """Your labels: a name and a sentence each, and a tab each in the browser; a sentence is read as words."""


THREADS = OperationView(
    columns=("id", "subject", "because"),
    rows=lambda document: [
        {"id": one["thread"]["id"], "subject": one["thread"]["subject"], "because": one["because"]}
        for one in document["threads"]
    ],
    layout=LABEL_THREADS,
)
