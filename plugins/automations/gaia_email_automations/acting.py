"""Handlers of the steps that act on mail or notify the user. Entries: `mail_tool`, `notification`."""

from __future__ import annotations

from typing import Any

from gaia_email.actions.one_call import CallsQuestion, make_once
from gaia_email.actions.pending.proposal import PendingProposal, ProposalTarget
from gaia_email.actions.undo_calls import ITEM
from gaia_email.ledger import ActionOutcome, NewAction, NewItem
from gaia_email_automations.engine import ACTOR, StepWaits, StepWork, origin_of
from gaia_email_registry.calls import ToolCall

TOLD_FOR_S = 7 * 86_400.0


async def mail_tool(work: StepWork) -> object:
    """Call a tool of the mail contract through the gate; its answer is the step's output."""
    tool = work.step.action
    call = ToolCall.of(work.run.account_id, tool, work.config)
    if call.risk == "read":
        return await work.engine.read_mail(work.place, call)
    async with work.engine.open_account(work.place) as session:
        call = ToolCall.of(session.account, tool, work.config)
        made = await make_once(session, work.call_to_make(call), work.keep)
    return StepWaits(confirmation_id=made.confirmation_id) if isinstance(made, CallsQuestion) else made


async def notification(work: StepWork) -> object:
    """Add an item to the Agent Inbox, once."""
    text = str(work.config["text"])
    ledger = work.engine.ledger
    target = ProposalTarget(
        message_id="",
        labels=(),
        seal="",
        name=str(work.run.definition["name"]),
        address="",
        subject=text,
        date="",
    )
    proposal = PendingProposal(doing="tell", bucket="informational", asked=text, targets=(target,))
    item = NewItem(
        type="notify",
        account_id=work.run.account_id,
        proposal=proposal.to_json(work.run.account_id),
        origin=origin_of(work.run),
        why=f"From the automation {work.run.definition['name']!r}.",
        run_id=work.run.run_id,
        expires_at=ledger.clock() + TOLD_FOR_S,
    )
    told = NewAction(
        account_id=work.run.account_id,
        message_id="",
        action_type="notification",
        payload={"text": text},
        reversal={ITEM: item.item_id},
        run_id=work.run.run_id,
        why=work.why,
    )
    with ledger.write() as tx:
        ledger.pending.add(tx, [item])
        ledger.actions.plan(tx, [told], actor=ACTOR)
        ledger.actions.settle(tx, [ActionOutcome(action_id=told.action_id)], actor=ACTOR)
        work.keep(tx, {"told": True})
    return {"told": True}


async def transform_data(work: StepWork) -> object:
    """Return the value in the step's configuration."""
    value: Any = work.config["value"]
    return value
