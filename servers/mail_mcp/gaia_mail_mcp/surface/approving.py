"""The channels through which the user confirms a call, in order. Entry: `approve`.

A form in the MCP client → our own page, opened by the client or in the browser → the Agent Inbox. If a channel
reaches nobody, the next one is tried; the last one stores the question and lets the same call through once after an
approval. With `--approve host`, there is only one channel: the first call returns a token, which a second call passes
as `confirm`, for hosts that show every call to the user before it runs.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import cast

from fastmcp.server.context import Context
from fastmcp.server.dependencies import get_context
from fastmcp.tools.base import ToolResult
from mcp_types import TextContent

from gaia_email_registry.approvals import GRANTED_S, ApprovalRequest
from gaia_email_registry.calls import ToolCall, call_digest
from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.tools import ASKS_ABOVE, asks, effective_risk
from gaia_email_registry.errors import MailError, NeedsApproval
from gaia_email_registry.halt import refuse_if_stopped
from gaia_email_registry.origin import RequestOrigin
from gaia_mail_mcp.surface.approval.channel import (
    ApprovalCase,
    ApprovalMemory,
    ApprovalOutcome,
    ChannelResult,
)
from gaia_mail_mcp.surface.approval.elicitation import ADDRESS, FORM, by_form, by_url
from gaia_mail_mcp.surface.approval.page import MAX_PAGES
from gaia_mail_mcp.surface.approval.tokens import VALID_S
from gaia_mail_mcp.surface.approval.unasked import WINDOW_S
from gaia_mail_mcp.surface.call import BoundCall, Surface, ToolReply
from gaia_mail_mcp.surface.failures import body
from gaia_mail_mcp.surface.moving import moved_by
from gaia_mail_mcp.surface.questions.plan import QuestionPlan, plan

SEEN_S = 15.0
"""Seconds after which a page that no browser has fetched counts as not opened."""


_OF_OTHERS = "You are asked because this server did not make this draft."
_MANY_LATELY = (
    f"You are asked because more than {ASKS_ABOVE} messages would have been moved within "
    f"{round(WINDOW_S / 60)} minutes without asking you."
)


async def reason_to_ask(surface: Surface, name: str, bound: BoundCall) -> str | None:
    """Return why the user must be asked (empty if the call itself shows it), or None if the call needs no approval.

    The messages of a call that needs no approval are counted.

    Raises:
        BadArgument: An argument is invalid.
    """
    given = _given(bound)
    if effective_risk(name, given) == "read":
        return None
    if asks(name, given):
        return ""
    unasked, account = surface.memory.unasked, surface.source.account
    match bound.arguments:
        case inputs.UpdateDraft(draft_id=draft_id) | inputs.DeleteDraft(draft_id=draft_id):
            return None if unasked.is_own_draft(account, draft_id) else _OF_OTHERS
        case _:
            pass
    moved = moved_by(name, bound.arguments)
    if not moved:
        return None
    # Process an answer even if the call would no longer need approval.
    answered = "confirm" in given or bool(get_context().input_responses)
    if answered or surface.memory.store.said_no(_call(surface, name, bound)):
        return _MANY_LATELY
    return None if unasked.reserve(account, moved) else _MANY_LATELY


def remember_draft(surface: Surface, name: str, done: ToolReply) -> None:
    """Remember a draft stored by a call without approval, so that later calls may change it."""
    if name in _STORING and done.data.get("ok") is True and isinstance(ids := done.data.get("ids"), list):
        for draft_id in cast("list[str]", ids):
            surface.memory.unasked.made_draft(surface.source.account, draft_id)


_STORING = frozenset(("draft_email", "reply_to_email", "forward_email", "update_draft"))
"""Tools that store a draft without approval; changing a foreign draft does not make it ours."""


async def approve(surface: Surface, name: str, bound: BoundCall, reason: str = "") -> ToolReply | ToolResult:
    """Ask the user and make the call, or return the reply to send instead. `reason` is shown below the question.

    Raises:
        NeedsApproval: The user refused or has not answered yet.
        MailError: The call is not possible even with approval, or it failed.
    """
    token = _given(bound).get("confirm")
    planned = await _planned(surface, name, bound, reason)
    case = _case(surface, name, bound, planned)
    if surface.memory.settings.way == "host":
        if isinstance(token, str):
            _redeem(surface.memory, token, case.mark)
            return await planned.run()
        return _token_answer(case.brief, surface.memory.tokens.ask(case.mark))
    if surface.memory.store.take(case.asked.call, case.asked.shown_digest):
        return await planned.run()
    if surface.memory.store.find_refusal(case.asked.call, case.asked.shown_digest) is not None:
        raise NeedsApproval(
            "The user said no to exactly this a moment ago; nothing was done. Ask them before you call it again."
        )
    outcome = await _asked(get_context(), case)
    if isinstance(outcome, ToolResult):
        return outcome
    refuse_if_stopped()
    if outcome is ApprovalOutcome.YES_NOW:
        return await planned.run()
    if outcome is ApprovalOutcome.NO:
        raise NeedsApproval("The user did not agree; nothing was done.")
    if outcome is not ApprovalOutcome.YES:
        case.store_question()
        raise _waits(opened=outcome is ApprovalOutcome.WAITING)
    return await (await _unchanged(surface, name, bound, reason, case)).run()


def _given(bound: BoundCall) -> dict[str, object]:
    return bound.arguments.model_dump(by_alias=True, exclude_none=True)


async def _planned(surface: Surface, name: str, bound: BoundCall, reason: str) -> QuestionPlan:
    planned = await plan(surface, name, bound)
    return replace(planned, question=planned.question.because(reason)) if reason else planned


def _call(surface: Surface, name: str, bound: BoundCall) -> str:
    """Return the digest of the call, with the server's canonical name."""
    return call_digest(
        _server(surface), ToolCall.of_input(surface.source.account, name, bound.arguments).text
    )


