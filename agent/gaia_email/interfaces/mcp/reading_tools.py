"""The read-only tools. Entry point: `add_reading_tools`."""

from __future__ import annotations

from typing import Annotated

from fastmcp import FastMCP
from fastmcp.tools.base import ToolResult
from pydantic import Field

from gaia_email.app.operations.acting import TriageInput, triage
from gaia_email.app.operations.state import PendingInput, pending
from gaia_email.interfaces.mcp.apps import INBOX_CARD
from gaia_email.interfaces.mcp.from_operation import add_operation_tools
from gaia_email.interfaces.mcp.inbox_answers import day
from gaia_email.interfaces.mcp.served_mailbox import OBJECT, READ, ServedMailbox, answer
from gaia_email.interfaces.mcp.waiting import list_waiting

Few = Annotated[int, Field(ge=1, le=100)]


def add_reading_tools(server: FastMCP[None], served: ServedMailbox) -> None:
    """Add the read-only tools to the server."""
    add_operation_tools(server, served, "read")

    @server.tool(annotations=READ, output_schema=OBJECT, app=INBOX_CARD)
    async def daily_summary() -> ToolResult:
        """The day in one screen: counts, what is urgent, what needs the user, what waits for their yes."""
        waits = await served.document(pending, PendingInput())
        return answer(day(await served.document(triage, TriageInput()), waits["total"]))

    @server.tool(annotations=READ, output_schema=OBJECT)
    async def list_pending(limit: Few = 20) -> ToolResult:
        """List what waits for the user's yes or no, with ids."""
        return answer(await list_waiting(served, limit))
