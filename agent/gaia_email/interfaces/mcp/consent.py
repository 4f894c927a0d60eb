"""A person's yes to one call of a tool, in the client's form or in the Agent Inbox. Entries: `consent`, `put`.

Where the client cannot ask, the question is kept beside those of the mail servers; after a yes there the same call
passes once. No answer names an id or a command, since a model that may run commands would run it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping

from fastmcp import Context
from fastmcp.tools.base import ToolResult

from gaia_email.app import App
from gaia_email.interfaces.mcp.served_mailbox import ServedMailbox, answer, tool_error
from gaia_email.services.opening import account_of
from gaia_email.services.source import SourceSpec
from gaia_email_registry.approvals import GRANTED_S, ApprovalRequest, Approvals
from gaia_email_registry.errors import MailError, NeedsApproval
from gaia_email_registry.paths import approvals_file

SERVER = "gaia-email-mcp"
WAITING = "Waiting for the user: it is in their Agent Inbox, where only they answer it. Nothing was done yet."
PASSES = f"{WAITING} After their yes the same call passes once, within {GRANTED_S / 60:.0f} minutes."
CHANGED = NeedsApproval("What this is about changed while the user was asked; nothing was done. Call again.")


async def consent(
    served: ServedMailbox,
    context: Context,
    tool: str,
    arguments: Mapping[str, object],
    question: Callable[[App, SourceSpec], str],
    **more: object,
) -> ToolResult | None:
    """Ask about exactly this call; None after a yes, else what to answer, with `more` in it.

    `question` is made once more after a yes that took a while, and has to be the same.

    Raises:
        ToolError: What would be done is another thing by now, or cannot be told.
    """
    text = await served.run(question)
    asked = _asked(await served.run(account_of), tool, arguments, text)
    before = await served.run(lambda app, source: _answered_before(app, asked))
    if before is not None:
        return None if before else refused(**more)
    said = await put(served, context, text)
    if said is None:
        await served.run(lambda app, source: Approvals(approvals_file(app.environ)).ask(asked))
        return waits(PASSES, **more)
    if said is False:
        return refused(**more)
    if said is not True:
        return said
    if await served.run(question) != text:
        raise tool_error(CHANGED)
    return None


def _answered_before(app: App, asked: ApprovalRequest) -> bool | None:
    """The answer that was given in the Agent Inbox, a yes used up by it; None where none was, and no file is made."""
    file = approvals_file(app.environ)
    if not file.exists():
        return None
    kept = Approvals(file)
    if kept.take(asked.call, asked.shown_digest):
        return True
    return None if kept.refused(asked.call, asked.shown_digest) is None else False


async def put(served: ServedMailbox, context: Context, text: str) -> bool | ToolResult | None:
    """Ask through the client, as `TokenAsker.ask`.

    Raises:
        ToolError: The answer is to another question, or came too late.
    """
    try:
        return await served.asker.ask(context, text)
    except MailError as error:
        raise tool_error(error) from None


def waits(message: str = WAITING, **more: object) -> ToolResult:
    """Nothing was done, since no person could be asked here."""
    return answer({"done": False, "waits": True, "message": message, **more})


def refused(**more: object) -> ToolResult:
    """Nothing was done, since the person said no."""
    return answer({"done": False, "waits": False, "message": "The user said no; nothing was done.", **more})


def _asked(account: str, tool: str, arguments: Mapping[str, object], text: str) -> ApprovalRequest:
    call = json.dumps([SERVER, tool, account, arguments], sort_keys=True)
    return ApprovalRequest(
        call=hashlib.sha256(call.encode()).hexdigest(),
        shown_digest=hashlib.sha256(text.encode()).hexdigest(),
        server=SERVER,
        account=account,
        tool=tool,
        shown=text,
    )
