"""Undoes actions whose messages have not changed since. Entry points: `undo`, `last_done`.

An action can be undone if every label it added is present, every label it removed is absent, and the message is where
it left it. Actions are undone newest first, and each undo is itself an action. Actions that have changed since or
have no undo are left alone and reported.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.applying import AppliedActions, Progress, carry_out, give_up, record, silent
from gaia_email.actions.change import LabelIdChange, exclusive_labels_of
from gaia_email.actions.kinds import DRAFT, MAKE_LABEL, NOT_UNDONE, SEND, UNDO, UNSUBSCRIBE
from gaia_email.actions.labels import clear_away, ensure_labels
from gaia_email.actions.reconcile import GONE, labels_of
from gaia_email.actions.undo_calls import is_call, take_back
from gaia_email.ledger import ActionState, LoggedAction, NewAction, Selection
from gaia_email.ledger.statements import only
from gaia_email.policy.gate import Consent
from gaia_email_registry.calls import texts
from gaia_email_registry.contract.tools import TOOLS
from gaia_email_registry.errors import MailError, NotFound

TAKEN_BACK: tuple[ActionState, ...] = ("applied", "planned")

WITHDRAWN = "You took it back before it was done."
NO_WAY_BACK = "This cannot be undone."
SENT = "This cannot be undone: a mail that was sent cannot be called back."
AT_SERVER = "What a tool of another server did is taken back there, if anywhere."
NO_WAY_BACK_BY_KIND = {
    DRAFT: "A draft goes to nobody by itself; delete it in your mail program.",
    SEND: SENT,
    "slack_post": "A post stays in Slack; delete it there.",
    UNSUBSCRIBE: "This cannot be undone: the list was left; who wants it again subscribes to it again.",
}
CHANGED = "The message was changed afterwards, so it was left as it is."
CHANGED_BY_US = "A later action changed the same message; undo that one first."


@dataclass(frozen=True, slots=True, kw_only=True)
class NotUndone:
    """An action that was not undone, with the reason."""

    action: LoggedAction
    reason: str


@dataclass(slots=True, kw_only=True)
class UndoOutcome:
    """Results of an undo.

    Attributes:
        taken_back: Undone actions, whose messages are as before.
        cleared: Names of unused labels of the agent that were removed.
        kept: Actions that were not undone, each with its reason.
        left: Actions whose undo is planned but could not be tried yet; `problem` is the reason.
    """

    taken_back: list[LoggedAction] = field(default_factory=list[LoggedAction])
    cleared: list[str] = field(default_factory=list[str])
    kept: list[NotUndone] = field(default_factory=list[NotUndone])
    left: list[LoggedAction] = field(default_factory=list[LoggedAction])
    problem: MailError | None = None

    @property
    def meant(self) -> int:
        """Number of actions that were to be undone."""
        return len(self.taken_back) + len(self.kept) + len(self.left)


async def undo(
    session: AccountSession,
    actions: Sequence[LoggedAction],
    *,
    session_id: str | None = None,
    progress: Progress = silent,
) -> UndoOutcome:
    """Undo actions of the account, newest first; those that are not applied (any more) are skipped.

    Planned actions are cancelled, since their messages are unchanged. Several actions are undone as one run.

    Raises:
        MailError: The mailbox cannot be read, or the ledger cannot be written; nothing was undone.
    """
    planned = [action for action in actions if action.state == "planned"]
    result = UndoOutcome(taken_back=give_up(session, planned, WITHDRAWN))
    newest = sorted(
        (action for action in actions if action.state == "applied" and action.action_type != MAKE_LABEL),
        key=lambda action: -action.seq,
    )
    await _take_calls_back(session, [action for action in newest if is_call(action)], result)
    wanted = [action for action in newest if not is_call(action)]
    now = await labels_of(session, [action.message_id for action in wanted if action.message_id])
    new: list[NewAction] = []
    run_id = str(uuid.uuid4()) if len(wanted) > 1 else None
    for action in wanted:
        reason = _obstacle(session, action, now.get(action.message_id), wanted)
        if reason:
            result.kept.append(NotUndone(action=action, reason=reason))
            continue
        back = await _with_labels_of_today(session, action, LabelIdChange.read(action.reversal_payload))
        new.append(_taking_back(action, back, now[action.message_id], session_id, run_id))
        now[action.message_id] = back.after(now[action.message_id])
    if new:
        applied = await carry_out(session, record(session, new), known=False, progress=progress)
        _sum_up(result, applied, {action.action_id: action for action in wanted})
    if result.taken_back and result.problem is None:
        result.cleared = await clear_away(
            session, Consent(by="user", why="You took back what it was made for.")
        )
    return result


async def _take_calls_back(
    session: AccountSession, calls: Sequence[LoggedAction], result: UndoOutcome
) -> None:
    for action in calls:
        if reason := await take_back(session, action):
            result.kept.append(NotUndone(action=action, reason=reason))
        else:
            result.taken_back.append(action)


async def _with_labels_of_today(
    session: AccountSession, action: LoggedAction, back: LabelIdChange
) -> LabelIdChange:
    """Return the change with current label IDs; labels that were removed since are created again."""
    names = texts(action.action_payload.get("names"))
    there = {label["id"] for label in (await session.labels()).values()}
    if action.action_type != UNDO or not names or there.issuperset(back.add):
        return back
    made = await ensure_labels(session, names, Consent(by="user", why="You took an undo back."))
    return LabelIdChange.of({*there.intersection(back.add), *made.values()}, back.remove)


def _obstacle(
    session: AccountSession,
    action: LoggedAction,
    labels: frozenset[str] | None,
    together: Sequence[LoggedAction],
) -> str:
    """Return why an action cannot be undone; empty if it can."""
    if action.reversal_payload is None:
        return _no_way_back(action.action_type)
    if labels is None:
        return GONE
    back = LabelIdChange.read(action.reversal_payload)
    if stands(action, back, labels):
        return ""
    with session.ledger.read() as tx:
        chosen = Selection(account_id=action.account_id, message_id=action.message_id, states=("applied",))
        since = session.ledger.actions.select(tx, chosen)
    ours = {other.action_id for other in together}
    later = [other for other in since if other.seq > action.seq and other.action_id not in ours]
    return CHANGED_BY_US if later else CHANGED


def _no_way_back(kind: str) -> str:
    if "." in kind:
        return AT_SERVER
    sends = kind in TOOLS and TOOLS[kind].output == "SendResult"
    return SENT if sends else NO_WAY_BACK_BY_KIND.get(kind, NO_WAY_BACK)


def stands(action: LoggedAction, back: LabelIdChange, labels: frozenset[str]) -> bool:
    """Return True if the labels that the action changed are still as it left them."""
    if back.is_empty:
        return True
    left = back.inverse
    before = frozenset(LabelIdChange.read({"add": action.action_payload.get("before")}).add)
    return left.stands_in(labels) and exclusive_labels_of(labels) == exclusive_labels_of(left.after(before))


def _taking_back(
    action: LoggedAction,
    back: LabelIdChange,
    labels: frozenset[str],
    session_id: str | None,
    run_id: str | None,
) -> NewAction:
    payload = {
        **back.kept,
        "of": action.action_id,
        "before": sorted(labels),
        "names": action.action_payload.get("names", []),
        "sender": action.action_payload.get("sender", ""),
        "subject": action.action_payload.get("subject", ""),
    }
    return NewAction(
        account_id=action.account_id,
        message_id=action.message_id,
        action_type=UNDO,
        payload=payload,
        reversal=back.effect_on(labels).inverse.kept,
        run_id=run_id,
        session_id=session_id,
        cohort=action.cohort,
        why=f"You took back: {action.action_type}.",
        user_confirmed=True,
    )


def _sum_up(result: UndoOutcome, applied: AppliedActions, wanted: dict[str, LoggedAction]) -> None:
    def of(undoing: LoggedAction) -> LoggedAction:
        return wanted[str(undoing.action_payload["of"])]

    result.taken_back += [of(undoing) for undoing in applied.done]
    result.kept += [
        NotUndone(action=of(undoing), reason=undoing.error or CHANGED) for undoing in applied.failed
    ]
    result.left = [of(undoing) for undoing in applied.left]
    result.problem = applied.problem


def chosen_actions(session: AccountSession, chosen: Selection) -> list[LoggedAction]:
    """Return the actions of a run, a session or a time range that can be undone.

    Undo actions are excluded, unless the run consists of them.
    """
    with session.ledger.read() as tx:
        found = session.ledger.actions.select(tx, chosen)
    if chosen.run_id is not None and all(action.action_type == UNDO for action in found):
        return [action for action in found if action.state in TAKEN_BACK]
    return [action for action in found if action.state in TAKEN_BACK and action.action_type not in NOT_UNDONE]


def action_of(session: AccountSession, action_id: str) -> LoggedAction:
    """Return the account's action with this ID or unambiguous ID prefix.

    Raises:
        NotFound: No action matches, or more than one.
    """
    with session.ledger.read() as tx:
        found = session.ledger.actions.starting_with(tx, session.account, action_id)
    return only(
        found,
        action_id,
        none="No action on this account has",
        several="More than one action has",
        argument="action",
        hint="gaia email actions lists them.",
    )


def last_done(session: AccountSession) -> list[LoggedAction]:
    """Return the last actions that can be undone: those of the last run, or a single action.

    Raises:
        NotFound: Nothing was done.
    """
    with session.ledger.read() as tx:
        chosen = Selection(account_id=session.account, states=TAKEN_BACK)
        newest = session.ledger.actions.select(tx, chosen, limit=500, newest_first=True)
        for action in newest:
            if action.action_type in NOT_UNDONE:
                continue
            if action.run_id is None:
                return [action]
            run = Selection(account_id=session.account, run_id=action.run_id, states=TAKEN_BACK)
            return session.ledger.actions.select(tx, run)
    raise NotFound("Nothing was done on this account that could be undone.")
