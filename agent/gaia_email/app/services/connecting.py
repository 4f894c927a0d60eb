"""Account connections made while a page waits: login, then first sync. Entries: `begin_sign_in`, `begin_sync`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING

from gaia_email.actions.pending.telling import take_back, tell
from gaia_email.app import App
from gaia_email.app.connection_attempts import ConnectionAttempt
from gaia_email.app.services.choosing import connected_source
from gaia_email.app.services.finding_accounts import now_connected
from gaia_email.app.services.inbox_rows import InboxRequest, list_inbox
from gaia_email.ledger.policy_store import has_ledger, stored_rules
from gaia_email_registry.errors import InternalError, MailError, NotFound
from gaia_email_registry.extras import missing_extra
from gaia_email_registry.origin import OURS

if TYPE_CHECKING:
    from gaia_email.app.accounts.connect import ConnectedAccount

log = logging.getLogger(__name__)

SHOWN_S = 15.0
"""Seconds to wait for a page to open, or for a reason why there is none."""

REMINDER = "connecting"
"""Subject of the note that reminds the user to connect an account."""


def begin_sign_in(app: App, provider: str, address: str, *, device_code: bool = False) -> ConnectionAttempt:
    """Start a login at Google or Microsoft, and wait until there is a page to open.

    The user has already agreed to the permissions of the login. Once they confirm at the provider, the
    account is connected and read for the first time.
    """
    options = {"no_browser": "true"}
    options |= {"email": address} if address else {}
    options |= {"device_code": "true"} if device_code else {}
    options |= {"provider": provider} if provider != "gmail" else {}
    attempt = ConnectionAttempt(account=address)

    def work(attempt: ConnectionAttempt) -> None:
        try:
            found = asyncio.run(_connected(app, attempt, provider, options))
            attempt.account = found.account.id
            now_connected(app, found.account.address)
            connected_once(app)
            _sync(app, attempt)
        except asyncio.CancelledError:
            attempt.state = "cancelled"
        except Exception as error:  # shown on the waiting page, whatever it is
            attempt.fail(_told(error))

    app.attempts.begin(attempt, work)
    attempt.shown.wait(SHOWN_S)
    return attempt


async def _connected(
    app: App, attempt: ConnectionAttempt, provider: str, options: Mapping[str, str]
) -> ConnectedAccount:
    from gaia_email.app.accounts.connect_google import connect_google
    from gaia_email.app.accounts.connect_microsoft import connect_microsoft

    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def cancel() -> None:
        if task is not None and not loop.is_closed():
            loop.call_soon_threadsafe(task.cancel)

    attempt.cancel = cancel
    connect = connect_google if provider == "gmail" else connect_microsoft
    return await connect(options, app.environ, say=attempt.say, agree=lambda: True)


def begin_sync(app: App, account: str) -> ConnectionAttempt:
    """Start the first reading of an account; the attempt records its progress and result.

    Raises:
        MailError: The account does not exist.
    """
    connected_source(account, app.environ)
    attempt = ConnectionAttempt(state="syncing", account=account)

    def work(attempt: ConnectionAttempt) -> None:
        try:
            _sync(app, attempt)
        except Exception as error:  # shown on the waiting page, whatever it is
            attempt.fail(_told(error))

    app.attempts.begin(attempt, work)
    return attempt


def attempt_named(app: App, id_: str) -> ConnectionAttempt:
    """Return the attempt with that id.

    Raises:
        NotFound: It is no longer in memory: the program was restarted, or many others followed.
    """
    found = app.attempts.get(id_)
    if found is None:
        raise NotFound("This connection is not being made any more.", argument="id", hint="connect it again.")
    return found


def remind_later(app: App) -> None:
    """Add a note to the Agent Inbox that no mailbox is connected."""
    with app.ledger() as ledger, ledger.write() as tx:
        tell(
            ledger,
            tx,
            REMINDER,
            asked="No mailbox is connected yet: connect one on the first page, or with gaia email connect",
            why="You chose to do it later.",
            origin=OURS,
        )


def connected_once(app: App) -> None:
    """Remove that note."""
    if has_ledger(app.environ):
        with app.ledger() as ledger, ledger.write() as tx:
            take_back(ledger, tx, REMINDER)


def _sync(app: App, attempt: ConnectionAttempt) -> None:
    def progress(done: int, total: int) -> None:
        if total:
            attempt.done, attempt.total = done, total

    attempt.state = "syncing"
    source = connected_source(attempt.account, app.environ)
    request = InboxRequest(
        rules=stored_rules(environ=app.environ), now=app.clock(), progress=progress, tell=attempt.say
    )
    found, _ = list_inbox(app, [source], request)
    counts = found.counts
    attempt.numbers = {
        "messages": found.total,
        "threads": found.threads,
        **{bucket: one["threads"] for bucket, one in counts.items()},
    }
    attempt.state = "done"


def _told(error: Exception) -> MailError:
    if isinstance(error, MailError):
        return error
    if (missing := missing_extra(error)) is not None:
        return missing
    log.error("A connection broke off: %s", type(error).__name__)
    return InternalError(
        f"It broke off ({type(error).__name__}).", hint="gaia email doctor looks for what is wrong."
    )
