"""Makes an effect that leaves no checkable trace, such as a post or another server's tool. Entry: `make_unseen`.

```
row `planned` ─▶ the effect ─▶ row settled, and the run's record of the answer, in one transaction
```
If a row is still planned, the effect is not repeated, because its outcome cannot be checked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from gaia_email.actions.account_session import locked_account
from gaia_email.actions.one_call import CallAnswer, CallsQuestion, Kept, NotDone, UnclearEnd, this_try
from gaia_email.actions.reconcile import UNKNOWN
from gaia_email.ledger import ActionOutcome, Ledger, NewAction
from gaia_email_registry.errors import BadArgument, MailError, NeedsApproval, NeedsAuth, NotFound, RateLimited
from gaia_email_registry.paths import home

NOT_MADE = (BadArgument, NotFound, NeedsApproval, NeedsAuth, RateLimited, NotDone)
"""Errors that mean that the effect was not made."""


async def make_unseen(
    ledger: Ledger,
    environ: Mapping[str, str],
    new: NewAction,
    effect: Callable[[], Awaitable[CallAnswer]],
    kept: Kept,
    *,
    actor: str,
    ask: Callable[[], Awaitable[CallsQuestion | None]] | None = None,
) -> CallAnswer | CallsQuestion:
    """Make the effect at most once, even if restarted. Returns its answer, or the question that it waits for.

    Args:
        ledger: Records the effect.
        environ: Environment with `GAIA_HOME`, for the account's lock.
        new: The row; its ID is the base for the IDs of attempts.
        effect: Makes the effect; raises one of `NOT_MADE` if it was not made.
        kept: Stores the run's record of the answer.
        actor: Name of the acting program in the event log.
        ask: Asks for permission after all other checks, so that no approval is wasted.

    Raises:
        UnclearEnd: The outcome is unknown; it is not repeated.
        AccountBusy: Another program is acting on the account; nothing was done.
        MailError: It was not made.
    """
    with locked_account(home(environ), new.account_id):
        action_id, earlier = this_try(ledger, new.action_id)

        def over(error: str) -> None:
            outcome = ActionOutcome(action_id=action_id, state="failed", error=error)
            with ledger.write() as tx:
                ledger.actions.settle(tx, [outcome], actor=actor)

        if earlier is not None:
            over(UNKNOWN)
            raise UnclearEnd(UNKNOWN)
        if ask is not None and (question := await ask()) is not None:
            return question
        with ledger.write() as tx:
            ledger.actions.plan(tx, [replace(new, action_id=action_id)], actor=actor)
        try:
            answer = await effect()
        except NOT_MADE as error:
            over(error.message)
            raise
        except (MailError, asyncio.CancelledError) as error:
            over(UNKNOWN)
            if isinstance(error, MailError):
                raise UnclearEnd(UNKNOWN) from None
            raise
        with ledger.write() as tx:
            ledger.actions.settle(tx, [ActionOutcome(action_id=action_id)], actor=actor)
            kept(tx, answer)
        return answer
