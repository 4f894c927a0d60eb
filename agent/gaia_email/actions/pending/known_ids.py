"""Resolves an ID printed by a command to an item, a question, an action or a run. Entry point: `find_known_id`.

These IDs are UUIDs, of which a prefix is enough; message IDs belong to the mail server and are looked up there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gaia_email.ledger import Ledger, PendingItem, Selection
from gaia_email.ledger.action_log import LoggedAction
from gaia_email_registry.calls import messages_of
from gaia_email_registry.errors import BadArgument, NotFound

if TYPE_CHECKING:
    from gaia_email.actions.account_session import AccountSession

KnownKind = Literal["item", "question", "action", "run"]

WORDS: dict[KnownKind, str] = {
    "item": "something that waits for you",
    "question": "a question that waits for you",
    "action": "something that was done",
    "run": "a run",
}

SHORTEST = 4
"""Minimum length of an ID prefix."""

UUID = re.compile(rf"[0-9a-f][0-9a-f-]{{{SHORTEST - 1},35}}")
"""Pattern of such an ID or its prefix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownId:
    """An entry of the ledger: its full ID, its account, and its messages, with the displayed one first."""

    kind: KnownKind
    id: str
    account: str
    messages: tuple[str, ...] = ()
    run_id: str | None = None
    tells: bool = False
    """True if the item only reports what the run did by itself."""


def find_known_id(ledger: Ledger, beginning: str) -> KnownId | None:
    """Return the entry whose ID has this prefix; None if there is none, since it may be a message's.

    Raises:
        NotFound: There are several.
    """
    text = beginning.strip().lower()
    if not UUID.fullmatch(text):
        return None
    with ledger.read() as tx:
        found = [_item(item) for item in ledger.pending.starting_with(tx, text)]
        found += [
            KnownId(
                kind="question",
                id=one.approval_id,
                account=one.asked.account,
                messages=tuple(messages_of(one.asked.arguments)),
            )
            for one in ledger.approvals(tx).starting_with(text)
        ]
        found += [_action(action) for action in ledger.actions.starting_with(tx, None, text)]
        for run_id in ledger.actions.runs_starting_with(tx, text):
            first = ledger.actions.select(tx, Selection(run_id=run_id), limit=1)
            found.append(KnownId(kind="run", id=run_id, account=first[0].account_id, run_id=run_id))
    if len(found) > 1:
        raise NotFound(f"More than one id begins with {text[:60]!r}; give more of it.", argument="id")
    return found[0] if found else None


def _item(item: PendingItem) -> KnownId:
    from gaia_email.actions.pending.proposal import PendingProposal

    try:
        messages: Sequence[str] = [target.message_id for target in PendingProposal.of(item).targets]
    except BadArgument:
        messages = [item.message_id] if item.message_id else []
    return KnownId(
        kind="item",
        id=item.item_id,
        account=item.account_id,
        messages=tuple(messages),
        run_id=item.run_id,
        tells=item.type == "notify",
    )


def _action(action: LoggedAction) -> KnownId:
    messages = (action.message_id,) if action.message_id else ()
    return KnownId(
        kind="action", id=action.action_id, account=action.account_id, messages=messages, run_id=action.run_id
    )


def actions_of(session: AccountSession, named: KnownId) -> list[LoggedAction]:
    """Return the actions of a run, of an action ID, or of an answered item."""
    from gaia_email.actions.undo import action_of, chosen_actions

    if named.kind == "run":
        return chosen_actions(session, Selection(account_id=session.account, run_id=named.id))
    if named.kind == "action":
        return [action_of(session, named.id)]
    if named.tells and named.run_id is not None:
        return chosen_actions(session, Selection(account_id=session.account, run_id=named.run_id))
    found: list[LoggedAction] = []
    for message in named.messages:
        chosen = Selection(account_id=session.account, message_id=message, run_id=named.run_id)
        found += [action for action in chosen_actions(session, chosen) if action.user_confirmed]
    return found
