"""Daily and weekly checks made by long-running programs. Entry points: `looking`, `look_when_due`.

The first program to notice that a check is due runs it; the time of the last check is a document of the
ledger. While the agent is stopped or paused, nothing is checked.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress

from gaia_email.app import App
from gaia_email.app.services.finding_accounts import look_and_tell
from gaia_email.app.services.mcp_servers import LOOK_S, look_at_all, users
from gaia_email.app.services.switches import explain_hold
from gaia_email.app.services.user_settings import weekly_look
from gaia_email.ledger.failures import LostRace
from gaia_email.ledger.policy_store import has_ledger
from gaia_email.plugins import load_parts
from gaia_email_registry.clock import now as clock_now
from gaia_email_registry.errors import MailError

DAY_S = 86_400.0
WEEK_S = 7 * DAY_S
CHECK_S = 600.0
"""Seconds between two checks of the clock."""

LOOKS = "regular looks"
"""The document with the time of each last check, in epoch seconds by its name."""

Say = Callable[[str], None]


@contextmanager
def looking(app: App, say: Say, *, clock: Callable[[], float] = clock_now) -> Generator[None]:
    """Run the checks that are due in a background thread while the block runs.

    Args:
        app: The running program.
        say: Receives sentences for the user: changes found, or the reason why a check failed.
        clock: Epoch seconds.
    """
    started: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]] = []
    running = threading.Event()

    async def again_and_again() -> None:
        task = asyncio.current_task()
        assert task is not None
        started.append((asyncio.get_running_loop(), task))
        running.set()
        said = ""
        while True:
            try:
                await look_when_due(app, say, clock=clock)
            except MailError as error:
                if error.message != said:
                    said = error.message
                    say(f"What changed on this machine could not be looked at: {said}")
            await asyncio.sleep(CHECK_S)

    def run() -> None:
        with suppress(asyncio.CancelledError):
            asyncio.run(again_and_again())

    thread = threading.Thread(target=run, name="regular looks", daemon=True)
    thread.start()
    try:
        yield
    finally:
        running.wait()
        loop, task = started[0]
        with suppress(RuntimeError):  # it has already ended
            loop.call_soon_threadsafe(task.cancel)
        thread.join(LOOK_S)


async def look_when_due(app: App, say: Say, *, clock: Callable[[], float] = clock_now) -> None:
    """Check the user's own MCP servers and have plug-ins clean up daily, and look for new accounts weekly.

    New accounts are only looked for if the user has enabled that.

    Raises:
        MailError: A list or the ledger cannot be read or written.
    """
    if explain_hold(environ=app.environ):
        return
    servers = [one for one in users(app) if not one.is_off]
    if servers and _is_turn(app, "servers", DAY_S, clock()):
        for told in [look.told for look in await look_at_all(app, servers) if look.told]:
            say(told)
    if has_ledger(app.environ) and _is_turn(app, "files and drafts", DAY_S, clock()):
        for clean_up in load_parts("upkeep"):
            clean_up(app)
    if weekly_look(app) and _is_turn(app, "accounts", WEEK_S, clock()):
        for told in look_and_tell(app):
            say(told)


def _is_turn(app: App, what: str, every_s: float, now: float) -> bool:
    """Return True if that check is due; the caller that receives True has claimed it."""
    with app.ledger() as ledger, suppress(LostRace), ledger.write() as tx:
        document = ledger.documents.read(tx, LOOKS)
        times = {} if document is None else document.value
        last = times.get(what)
        if isinstance(last, float | int) and 0 <= now - last < every_s:
            return False
        ledger.documents.write(tx, LOOKS, {**times, what: now}, 0 if document is None else document.version)
        return True
    return False
