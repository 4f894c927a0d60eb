"""The user's consent to one tool call, in the client's form or in the Agent Inbox. Entries: `consent`, `put`.

If the client cannot ask, the question is stored with those of the mail servers; after a yes there, the same call passes
once. No answer contains an id or a command, since a model that may run commands would run it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from fastmcp import Context
from fastmcp.tools.base import ToolResult

from gaia_email.app.services.opening import account_of
from gaia_email.app.services.person_answers import answer_to, call_request, put_up
from gaia_email.interfaces.mcp.served_mailbox import CLIENT, ServedMailbox, answer, tool_error
from gaia_email_registry.approvals import GRANTED_S
from gaia_email_registry.errors import MailError, NeedsApproval

SERVER = "gaia-email-mcp"
WAITING = "Waiting for the user: it is in their Agent Inbox, where only they answer it. Nothing was done yet."
PASSES = f"{WAITING} After their yes the same call passes once, within {GRANTED_S / 60:.0f} minutes."
CHANGED = NeedsApproval("What this is about changed while the user was asked; nothing was done. Call again.")


async def consent(
    served: ServedMailbox,
    context: Context,
    tool: str,
    arguments: Mapping[str, object],
    question: Callable[[], Awaitable[str]],
    **more: object,
) -> ToolResult | None:
    """Ask about exactly this call; return None after a yes, or else the answer to give, including `more`.

    After a yes, `question` is built again and must be unchanged, since the answer may have taken a while.

    Raises:
        ToolError: The action changed in the meantime, or its description is unavailable.
    """
    text = await question()
    asked = call_request(SERVER, await served.run(account_of), tool, arguments, text, origin=CLIENT)
    before = await served.run(lambda app, source: answer_to(app, asked))
    if before is not None:
        return None if before else report_refusal(**more)
    said = await put(served, context, text)
    if said is None:
        await served.run(lambda app, source: put_up(app, asked))
        return waits(PASSES, **more)
    if said is False:
        return report_refusal(**more)
    if said is not True:
        return said
    if await question() != text:
        raise tool_error(CHANGED)
    return None


async def put(served: ServedMailbox, context: Context, text: str) -> bool | ToolResult | None:
    """Ask through the client, as `TokenAsker.ask`.

    Raises:
        ToolError: The answer belongs to a different question, or came too late.
    """
    try:
        return await served.asker.ask(context, text)
    except MailError as error:
        raise tool_error(error) from None


def waits(message: str = WAITING, **more: object) -> ToolResult:
    """Return an answer stating that nothing was done because nobody could be asked here."""
    return answer({"done": False, "waits": True, "message": message, **more})


def report_refusal(**more: object) -> ToolResult:
    """Return an answer stating that nothing was done because the user said no."""
    return answer({"done": False, "waits": False, "message": "The user said no; nothing was done.", **more})
