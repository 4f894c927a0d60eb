"""Asks the user of an MCP client with a form that the model cannot fill in. Entry point: `TokenAsker.ask`.

Before protocol 2026-07-28 the question is asked while the call waits. Later versions use `InputRequiredResult`: the
client calls again with the answer (SEP-2322). The question is then rebuilt from the current state, and an answer to a
different question has no effect.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from dataclasses import dataclass, field

from fastmcp.server.context import Context
from fastmcp.tools.base import InputRequiredToolResult
from mcp import MCPError
from mcp.shared.exceptions import NoBackChannelError
from mcp_types import (
    ElicitationCapability,
    ElicitRequest,
    ElicitRequestedSchema,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from gaia_email_registry.errors import NeedsApproval

VALID_S = 600.0
KEY = "confirm"
MOST_OPEN = 100
"""Maximum number of open questions; beyond it the oldest is dropped."""

SCHEMA: ElicitRequestedSchema = {
    "type": "object",
    "properties": {"value": {"type": "boolean", "title": "Do it", "default": False}},
    "required": ["value"],
}


@dataclass(slots=True)
class TokenAsker:
    """Open questions of one server that wait for their second call, keyed by a token that only the client has."""

    _open: dict[str, tuple[str, float]] = field(default_factory=dict[str, "tuple[str, float]"])

    async def ask(self, context: Context, text: str) -> bool | InputRequiredToolResult | None:
        """Return True or False as the user answered, None if nobody can be asked, or else the request for the client.

        Raises:
            NeedsApproval: The answer belongs to a different question, or came too late.
        """
        able = _ability(context)
        if able is None or (able.form is None and able.url is not None):
            return None
        if not _is_modern(context):
            return await _asked_now(context, text)
        mark = hashlib.sha256(text.encode()).hexdigest()
        response = (context.input_responses or {}).get(KEY)
        if response is None:
            token = secrets.token_urlsafe(24)
            while len(self._open) >= MOST_OPEN:
                del self._open[next(iter(self._open))]
            self._open[token] = (mark, time.monotonic() + VALID_S)
            asked = ElicitRequest(params=ElicitRequestFormParams(message=text, requested_schema=SCHEMA))
            return InputRequiredToolResult(
                InputRequiredResult(input_requests={KEY: asked}, request_state=token)
            )
        known = self._open.pop(context.request_state or "", None)
        if known is None or known[0] != mark or known[1] < time.monotonic():
            raise NeedsApproval(
                "What this is about changed, or the answer came too late; nothing was done. Call again."
            )
        return _is_yes(response) if isinstance(response, ElicitResult) else False


async def _asked_now(context: Context, text: str) -> bool | None:
    asking = context.session.elicit_form(text, SCHEMA, context.request_id)
    try:
        return _is_yes(await asyncio.wait_for(asking, VALID_S))
    except (NoBackChannelError, MCPError, ValidationError, TimeoutError):
        return None


def _is_yes(response: ElicitResult) -> bool:
    return response.action == "accept" and (response.content or {}).get("value") is True


def _ability(context: Context) -> ElicitationCapability | None:
    if context.request_context is None:
        return None
    capabilities = context.session.client_capabilities
    return None if capabilities is None else capabilities.elicitation


def _is_modern(context: Context) -> bool:
    request = context.request_context
    return request is not None and request.protocol_version in MODERN_PROTOCOL_VERSIONS
