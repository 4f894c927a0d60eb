"""`gaia email chat`: questions about your mail in short sentences."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import NamedSource, pass_app, source_options

if TYPE_CHECKING:
    from gaia_email.app.documents.talk_events import TalkEvent
    from gaia_email.app.services.conversations import Conversation
    from gaia_email.app.services.source import SourceSpec
    from gaia_email.interfaces.chat.session import Session

GREETING = "Ask about your mail: 'what is urgent', 'search invoice', 'why 1'; 'help' lists all, 'quit' ends."


@click.command(name="chat")
@click.argument("lines", metavar="[LINE]...", nargs=-1)
@source_options
@click.option("--resume", is_flag=True, help="Go on with the last conversation about this mailbox.")
@click.option("--jsonl", "as_jsonl", is_flag=True, help="Every event as one JSON object a line.")
@pass_app
def command(app: App, lines: tuple[str, ...], named: NamedSource, resume: bool, as_jsonl: bool) -> int:
    """Ask about your mail in short sentences; each LINE is one, and without any they are read from the keyboard.

    No language model is needed: it understands a small set of sentences ("help" lists them), and offers the nearest
    for others. A model chosen with "gaia email models use" answers these from your mail; it changes nothing by itself.
    "The second one" and "her last mail" mean what was shown. Every answer names the messages it is about. What changes
    mail is in the record, and "undo" takes it back. With --demo changes last until it ends.
    """
    from gaia_email.interfaces.chat.session import Session

    printer = _Printer(as_jsonl)
    with _source(app, named) as (inside, source):
        from gaia_email.interfaces.cli.origin import origin_here
        from gaia_email.interfaces.cli.person import need_person
        from gaia_email.interfaces.cli.talking import LazyPrompt

        last = _last(inside, source) if resume else None

        def require_person(tool: str, arguments: Mapping[str, object]) -> None:
            if not source.is_sample:  # the sample is deleted at the end, so anyone may change it
                need_person(app)

        session = Session(
            inside,
            source,
            printer,
            LazyPrompt(),
            app.environ,
            last,
            require_person,
            origin=origin_here("chat"),
        )
        if not lines and sys.stdin.isatty():
            click.echo(GREETING, err=True)
        for line in lines or _typed():
            if line.strip() and not _said(session, line, goes_on=not lines and sys.stdin.isatty()):
                break
    return printer.status


def _said(session: Session, line: str, *, goes_on: bool) -> bool:
    """Answer one line; after Ctrl-C, a conversation at the keyboard continues with the next."""
    try:
        return session.say(line)
    except KeyboardInterrupt:
        return goes_on


def _last(app: App, source: SourceSpec) -> Conversation:
    """Return the conversation to continue, after showing its last lines."""
    from gaia_email.app.services.conversations import stored_conversation

    last = stored_conversation(app, source)
    if last.lines:
        click.echo(f"Your last line was: {last.lines[-1]}", err=True)
    if last.unanswered:
        click.echo(
            f"This one was not answered; say it again if it still matters: {last.unanswered}", err=True
        )
    return last


@contextmanager
def _source(app: App, named: NamedSource) -> Generator[tuple[App, SourceSpec]]:
    from gaia_email.app.services.choosing import sample_source

    chosen = named.resolve(app)
    if chosen.kind != "demo":
        yield app, chosen
        return
    with sample_source(app) as sample:
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
    """A printer of events: answers to standard output, the rest to standard error; keeps the last line's exit code."""

    def __init__(self, as_jsonl: bool) -> None:
        self._as_jsonl = as_jsonl
        self._written = ""
        self.status = 0

    def __call__(self, event: TalkEvent) -> None:
        if event.type in ("tool_call", "token", "final"):
            self.status = 0
        if self._as_jsonl:
            from gaia_mail.printable import safe_json

            click.echo(safe_json(json.dumps(event.to_json(), ensure_ascii=False)))
        self._show(event.to_json())

    def _show(self, event: dict[str, object]) -> None:
        match event["type"]:
            case "token" if not self._as_jsonl:
                self._written += str(event["delta"])
                click.echo(str(event["delta"]), nl=False)
            case "final" if not self._as_jsonl:
                self._end(str(event["answer"]))
            case "tool_call" if event["from_mail"] and not self._as_jsonl:
                from gaia_email.app.documents.fields import texts_of

                named = ", ".join(texts_of(event, "from_mail"))
                click.echo(f"⚠ {named} stands only in the text of a mail.", err=True)
            case "needs_input" if not self._as_jsonl:
                from gaia_email.app.documents.fields import texts_of

                click.echo(str(event["question"]))
                for option in texts_of(event, "options"):
                    click.echo(f"  {option}")
            case "error":
                from gaia_email.interfaces.cli.output import note

                note(str(event["detail"]))
                status = event["status"]
                self.status = status if isinstance(status, int) else 1
            case "status" if not self._as_jsonl:
                click.echo(str(event["message"]), err=True)
            case _:
                pass

    def _end(self, answer: str) -> None:
        """Print the answer without the sentences that were already streamed."""
        written, self._written = self._written.rstrip("\n"), ""
        if not written or not answer.startswith(written):
            click.echo(answer)
        elif rest := answer[len(written) :].lstrip("\n"):
            click.echo(rest)