def _server(surface: Surface) -> str:
    return f"gaia-{surface.source.provider}-mcp"


def _case(surface: Surface, name: str, bound: BoundCall, planned: QuestionPlan) -> ApprovalCase:
    shown = planned.question
    asked = ApprovalRequest(
        call=_call(surface, name, bound),
        shown_digest=shown.digest,
        server=_server(surface),
        account=surface.source.account,
        tool=name,
        shown=shown.text,
        origin=RequestOrigin(principal="mcp_client", interface="mcp"),
    )
    return ApprovalCase(memory=surface.memory, asked=asked, brief=shown.short)


async def _unchanged(
    surface: Surface, name: str, bound: BoundCall, reason: str, case: ApprovalCase
) -> QuestionPlan:
    """Plan again and check that the plan is still the one that was shown.

    Raises:
        NeedsApproval: The call would now do something else.
    """
    changed = NeedsApproval(
        "What was shown changed while the user was asked, so nothing was done. Call again to have it shown as it "
        "is now."
    )
    try:
        again = await _planned(surface, name, bound, reason)
    except MailError as error:
        raise NeedsApproval(f"{changed.message} ({error.message})") from None
    if _case(surface, name, bound, again).mark != case.mark:
        raise changed
    return again


async def _asked(context: Context, case: ApprovalCase) -> ChannelResult:
    """Return the result of the first channel that reaches the user."""
    answered = set(context.input_responses or ())
    ways = (by_url,) if ADDRESS in answered and FORM not in answered else (by_form, by_url)
    for way in ways:
        outcome = await way(context, case)
        if outcome is not ApprovalOutcome.UNHEARD:
            return outcome
    return await _by_browser(case)


async def _by_browser(case: ApprovalCase) -> ApprovalOutcome:
    """Show our page in a browser that we open ourselves, if there is a screen."""
    settings = case.memory.settings
    if settings.opener is None or settings.runtime_dir is None:
        return ApprovalOutcome.UNHEARD
    approval = case.store_question()
    page = case.memory.page
    if page.is_seen(approval):  # it is still open from an earlier call
        return await case.answer_to(approval, wait_s=settings.wait_s)
    if page.waiting >= MAX_PAGES:
        return ApprovalOutcome.UNHEARD
    file = await page.file(approval, settings.runtime_dir)
    if not await asyncio.to_thread(settings.opener, file):
        return ApprovalOutcome.UNHEARD
    outcome = await case.answer_to(approval, wait_s=min(SEEN_S, settings.wait_s))
    if outcome is not ApprovalOutcome.WAITING or not page.is_seen(approval):
        return outcome
    return await case.answer_to(approval, wait_s=max(0.0, settings.wait_s - SEEN_S))


def _waits(*, opened: bool) -> NeedsApproval:
    where = "on the page that was opened in the browser, or " if opened else ""
    return NeedsApproval(
        f"Waiting for the user: it is {where}in their Agent Inbox, where they see exactly what it would do "
        "and only they answer. Nothing was done yet. After their yes the same call passes once, within "
        f"{round(GRANTED_S / 60)} minutes."
    )


def _redeem(memory: ApprovalMemory, token: str, mark: str) -> None:
    if not memory.tokens.redeem(token, mark):
        raise NeedsApproval(
            "This confirmation is used up, expired, or was given for other arguments; nothing was done.",
            argument="confirm",
            hint="Call again without confirm to get a new one.",
        )


def _token_answer(text: str, token: str) -> ToolResult:
    minutes = round(VALID_S / 60)
    error = NeedsApproval(
        "Nothing was done yet: this needs the user's agreement. Show the user what it would do; when they "
        f"agree, call again with the same arguments and confirm={token} (once, within {minutes} minutes).",
        argument="confirm",
    )
    return ToolResult.model_construct(
        content=[TextContent(type="text", text=f"{error.message}\n\n{text}")],
        structured_content={"error": body(error), "confirm": token, "summary": text},
        meta=None,
        is_error=True,
    )
