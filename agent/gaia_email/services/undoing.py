"""Taking back what was done, by whatever names it. Entries: `actions_to_undo`, `undo_in`."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from gaia_email.actions.account_session import AccountSession, open_desk
from gaia_email.actions.reconcile import reconcile
from gaia_email.actions.undo import TAKEN_BACK, Undone, action_of, chosen_actions, last_done, undo
from gaia_email.ledger import Action, Selection, open_ledger
from gaia_email.pending.known_ids import Known, actions_of, known
from gaia_email.services.mail_source import MailSource
from gaia_email_registry.errors import NeedsApproval, NotFound


@dataclass(frozen=True, slots=True, kw_only=True)
class ToUndo:
    """What is to be taken back; with nothing given, what was done last."""

    named: Known | None = None
    action_id: str | None = None
    run_id: str | None = None
    session_id: str | None = None
    since: float | None = None


async def actions_to_undo(desk: AccountSession, wanted: ToUndo) -> list[Action]:
    """The actions of this account that are meant.

    Raises:
        NotFound: There are none, or none that can still be taken back.
        MailError: The mailbox or the ledger cannot be used.
    """
    await reconcile(desk, finish=False)
    if wanted.named is not None:
        found = actions_of(desk, wanted.named)
    elif wanted.action_id is not None:
        found = [action_of(desk, wanted.action_id)]
    elif wanted.run_id is None and wanted.session_id is None and wanted.since is None:
        found = last_done(desk)
    else:
        with desk.ledger.read() as tx:
            run = desk.ledger.actions.run_starting_with(tx, wanted.run_id) if wanted.run_id else None
        chosen = Selection(
            account_id=desk.account, run_id=run, session_id=wanted.session_id, since=wanted.since
        )
        found = chosen_actions(desk, chosen)
    if not any(action.state in TAKEN_BACK for action in found):
        raise NotFound(
            "There is nothing of that left to undo on this account.",
            hint="gaia email actions lists what was done.",
        )
    return found


def undo_in(
    source: MailSource, given: str | None, *, actor: str, at_most: int | None = None
) -> tuple[int, Undone]:
    """Take back what an id names (of an action, a run, something approved), or what was done last.

    Args:
        source: The mailbox.
        given: The id, or its beginning.
        actor: The face it is said in.
        at_most: Refuse more actions than that.

    Returns:
        How many actions were meant, and what became of them.

    Raises:
        NotFound: There is nothing of that to undo here.
        NeedsApproval: It is more than `at_most`; nothing was taken back.
        MailError: The mailbox or the ledger cannot be used.
    """

    async def main() -> tuple[int, Undone]:
        with open_ledger() as ledger:
            named = known(ledger, given) if given else None
            if given and named is None:
                raise NotFound(
                    f"Nothing that was done has the id {given[:60]!r}.",
                    argument="id",
                    hint="without an id, what was done last is undone.",
                )
            async with open_desk(source.place.spec, ledger, actor=actor) as desk:
                actions = await actions_to_undo(desk, ToUndo(named=named))
                if at_most is not None and len(actions) > at_most:
                    raise NeedsApproval(f"That would take back {len(actions):,} actions.")
                return len(actions), await undo(desk, actions)

    return asyncio.run(main())
