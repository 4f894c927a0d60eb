"""Past actions, and those that can be undone. Entries: `list_actions`, `left_to_undo`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaia_email.actions.undo import TAKEN_BACK, action_of, chosen_actions, last_done
from gaia_email.app import App
from gaia_email.app.documents.actions import ActionDetails, ActionList
from gaia_email.ledger import LoggedAction, Selection
from gaia_email.ledger.policy_store import has_ledger
from gaia_email_registry.errors import NotFound

if TYPE_CHECKING:
    from gaia_email.actions.account_session import AccountSession
    from gaia_email.actions.pending.known_ids import KnownId
    from gaia_email.app.services.source import SourceSpec

_LISTED = "gaia email actions lists what was done."


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionSelection:
    """A selection of past actions by at most one of these fields; without any, the latest action.

    Attributes:
        named: The item of the ledger that an id refers to.
        action_id: The beginning of an action's id.
        run_id: The beginning of a run's id.
        session_id: A chat session.
        since: Only actions from this time on (epoch seconds).
        message_id: A message. This field and the next three apply only to listing.
        until: Only actions before this time (epoch seconds).
        type: Only actions of this type, as named in the ledger.
        about: Only actions whose sender or subject contains this text.
    """

    named: KnownId | None = None
    action_id: str | None = None
    run_id: str | None = None
    session_id: str | None = None
    since: float | None = None
    message_id: str | None = None
    until: float | None = None
    type: str = ""
    about: str = ""

    @property
    def is_last(self) -> bool:
        """True if the latest action is meant."""
        return (self.named, self.action_id, self.run_id, self.session_id, self.since) == (None,) * 5


def list_actions(app: App, account: str | None, chosen: ActionSelection, *, limit: int) -> ActionList:
    """List past actions, newest first; empty if there is no ledger.

    Raises:
        MailError: The ledger cannot be read, or several runs match the beginning.
    """
    if not has_ledger(app.environ):
        return ActionList(total=0, shown=0, actions=[])
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        run = ledger.actions.run_starting_with(tx, chosen.run_id) if chosen.run_id else None
        selection = Selection(
            account_id=account,
            message_id=chosen.message_id,
            run_id=run,
            session_id=chosen.session_id,
            since=chosen.since,
            until=chosen.until,
            types=(chosen.type,) if chosen.type else (),
            about=chosen.about,
        )
        found = ledger.actions.select(tx, selection, limit=limit, newest_first=True)
        total = sum(ledger.actions.count(tx, selection).values())
    return ActionList(total=total, shown=len(found), actions=[ActionDetails.of(one) for one in found])


def accounts_done(app: App, *, session_id: str | None, since: float | None) -> list[str]:
    """Return the accounts with actions that can be undone, latest first."""
    if not has_ledger(app.environ):
        return []
    chosen = Selection(session_id=session_id, since=since, states=TAKEN_BACK)
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        return ledger.actions.accounts(tx, chosen)


def mailbox_done(app: App, sources: Sequence[SourceSpec], chosen: ActionSelection) -> Sequence[SourceSpec]:
    """Return the mailbox in which the selected actions were done, or all that have some of them.

    Raises:
        NotFound: No mailbox has any, or an id does not name an action.
        MailError: The ledger cannot be read.
    """
    from gaia_email.app.services.names import named_to_undo
    from gaia_email.app.services.opening import account_of

    if len(sources) < 2:
        return sources
    exact = chosen.action_id or chosen.run_id
    named = chosen.named or (named_to_undo(app, exact) if exact else None)
    accounts = (
        [named.account] if named else accounts_done(app, session_id=chosen.session_id, since=chosen.since)
    )
    mailboxes = {account_of(app, source): source for source in sources}
    found = [mailboxes[account] for account in accounts if account in mailboxes]
    if not found:
        raise NotFound("There is nothing of that left to undo.", hint=_LISTED)
    return found[:1] if chosen.is_last else found


async def left_to_undo(session: AccountSession, chosen: ActionSelection) -> Sequence[LoggedAction]:
    """Return the actions that can be undone on this account, after settling half-finished ones.

    Raises:
        NotFound: There are none.
        MailError: The mailbox cannot be used.
    """
    from gaia_email.actions.reconcile import reconcile

    await reconcile(session, finish=False)
    found = _actions(session, chosen)
    if not any(action.state in TAKEN_BACK for action in found):
        raise NotFound("There is nothing of that left to undo on this account.", hint=_LISTED)
    return found


def _actions(session: AccountSession, chosen: ActionSelection) -> Sequence[LoggedAction]:
    if chosen.named is not None:
        from gaia_email.actions.pending.known_ids import actions_of

        return actions_of(session, chosen.named)
    if chosen.action_id is not None:
        return [action_of(session, chosen.action_id)]
    if chosen.is_last:
        return last_done(session)
    with session.ledger.read() as tx:
        run = session.ledger.actions.run_starting_with(tx, chosen.run_id) if chosen.run_id else None
    return chosen_actions(
        session,
        Selection(account_id=session.account, run_id=run, session_id=chosen.session_id, since=chosen.since),
    )
