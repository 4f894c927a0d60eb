"""Undoes a call of a run by the call named in its answer. Entries: `way_back`, `take_back`.

Of a label change, only messages that are still as the call left them are changed back; a draft is deleted only if it
still exists.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from gaia_email.actions.call_facts import ask_gate
from gaia_email.actions.change import LabelIdChange, reversals
from gaia_email.actions.kinds import UNDO
from gaia_email.actions.reconcile import labels_of
from gaia_email.ledger import ActionOutcome, LoggedAction, NewAction
from gaia_email.models.wire_values import object_of
from gaia_email.policy.gate import Consent, Pass
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.contract.wire import WriteResult
from gaia_email_registry.errors import MailError

if TYPE_CHECKING:
    from gaia_email.actions.account_session import AccountSession

CHANGED = "What it changed was changed afterwards, so it was left as it is."
ANSWERED = "You have answered it already."
ITEM = "withdraws"
"""The key of a reversal that names the Agent Inbox item to withdraw."""


def way_back(answer: Mapping[str, object]) -> dict[str, object] | None:
    """Return the undo named in a call's answer, or None."""
    back = object_of(answer.get("undo"))
    return {**back, "message": answer.get("message_id")} if back else None


def is_call(action: LoggedAction) -> bool:
    """Return True if the action is undone by this module."""
    back = action.reversal_payload or {}
    return "tool" in back or ITEM in back


async def take_back(session: AccountSession, action: LoggedAction) -> str:
    """Undo an applied action. Returns why it was not undone, or an empty string.

    Raises:
        ProviderError: The ledger cannot be written.
    """
    back = action.reversal_payload or {}
    if ITEM in back:
        with session.ledger.write() as tx:
            if not session.ledger.pending.void(tx, item_ids=[str(back[ITEM])]):
                return ANSWERED
            session.ledger.actions.reverse(tx, [action.action_id], actor=session.actor)
        return ""
    try:
        arguments = await _standing(session, back)
        if not arguments:
            return CHANGED
        call = ToolCall.of(session.account, str(back["tool"]), arguments)
        given = await ask_gate(session, call, Consent(by="user", why=f"You take back: {action.action_type}."))
        if not isinstance(given, Pass):
            return getattr(given, "reason", "This waits for your agreement.")
        return await _made(session, action, call, given)
    except MailError as error:
        return error.message


async def _made(session: AccountSession, action: LoggedAction, call: ToolCall, given: Pass) -> str:
    new = NewAction(
        account_id=action.account_id,
        message_id=action.message_id,
        action_type=UNDO,
        payload={"of": action.action_id, "tool": call.tool, "arguments": call.arguments},
        why=f"You took back: {action.action_type}.",
        user_confirmed=True,
    )
    with session.ledger.write() as tx:
        session.ledger.actions.plan(tx, [new], actor=session.actor)
    error = ""
    try:
        answer = await session.writer.call(given)
        error = "" if answer.get("ok") is not False else CHANGED
    except MailError as failed:
        error = failed.message
    outcome = ActionOutcome(
        action_id=new.action_id, state="failed" if error else "applied", error=error or None
    )
    with session.ledger.write() as tx:
        session.ledger.actions.settle(tx, [outcome], actor=session.actor)
        if not error:
            session.ledger.actions.reverse(tx, [action.action_id], actor=session.actor)
    return error


async def _standing(session: AccountSession, back: Mapping[str, object]) -> dict[str, object]:
    """Return the undo's arguments for the messages still as the call left them; empty if there are none."""
    arguments = dict(object_of(back["arguments"]))
    draft = back.get("message")
    if isinstance(draft, str) and not await labels_of(session, [draft]):
        return {}
    if "messageIds" not in arguments:
        return arguments
    answer = cast("WriteResult", {"undo": {"tool": back["tool"], "arguments": arguments}})
    wanted = reversals(answer) or {}
    now = await labels_of(session, list(wanted))
    left = {id_: change for id_, change in wanted.items() if _stands(change, now.get(id_))}
    if not left:
        return {}
    own = object_of(arguments.get("perMessage"))
    arguments["messageIds"] = list(left)
    return arguments | ({"perMessage": {id_: own[id_] for id_ in left if id_ in own}} if own else {})


def _stands(back: LabelIdChange, labels: frozenset[str] | None) -> bool:
    return labels is not None and back.inverse.stands_in(labels)
