"""Asks the user before a destructive call, whichever way the client can be asked. Entry: `confirm`.

Three ways: `InputRequiredResult` on protocol 2026-07-28, elicitation on the older ones, and for a client
that cannot ask its user a token that the first call answers with and a second call brings back as `confirm`.
What is shown is made from the exact arguments, never by a model, and the answer is good for that call only.
"""

from __future__ import annotations

from fastmcp.server.context import Context
from fastmcp.server.dependencies import get_context
from fastmcp.tools.base import InputRequiredToolResult, ToolResult
from mcp.shared.exceptions import NoBackChannelError
from mcp_types import (
    ElicitRequest,
    ElicitRequestedSchema,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    TextContent,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from gaia_email_registry.contract.inputs import BatchDeleteEmails, BatchModifyEmails, DeleteEmail, ToolInput
from gaia_email_registry.errors import NeedsApproval
from gaia_mail_mcp.surface.call import Surface
from gaia_mail_mcp.surface.confirmations import VALID_S, fingerprint
from gaia_mail_mcp.surface.failures import body
from gaia_mail_mcp.surface.questions import Question, question

_QUESTION_KEY = "confirm"
_OF_MESSAGES = (BatchModifyEmails, BatchDeleteEmails, DeleteEmail)
"""What is shown for these follows from their ids, whose messages never change, so it is not read again."""

_SCHEMA: ElicitRequestedSchema = {
    "type": "object",
    "properties": {"value": {"type": "boolean", "title": "Do it", "default": False}},
    "required": ["value"],
}


async def confirm(surface: Surface, name: str, arguments: ToolInput) -> ToolResult | None:
    """None when the user agreed; else what to answer instead of doing it.

    Raises:
        NeedsApproval: The user said no, or the confirmation is not valid for this call.
        MailError: What was to be shown could not be read.
    """
    given = arguments.model_dump(by_alias=True, exclude_none=True)
    token = given.pop("confirm", None)
    context = get_context()
    answered = isinstance(token, str) or (
        _is_modern(context) and _QUESTION_KEY in (context.input_responses or {})
    )
    fixed = isinstance(arguments, _OF_MESSAGES)
    asked = Question(text="") if answered and fixed else await question(surface, name, arguments)
    mark = fingerprint(name, surface.mailbox.account, given, "" if fixed else asked.text + asked.content)
    if isinstance(token, str):
        if surface.confirmations.redeem(token, mark):
            return None
        raise NeedsApproval(
            "This confirmation is used up, expired, or was given for other arguments; nothing was done.",
            argument="confirm",
            hint="Call again without confirm to get a new one.",
        )
    if not _can_be_asked(context):
        return _token_answer(asked.text, surface.confirmations.ask(mark))
    if _is_modern(context):
        return _ask_modern(context, surface, asked.text, mark)
    try:
        answer = await context.session.elicit_form(asked.text, _SCHEMA, context.request_id)
    except NoBackChannelError:
        return _token_answer(asked.text, surface.confirmations.ask(mark))
    _require_yes(answer)
    return None


def _can_be_asked(context: Context) -> bool:
    if context.request_context is None:
        return False
    capabilities = context.session.client_capabilities
    return capabilities is not None and capabilities.elicitation is not None


def _is_modern(context: Context) -> bool:
    request = context.request_context
    return request is not None and request.protocol_version in MODERN_PROTOCOL_VERSIONS


def _ask_modern(context: Context, surface: Surface, text: str, mark: str) -> ToolResult | None:
    answer = (context.input_responses or {}).get(_QUESTION_KEY)
    if answer is None:
        request = ElicitRequest(params=ElicitRequestFormParams(message=text, requested_schema=_SCHEMA))
        return InputRequiredToolResult(
            InputRequiredResult(
                input_requests={_QUESTION_KEY: request}, request_state=surface.confirmations.ask(mark)
            )
        )
    if not surface.confirmations.redeem(context.request_state or "", mark):
        raise NeedsApproval(
            "The call changed or took too long after the user was asked; nothing was done. Call again."
        )
    _require_yes(answer)
    return None


def _require_yes(answer: object) -> None:
    accepted = answer.content if isinstance(answer, ElicitResult) and answer.action == "accept" else None
    if not accepted or accepted.get("value") is not True:
        raise NeedsApproval("The user did not agree; nothing was done.")


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
