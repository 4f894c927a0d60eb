"""Settles the unfinished actions of an earlier program by checking the mailbox. Entry point: `reconcile`.

A planned action whose effect is present is done. If the message is unchanged or shows part of the effect, the action
is completed now. A message that was changed in another way is left alone and triaged again later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.answering import send_planned
from gaia_email.actions.applying import (
    AppliedActions,
    Progress,
    carry_out,
    finish_runs,
    give_up,
    planned_of,
    silent,
    write_down,
)
from gaia_email.actions.change import LabelIdChange, exclusive_labels_of
from gaia_email.actions.kinds import MAKE_LABEL, SEND
from gaia_email.ledger import ActionOutcome, LoggedAction

READ_AT_ONCE = 100

CHANGED = "The message was changed meanwhile, so it was left as it is."
GONE = "The message is not there any more."
UNKNOWN = "It was cut short, and nothing tells whether it was done; it is not done again."


async def reconcile(
    session: AccountSession,
    *,
    run_id: str | None = None,
    at_most: int | None = None,
    finish: bool = True,
    progress: Progress = silent,
) -> AppliedActions:
    """Settle planned actions of the account (or of one run, or the first `at_most`), and complete what remains.

    Without `finish`, only actions that show part of their effect are completed; the others stay planned.

    Raises:
        MailError: The mailbox cannot be read; everything stays planned.
    """
    open_actions = planned_of(session, run_id)[:at_most]
    total = AppliedActions()
    if not open_actions:
        return total
    again: list[LoggedAction] = []
    changes = [action for action in open_actions if "add" in action.action_payload]
    sends = [action for action in open_actions if action.action_type == SEND]
    others = [action for action in open_actions if action not in changes and action not in sends]
    total.add(await _others(session, others))
    held = await labels_of(session, [action.message_id for action in changes])
    outcomes: list[ActionOutcome] = []
    earlier: set[str] = set()
    for action in changes:
        # A second action on a message was planned on top of the first, so the current state does not show its
        # outcome.
        now = held.get(action.message_id)
        first = action.message_id not in earlier
        earlier.add(action.message_id)
        if now is None:
            outcomes.append(ActionOutcome(action_id=action.action_id, state="failed", error=GONE))
        elif not first:
            again += [action] if finish else []
        elif LabelIdChange.read(action.action_payload).stands_in(now):
            outcomes.append(ActionOutcome(action_id=action.action_id))
        elif was_changed(action, now):
            outcomes.append(ActionOutcome(action_id=action.action_id, state="failed", error=CHANGED))
        elif finish or was_begun(action, now):
            again.append(action)
    total.add(write_down(session, outcomes) if outcomes else AppliedActions())
    total.add(await carry_out(session, again, known=False, progress=progress))
    if finish and total.problem is None:
        total.add(await send_planned(session, sends))
    finish_runs(session, [action.run_id for action in open_actions if action.run_id is not None])
    return total


async def _others(session: AccountSession, actions: Sequence[LoggedAction]) -> AppliedActions:
    """Settle actions on labels by checking for the label; actions without a trace in the mailbox are not repeated."""
    if not actions:
        return AppliedActions()
    names = await session.labels(fresh=True)
    made = [
        action
        for action in actions
        if action.action_type == MAKE_LABEL and str(action.action_payload["name"]).casefold() in names
    ]
    outcomes = [ActionOutcome(action_id=action.action_id) for action in made]
    total = write_down(session, outcomes) if outcomes else AppliedActions()
    total.failed += give_up(session, [action for action in actions if action not in made], UNKNOWN)
    return total


def was_changed(action: LoggedAction, now: frozenset[str]) -> bool:
    """Return True if the message's labels differ from those before and after the planned action."""
    change = LabelIdChange.read(action.action_payload)
    before = frozenset(LabelIdChange.read({"add": action.action_payload.get("before")}).add)
    expected = {exclusive_labels_of(before), exclusive_labels_of(change.after(before))}
    return change.others(now) != change.others(before) or exclusive_labels_of(now) not in expected


def was_begun(action: LoggedAction, now: frozenset[str]) -> bool:
    """Return True if part of the planned action's effect is present."""
    before = frozenset(LabelIdChange.read({"add": action.action_payload.get("before")}).add)
    effect = LabelIdChange.read(action.action_payload).effect_on(before)
    return bool(now.intersection(effect.add)) or not now.issuperset(effect.remove)


async def labels_of(session: AccountSession, ids: Sequence[str]) -> dict[str, frozenset[str]]:
    """Return the current labels of the existing messages at the server."""
    found: dict[str, frozenset[str]] = {}
    for some in _chunks(list(dict.fromkeys(ids))):
        for email in (await session.mail.read_emails(some, format="summary"))["emails"]:
            found[email["id"]] = frozenset(email["labels"])
    return found


def _chunks(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), READ_AT_ONCE):
        yield ids[start : start + READ_AT_ONCE]
