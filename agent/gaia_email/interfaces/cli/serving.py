"""Runs the HTTP server at a terminal. Entry: `run_server`."""

from __future__ import annotations

import asyncio
import os
import threading
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.interfaces.cli import person
from gaia_email.interfaces.cli.output import note
from gaia_email.interfaces.http.serving import ListeningServer, ServeOptions, serve

if TYPE_CHECKING:
    from gaia_email.app.services.source import SourceSpec


def run_server(app: App, options: ServeOptions, *, demo: bool) -> int:
    """Serve until stopped; return the exit code.

    Raises:
        MailError: The address cannot be used, or the token cannot be stored.
    """
    from gaia_email.app.accounts.connect_files import connect_files
    from gaia_email.app.services.choosing import sample_source

    models = app.environ
    with ExitStack() as stack:
        sample: SourceSpec | None = None
        if demo:
            app, sample = stack.enter_context(sample_source(app))
            # Read through a copy, so that a page is shown without sorting the mailbox again.
            asyncio.run(connect_files(sample.kind, sample.path, sample.user, app.environ))
        serve(app, models, options, sample=sample, began=lambda server: _began(server, options, demo=demo))
    return 0


def _began(server: ListeningServer, options: ServeOptions, *, demo: bool) -> None:
    what = "the sample mailbox" if demo else "your mail"
    note(f"Serving {what} at {server.address or options.socket}")
    note(f"Programs: the API token is in {server.token.path} (it reads, drafts and asks; it never decides)")
    if options.host_approves:
        note("With --approve host the token decides, too: whoever has it is taken for you.")
    terminal = person.open_terminal() if server.address else None
    if terminal is not None:
        note("You: press Enter for a link to the page that does, or start with --open")
        threading.Thread(target=_give_links, args=(server, terminal), daemon=True).start()


def _give_links(server: ListeningServer, terminal: person.Terminal) -> None:
    """Show a link at each Enter, only on the controlling terminal, which no program reads."""
    with suppress(OSError):
        while os.read(terminal.descriptor, 4096):
            terminal.show(f"good for a minute, once: {server.link()}\n")
