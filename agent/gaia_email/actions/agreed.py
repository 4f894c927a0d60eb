"""Makes a call that the user approved in another interface than the one that asked. Entry point: `make_agreed`.

Unsubscribing and template answers go through their usual code; any other call is recorded as an action of its own.
"""

from __future__ import annotations

from dataclasses import replace

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.answering import send_agreed
from gaia_email.actions.applying import AppliedActions, give_up, record, write_down
from gaia_email.actions.call_facts import facts_reader
from gaia_email.actions.unsubscribe import leave
from gaia_email.ledger import ActionOutcome, NewAction
from gaia_email.models.wire_values import objects_of
from gaia_email.policy.facts import missing_facts
from gaia_email.policy.gate import CallRefused, Consent, Pass
from gaia_email.policy.question import question, what_changed
from gaia_email_registry.approvals import Approval, ApprovalRequest
from gaia_email_registry.calls import ToolCall, message_of
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import BadArgument, MailError, NotFound

WHY = "You agreed to it."


async def make_agreed(session: AccountSession, approval: Approval) -> AppliedActions:
    """Use up the approval and make exactly the approved call.

    Raises:
        NeedsApproval: It was not approved, was used before, has expired, or its subject has changed.
        BadArgument: Its subject can change unseen, so it cannot be approved in another interface.
        MailError: The server did not do it, or the outcome is unknown.
    """
    asked = approval.asked
    call = ToolCall.of(asked.account, asked.tool, asked.arguments)
    if call.tool == "send_draft":
        raise BadArgument("A draft may have been changed since it was shown; send it where it was asked for.")
    summary = await _about(session, call)
    facts = await facts_reader(session, call)()
    if not asked.fields.get("senders"):
        facts = replace(facts, senders=())
    if reason := what_changed(asked.fields, question(call, facts)) or missing_facts(call, facts):
        session.gate.withdraw(approval.approval_id, call, reason).raise_error()
    given = session.gate.redeem(approval.approval_id, call)
    if isinstance(given, CallRefused):
        given.raise_error()
    cohort = str(asked.fields.get("cohort", ""))
    if call.tool == "unsubscribe" and summary is not None:
        left = await leave(session, summary, given, Consent(by="user", why=WHY, cohort=cohort))
        return AppliedActions(done=[left.action])
    if call.arguments.get("auto_submitted") is True and summary is not None:
        return await send_agreed(session, summary, _answer(call, asked, summary), cohort, given)
    return await _make(session, call, summary, given)


async def _about(session: AccountSession, call: ToolCall) -> Summary | None:
    """Return the message a call is about; None if there is none or more than one."""
    named = message_of(call.arguments)
    if named is None:
        return None
    found = (await session.mail.read_emails([named], format="summary"))["emails"]
    if not found:
        raise NotFound("The message is not there any more, so there is nothing to do.", argument="id")
    return found[0]


def _answer(call: ToolCall, asked: ApprovalRequest, summary: Summary) -> dict[str, object]:
    shown = [person.get("address") for person in objects_of(asked.fields.get("recipients"))]
    return {
        "body": call.arguments.get("body"),
        "to": [address for address in shown if isinstance(address, str)],
        "sender": summary["from"]["address"].lower(),
        "subject": summary["subject"],
    }


async def _make(
    session: AccountSession, call: ToolCall, summary: Summary | None, given: Pass
) -> AppliedActions:
    payload: dict[str, object] = {"tool": call.tool, "arguments": call.arguments}
    if summary is not None:
        payload |= {"sender": summary["from"]["address"], "subject": summary["subject"]}
    new = NewAction(
        account_id=session.account,
        message_id="" if summary is None else summary["id"],
        action_type=call.tool,
        payload=payload,
        why=WHY,
        user_confirmed=True,
    )
    planned = record(session, [new])
    try:
        await session.writer.write(given)
    except MailError as error:
        give_up(session, planned, error.message)
        raise
    return write_down(session, [ActionOutcome(action_id=planned[0].action_id)])
