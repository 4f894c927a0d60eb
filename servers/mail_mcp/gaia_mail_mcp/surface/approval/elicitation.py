"""Asks through the MCP client, by form or by URL, for old and new protocols. Entries: `by_form`, `by_url`.

Protocol 2026-07-28 has no requests from server to client: the tool returns `InputRequiredResult` and is called again
with the user's answer (SEP-2322). Older clients are asked while the call waits. If a client announces that it can ask
and then fails, the next channel is tried.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable

from fastmcp.server.context import Context
from fastmcp.tools.base import InputRequiredToolResult
from mcp import MCPError
from mcp.shared.exceptions import NoBackChannelError
from mcp_types import (
    ElicitationCapability,
    ElicitRequest,
    ElicitRequestedSchema,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from gaia_email_registry.errors import NeedsApproval
from gaia_mail_mcp.surface.approval.channel import ApprovalCase, ApprovalOutcome, ChannelResult
from gaia_mail_mcp.surface.approval.tokens import VALID_S

FORM, ADDRESS = "confirm", "approve"
"""Keys of the two requests in a modern client's answer."""

SCHEMA: ElicitRequestedSchema = {
    "type": "object",
    "properties": {"value": {"type": "boolean", "title": "Do it", "default": False}},
    "required": ["value"],
}


async def by_form(context: Context, case: ApprovalCase) -> ChannelResult:
    """Ask with a form in the client, with a box to tick."""
    able = _ability(context)
    if able is None or (able.form is None and able.url is not None):
        return ApprovalOutcome.UNHEARD
    if not _is_modern(context):
        asking = context.session.elicit_form(case.for_a_form(), SCHEMA, context.request_id)
        return case.record_answer(_form_answer(await _reached(asking)))
    asked = ElicitRequestFormParams(message=case.for_a_form(), requested_schema=SCHEMA)
    return case.record_answer(_in_two_calls(context, case, FORM, asked))


async def by_url(context: Context, case: ApprovalCase) -> ChannelResult:
    """Ask on our own page, whose URL the client shows to its user.

    The client only reports that its user opened the page.
    """
    able = _ability(context)
    if able is None or able.url is None:
        return ApprovalOutcome.UNHEARD
    message = (
        f"{case.asked.server} needs your approval for one call; its page shows exactly what it would do."
    )
    if _is_modern(context):
        return await _url_in_two_calls(context, case, message)
    approval = case.store_question()
    url = await case.memory.page.address(approval)
    asking = context.session.elicit_url(message, url, str(uuid.uuid4()), context.request_id)
    told = await _reached(asking)
    if told is None:
        return ApprovalOutcome.UNHEARD
    if told.action != "accept":
        return _declined(case, approval.approval_id)
    return await case.answer_to(approval, wait_s=case.memory.settings.wait_s)


async def _url_in_two_calls(context: Context, case: ApprovalCase, message: str) -> ChannelResult:
    approval = case.store_question()
    url = await case.memory.page.address(approval)
    outcome = _in_two_calls(context, case, ADDRESS, ElicitRequestURLParams(message=message, url=url))
    if outcome is ApprovalOutcome.YES:  # the user opened the page
        return await case.answer_to(approval, wait_s=case.memory.settings.wait_s)
    if outcome is ApprovalOutcome.NO:
        return _declined(case, approval.approval_id)
    return outcome


def _declined(case: ApprovalCase, approval_id: str) -> ApprovalOutcome:
    case.memory.store.answer(approval_id, "refused", by="client")
    return ApprovalOutcome.NO


def _ability(context: Context) -> ElicitationCapability | None:
    """Return the announced capability; one without modes comes from older protocol versions."""
    if context.request_context is None:
        return None
    capabilities = context.session.client_capabilities
    return None if capabilities is None else capabilities.elicitation


def _is_modern(context: Context) -> bool:
    request = context.request_context
    return request is not None and request.protocol_version in MODERN_PROTOCOL_VERSIONS


async def _reached(asking: Awaitable[ElicitResult]) -> ElicitResult | None:
    """Return the client's answer; None if it could not ask, sent an invalid answer, or timed out after ten minutes."""
    try:
        return await asyncio.wait_for(asking, VALID_S)
    except (NoBackChannelError, MCPError, ValidationError, TimeoutError):
        return None


def _form_answer(told: ElicitResult | None) -> ApprovalOutcome:
    if told is None:
        return ApprovalOutcome.UNHEARD
    accepted = told.content if told.action == "accept" else None
    return ApprovalOutcome.YES if accepted and accepted.get("value") is True else ApprovalOutcome.NO


def _in_two_calls(
    context: Context, case: ApprovalCase, key: str, asked: ElicitRequestFormParams | ElicitRequestURLParams
) -> ChannelResult:
    """Return the request for the first call, or the answer in the second.

    A client that was asked and keeps calling without an answer counts as unable to ask.

    Raises:
        NeedsApproval: The answer belongs to a question other than the current one.
    """
    memory = case.memory
    told = (context.input_responses or {}).get(key)
    if told is None:
        if not memory.may_ask(case.mark + key):
            return ApprovalOutcome.UNHEARD
        state = memory.tokens.ask(case.mark)
        return InputRequiredToolResult(
            InputRequiredResult(input_requests={key: ElicitRequest(params=asked)}, request_state=state)
        )
    memory.asked.pop(case.mark + key, None)
    if not memory.tokens.redeem(context.request_state or "", case.mark):
        raise NeedsApproval(
            "The call changed, or took too long, after the user was asked; nothing was done. Call again."
        )
    if not isinstance(told, ElicitResult):
        return ApprovalOutcome.NO
    if key == ADDRESS:
        return ApprovalOutcome.YES if told.action == "accept" else ApprovalOutcome.NO
    answer = _form_answer(told)
    return ApprovalOutcome.YES_NOW if answer is ApprovalOutcome.YES else answer
