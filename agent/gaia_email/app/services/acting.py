"""Opens a mailbox to act on it. Entries: `with_account_session`, `writable_mailbox`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from gaia_email.actions.account_session import AccountSession, open_account_session
from gaia_email.app import App
from gaia_email.app.services.opening import run
from gaia_email.app.services.source import SourceSpec
from gaia_email.mailbox.ref import WRITABLE, MailboxRef
from gaia_email.policy.gate import Prompt
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.origin import RequestOrigin

Result = TypeVar("Result")


def with_account_session(
    app: App,
    source: SourceSpec,
    use: Callable[[AccountSession], Awaitable[Result]],
    *,
    prompt: Prompt | None,
    origin: RequestOrigin,
) -> Result:
    """Open the account or Maildir for acting on it, run `use`, close it again.

    Args:
        app: The running program.
        source: The mail to act on.
        use: The work to do there.
        prompt: The way in which this interface asks the user; None if nobody can be asked.
        origin: The requester and its interface.

    Raises:
        BadArgument: It is read-only, or another program is acting on it.
        MailError: The mailbox or the ledger cannot be opened, or `use` fails.
    """
    spec = writable_mailbox(source).spec(app.environ)

    async def main() -> Result:
        with app.ledger() as ledger:
            async with open_account_session(
                spec, ledger, prompt=prompt, origin=origin, environ=app.environ
            ) as session:
                return await use(session)

    return run(main())


def writable_mailbox(source: SourceSpec) -> MailboxRef:
    """Return the source's mailbox if it can be changed.

    Raises:
        BadArgument: It is read-only.
    """
    if source.kind not in WRITABLE:
        what = "The sample mailbox is" if source.kind == "demo" else "Mail files of this kind are"
        raise BadArgument(
            f"{what} only read; nothing in it can be changed.",
            hint="use a connected account (gaia email connect) or a Maildir (--maildir DIR).",
        )
    return source.mailbox
