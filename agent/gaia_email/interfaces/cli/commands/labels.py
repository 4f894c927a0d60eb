"""`gaia email labels`: labels with a sentence each that says which mail they are for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from gaia_email.interfaces.cli.from_operation import OperationAnswer, OperationView
from gaia_email.interfaces.cli.options import HelpfulGroup
from gaia_email.interfaces.cli.output import note
from gaia_mail.printable import visible

_COLUMNS = ("id", "name", "sentence", "words", "without", "threads", "unread")


@click.group(name="labels", cls=HelpfulGroup)
def command() -> None:
    """Your labels: a name and a sentence each, and a tab each in the browser; a sentence is read as words."""


def print_labels(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """A line each."""
    for one in document["labels"]:
        count = "" if one["threads"] is None else f"  {one['threads']:,} threads, {one['unread']:,} unread"
        click.echo(f"{one['id']}  {visible(one['name'])}: {visible(one['sentence'])}{count}")
    if not document["labels"]:
        note('there are none; gaia email labels create Travel "flights, hotels and train tickets" makes one.')


def print_label(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """What it is read as."""
    click.echo(
        f"{document['id']}  {visible(document['name'])}: {_read_as(document['words'], document['without'])}"
    )


def print_threads(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """A line each thread, with why."""
    label = document["label"]
    note(f"looked for: {_read_as(label['words'], label['without'])}")
    for one in document["threads"]:
        thread = one["thread"]
        who = visible(thread["from"]["name"] or thread["from"]["address"])
        click.echo(
            f"{thread['id']}  {who} · {visible(thread['subject'])}  ({visible(', '.join(one['because']))})"
        )
    note(
        f"showing {document['shown']:,} of {document['total']:,}, of {document['inbox']:,} threads in the inbox."
    )


def _read_as(words: list[str], without: list[str]) -> str:
    text = ", ".join(map(visible, words))
    return f"{text}; not {', '.join(map(visible, without))}" if without else text


LABELS = OperationView(
    columns=_COLUMNS, rows=lambda document: document["labels"], card="commands.labels.print_labels"
)
LABEL = OperationView(columns=_COLUMNS, card="commands.labels.print_label")
THREADS = OperationView(
    columns=("id", "subject", "because"),
    rows=lambda document: [
        {"id": one["thread"]["id"], "subject": one["thread"]["subject"], "because": one["because"]}
        for one in document["threads"]
    ],
    card="commands.labels.print_threads",
)
