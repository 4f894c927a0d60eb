"""Runs the HTTP server at a terminal, and lists its keys. Entries: `run_server`, `print_keys`."""

from __future__ import annotations

import os
import threading
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

import click

from gaia_email.app import App
from gaia_email.interfaces.cli import person
from gaia_email.interfaces.cli.output import note
from gaia_email.interfaces.http.api_keys import ApiKeys, api_keys_file
from gaia_email.interfaces.http.serving import HttpServer, ServeOptions, serve
from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.services.source import SourceSpec


def run_server(app: App, options: ServeOptions, *, demo: bool) -> int:
    """Serve until stopped; the exit code.

    Raises:
        MailError: It cannot listen there, or no token can be kept.
    """
    from gaia_email.services.choosing import sample_source

    models = app.environ
    with ExitStack() as stack:
        sample: SourceSpec | None = None
        if demo:
            app, sample = stack.enter_context(sample_source(app))
        serve(app, models, options, sample=sample, began=lambda server: _began(server, options, demo=demo))
    return 0


def _began(server: HttpServer, options: ServeOptions, *, demo: bool) -> None:
    what = "the sample mailbox" if demo else "your mail"
    note(f"Serving {what} at {server.address or options.socket}")
    note(f"Programs: the API token is in {server.token.path} (it reads, drafts and asks; it never decides)")
    if options.host_approves:
        note("With --approve host the token decides, too: whoever has it is taken for you.")
    terminal = person.open_terminal() if server.address else None
    if terminal is not None:
        note("You: press Enter for a link to the page that does, or start with --open")
        threading.Thread(target=_give_links, args=(server, terminal), daemon=True).start()


def _give_links(server: HttpServer, terminal: person.Terminal) -> None:
    """A link at each Enter, on the controlling terminal alone, where no program reads it."""
    with suppress(OSError):
        while os.read(terminal.descriptor, 4096):
            terminal.show(f"good for a minute, once: {server.link()}\n")


def print_new_key(app: App, name: str, scopes: tuple[str, ...]) -> None:
    """Make a key and show it.

    Raises:
        BadArgument: The name or a scope is none, or the file cannot be used.
    """
    made, secret = ApiKeys(api_keys_file(app.environ)).add(name, scopes)
    click.echo(secret)
    note(f"This is shown once. gaia email serve keys revoke {made.key_id} ends it.")


def print_keys(app: App) -> None:
    """Every key, oldest first.

    Raises:
        BadArgument: The file cannot be used.
    """
    known = ApiKeys(api_keys_file(app.environ)).all()
    for one in known:
        click.echo(visible(f"{one.key_id}  {one.name}  {', '.join(one.scopes)}"))
    if not known:
        note('there is none; gaia email serve keys add "phone" --scope read makes one.')


def revoke_key(app: App, key_id: str) -> None:
    """End a key.

    Raises:
        NotFound: There is none of that id, or more than one.
    """
    ended = ApiKeys(api_keys_file(app.environ)).revoke(key_id)
    note(f"{ended.name} opens nothing any more.")
