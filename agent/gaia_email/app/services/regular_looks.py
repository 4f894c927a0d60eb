"""What a program that lives long looks at by itself, once a day or week. Entry points: `looking`, `look_when_due`.

Whichever program comes first looks; the time of the last look is a document of the ledger. While the agent is stopped
or paused nothing is looked at.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress

from gaia_email.app import App
from gaia_email.app.services.artifacts import clean_artifacts
from gaia_email.app.services.automation_authoring import clean_drafts
from gaia_email.app.services.finding_accounts import look_and_tell
from gaia_email.app.services.mcp_servers import LOOK_S, look_at_all, users
from gaia_email.app.services.switches import why_held
from gaia_email.app.services.user_settings import weekly_look
from gaia_email.ledger.failures import LostRace
from gaia_email.ledger.policy_store import has_ledger
from gaia_email_registry.clock import now as clock_now
from gaia_email_registry.errors import MailError

DAY_S = 86_400.0
WEEK_S = 7 * DAY_S
CHECK_S = 600.0
"""Seconds between looks at the clock."""

LOOKS = "regular looks"
"""The document with the time of each last look, epoch seconds by what was looked at."""

Say = Callable[[str], None]


@contextmanager
def looking(app: App, say: Say, *, clock: Callable[[], float] = clock_now) -> Generator[None]:
    """Look at what is due, in a thread of its own, for as long as the block runs.

    Args:
        app: The running program.
        say: Takes a sentence for the user: what changed, or why a look failed.
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
        with suppress(RuntimeError):  # it has ended by itself
            loop.call_soon_threadsafe(task.cancel)
        thread.join(LOOK_S)


async def look_when_due(app: App, say: Say, *, clock: Callable[[], float] = clock_now) -> None:
    """Look at the servers of the user's own file where that was a day ago, for accounts where it was a week ago.

    Accounts are looked for only where the user has switched that on.

    Raises:
        MailError: A list or the ledger cannot be read or written.
    """
    if why_held(environ=app.environ):
        return
    servers = [one for one in users(app) if not one.is_off]
    if servers and _is_turn(app, "servers", DAY_S, clock()):
        for told in [look.told for look in await look_at_all(app, servers) if look.told]:
            say(told)
    if has_ledger(app.environ) and _is_turn(app, "files and drafts", DAY_S, clock()):
        clean_artifacts(app)
        clean_drafts(app)
    if weekly_look(app) and _is_turn(app, "accounts", WEEK_S, clock()):
        for told in look_and_tell(app):
            say(told)


def _is_turn(app: App, what: str, every_s: float, now: float) -> bool:
    """Whether it is time for that look; who is told so has taken it."""
    with app.ledger() as ledger, suppress(LostRace), ledger.write() as tx:
        document = ledger.documents.read(tx, LOOKS)
        times = {} if document is None else document.value
        last = times.get(what)
        if isinstance(last, float | int) and 0 <= now - last < every_s:
            return False
        ledger.documents.write(tx, LOOKS, {**times, what: now}, 0 if document is None else document.version)
        return True
    return False
