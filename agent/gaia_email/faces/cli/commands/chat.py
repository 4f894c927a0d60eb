"""`gaia email chat`: questions about your mail in short sentences."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from gaia_email.faces.cli.options import NamedSource, source_options

if TYPE_CHECKING:
    from gaia_email.documents.talk_events import Event
    from gaia_email.services.source import Source

GREETING = "Ask about your mail: 'what is urgent', 'search invoice', 'why 1'; 'help' lists all, 'quit' ends."


@click.command(name="chat")
@click.argument("lines", metavar="[LINE]...", nargs=-1)
@source_options
@click.option("--jsonl", "as_jsonl", is_flag=True, help="Every event as one JSON object a line.")
def command(lines: tuple[str, ...], named: NamedSource, as_jsonl: bool) -> int:
    """Ask about your mail in short sentences; each LINE is one, and without any they are read from the keyboard.

    No language model is needed: it understands a small set of sentences ("help" lists them), and offers the nearest
    for others. A model chosen with "gaia email models use" is asked what such a sentence means, and only reads for you.
    "The second one" and "her last mail" mean what was shown. Every answer names the messages it is about. What changes
    mail is in the record, and "undo" takes it back. With --demo changes last until it ends.
    """
    from gaia_email.talk.session import Session

    printer, environ = _Printer(as_jsonl), dict(os.environ)
    with _source(named) as source:
        from gaia_email.faces.cli.talking import LazyPrompt

        session = Session(source, printer, LazyPrompt(), environ)
        if not lines and sys.stdin.isatty():
            click.echo(GREETING, err=True)
        for line in lines or _typed():
            if line.strip() and not session.say(line):
                break
    return printer.status


@contextmanager
def _source(named: NamedSource) -> Generator[Source]:
    from gaia_email.services.choosing import sample_source

    chosen = named.chosen()
    if chosen.kind != "demo":
        yield chosen
        return
    with sample_source() as sample:
        yield sample


def _typed() -> Iterator[str]:
    while True:
        if sys.stdin.isatty():
            sys.stderr.write("› ")
            sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            return
        yield line


class _Printer:
    """Shows events: answers on standard output, what is going on elsewhere; keeps the exit code of the last line."""

    def __init__(self, as_jsonl: bool) -> None:
        self._as_jsonl = as_jsonl
        self.status = 0

    def __call__(self, event: Event) -> None:
        if event.type == "tool_call":
            self.status = 0
        if self._as_jsonl:
            from gaia_mail.printable import safe_json

            click.echo(safe_json(json.dumps(event.to_json(), ensure_ascii=False)))
        self._show(event.to_json())

    def _show(self, event: dict[str, object]) -> None:
        match event["type"]:
            case "final" if not self._as_jsonl:
                click.echo(str(event["answer"]))
            case "needs_input" if not self._as_jsonl:
                from gaia_email.documents.fields import texts_of

                click.echo(str(event["question"]))
                for option in texts_of(event, "options"):
                    click.echo(f"  {option}")
            case "error":
                from gaia_email.faces.cli.output import note

                note(str(event["detail"]))
                status = event["status"]
                self.status = status if isinstance(status, int) else 1
            case "status" if not self._as_jsonl:
                click.echo(str(event["message"]), err=True)
            case _:
                pass
