"""An effect that nothing shows afterwards: a post, a tool of a server of others. Entry: `make_unseen`.

```
row `planned` ─▶ the effect ─▶ row settled, and what the run keeps of it, in one transaction
```
Whoever finds the row planned does not make the effect again: nobody can look whether it was made.
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
"""Errors with which an effect says that it was not made."""


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
    """What the effect answers, made at most once however often this is begun again; or the question it waits for.

    Args:
        ledger: Where it is written down.
        environ: Where `GAIA_HOME` is looked up, for the lock of the account.
        new: The row; from its id the ids of its tries are made.
        effect: Makes it; one of `NOT_MADE` says that it was not made.
        kept: Writes down what the run keeps of the answer.
        actor: Who acts, in the event log.
        ask: Gets leave once nothing else stands in the way, so that a yes is not used up in vain.

    Raises:
        UnclearEnd: Nobody knows whether it was made; it is not made again.
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
