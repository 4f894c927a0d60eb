"""The tool that proposes automations. Entry point: `add_automation_tools`.

A proposal becomes a question in the Agent Inbox. The model gets neither its id nor a command.
"""

from __future__ import annotations

from typing import Annotated

from fastmcp import FastMCP
from fastmcp.tools.base import ToolResult
from pydantic import Field

from gaia_email.interfaces.mcp.consent import WAITING
from gaia_email.interfaces.mcp.served_mailbox import CLIENT, OBJECT, WRITE, ServedMailbox, answer
from gaia_email_automations.interfaces.chat import propose

AutomationSentence = Annotated[
    str,
    Field(
        min_length=1,
        max_length=1000,
        description="Such as: when an invoice arrives, label it Invoices; or: every weekday at 7:30, send me a digest.",
    ),
]


def add_automation_tools(server: FastMCP[None], served: ServedMailbox) -> None:
    """Add the tool that proposes automations to the server."""

    @server.tool(annotations=WRITE, output_schema=OBJECT)
    async def propose_automation(sentence: AutomationSentence) -> ToolResult:
        """Propose an automation to the user in one English sentence; it is saved by nobody but them."""
        found = await served.change(lambda app, source: propose(app, sentence, origin=CLIENT))
        return answer({**found, "status": WAITING})
