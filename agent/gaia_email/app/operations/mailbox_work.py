"""Runs the effect of an operation on the one mailbox of its call. Entries: `on_mailbox`, `act_on_mailbox`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from gaia_email.app import App
from gaia_email.app.documents.actions import CommandOutcome
from gaia_email.app.operations.operation import OperationCall

if TYPE_CHECKING:
    from gaia_email.actions.account_session import AccountSession
    from gaia_email.actions.applying import AppliedActions

Result = TypeVar("Result")


def on_mailbox(
    app: App, call: OperationCall[Any], use: Callable[[AccountSession], Awaitable[Result]]
) -> Result:
    """Run `use` on the one mailbox of a call and return its result.

    Raises:
        MailError: The mailbox is read-only or cannot be opened, or `use` fails.
    """
    from gaia_email.app.services.acting import with_account_session

    return with_account_session(app, call.source, use, prompt=call.prompt, origin=call.origin)


def act_on_mailbox(
    app: App, call: OperationCall[Any], name: str, use: Callable[[AccountSession], Awaitable[AppliedActions]]
) -> CommandOutcome:
    """Run `use` on the one mailbox of a call, and describe the actions.

    Raises:
        MailError: It could not be tried.
    """
    started = perf_counter()

    async def carry_out(session: AccountSession) -> tuple[str, AppliedActions]:
        return session.account, await use(session)

    account, applied = on_mailbox(app, call, carry_out)
    if applied.problem is not None and not applied.done:
        raise applied.problem
    undo = applied.done[0].action_id if len(applied.done) == 1 else ""
    seconds = perf_counter() - started
    return CommandOutcome.of(applied, command=name, account=account, seconds=seconds, undo=undo)
