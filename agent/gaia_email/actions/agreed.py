"""Makes a call that the user agreed to in another interface than the one that asked. Entry point: `make_agreed`.

It is written down like everything that is done: what leaves a list or sends mail by the code that always does, any
other call as itself.
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
    """Use the yes up, and make exactly the call it is about.

    Raises:
        NeedsApproval: It was not given, was used before, has run out, or is about something else by now.
        BadArgument: What it is about can change unseen, so it cannot be agreed to elsewhere.
        MailError: The server did not do it, or nobody knows whether it did.
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
        session.gate.withdraw(approval.approval_id, call, reason).raised()
    given = session.gate.redeem(approval.approval_id, call)
    if isinstance(given, CallRefused):
        given.raised()
    cohort = str(asked.fields.get("cohort", ""))
    if call.tool == "unsubscribe" and summary is not None:
        left = await leave(session, summary, given, Consent(by="user", why=WHY, cohort=cohort))
        return AppliedActions(done=[left.action])
    if call.arguments.get("auto_submitted") is True and summary is not None:
        return await send_agreed(session, summary, _answer(call, asked, summary), cohort, given)
    return await _make(session, call, summary, given)


async def _about(session: AccountSession, call: ToolCall) -> Summary | None:
    """The one message a call is about; None where it is about none, or many."""
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
