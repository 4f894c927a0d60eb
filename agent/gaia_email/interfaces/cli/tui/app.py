"""`gaia email` without a command, on a terminal: the full-screen inbox. Entry: `live`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence

from gaia_email.app import App
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.cli.options import NamedSource
from gaia_email.interfaces.cli.tui.render import plain
from gaia_email.interfaces.cli.tui.state import ScreenState
from gaia_email.interfaces.cli.tui.work import MailboxWork, ScreenWork

PLAIN = "GAIA_PLAIN"
"""Any value prints the inbox as plain numbered lines, for screen readers."""


def live(app: App, run_command: Callable[[list[str]], object]) -> None:
    """Show the connected mailboxes as one full-screen inbox, or as plain lines if requested.

    Args:
        app: The running program.
        run_command: Runs a command of `gaia email` as if it had been typed.

    Raises:
        MailError: No mailbox is connected, or it cannot be read.
    """
    work = MailboxWork(app, NamedSource(account=None, maildir=None).resolve_all(app))
    if wants_plain(app.environ):
        from gaia_email.interfaces.cli.last_card import remember

        state = ScreenState(rows=tuple(work.load()))
        remember(app, [work.locate(row.id) for row in state.visible])
        sys.stdout.write("\n".join(plain(state)) + "\n")
        return
    asyncio.run(_live(work, work.sources, run_command))


def wants_plain(environ: Mapping[str, str]) -> bool:
    """Return True for lines instead of a screen: they are requested, or the terminal cannot move its cursor."""
    return bool(environ.get(PLAIN)) or environ.get("TERM", "dumb") == "dumb"


async def _live(
    work: ScreenWork, sources: Sequence[SourceSpec], run_command: Callable[[list[str]], object]
) -> None:
    from gaia_email.interfaces.cli.tui.screen import Screen

    def run(arguments: list[str]) -> None:
        run_command(arguments)
        sys.stderr.write("Enter goes back to the list. ")
        sys.stderr.flush()
        sys.stdin.readline()

    title = sources[0].path if len(sources) == 1 else f"{len(sources)} mailboxes"
    await Screen(work, title, run).run()
