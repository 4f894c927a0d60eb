"""The tools that only read. Entry point: `add_reading_tools`."""

from __future__ import annotations

from typing import Annotated, Literal

from fastmcp import FastMCP
from fastmcp.tools.base import ToolResult
from pydantic import Field

from gaia_email.app import App
from gaia_email.documents.classify import Json
from gaia_email.interfaces.mcp import answers, waiting
from gaia_email.interfaces.mcp.apps import INBOX_CARD
from gaia_email.interfaces.mcp.served_mailbox import OBJECT, READ, ServedMailbox, answer
from gaia_email.services.source import SourceSpec

MessageId = Annotated[str, Field(description="Id of a message, as another tool gave it.", max_length=500)]
Few = Annotated[int, Field(ge=1, le=100)]


def add_reading_tools(server: FastMCP[None], served: ServedMailbox) -> None:
    """Give the server the tools that read, of a mailbox."""
    _add_message_tools(server, served)
    _add_mailbox_tools(server, served)


def _add_message_tools(server: FastMCP[None], served: ServedMailbox) -> None:
    @server.tool(annotations=READ, output_schema=OBJECT)
    async def classify_email(id: MessageId) -> ToolResult:
        """What one message is: bucket, category, what it asks, priority, warnings."""
        return answer(await served.run(lambda app, source: answers.classification(app, source, id)))

    @server.tool(annotations=READ, output_schema=OBJECT)
    async def summarize_thread(id: MessageId) -> ToolResult:
        """The conversation of a message in short: a line a message with its id, what is asked, the last word."""
        return answer(await served.run(lambda app, source: answers.thread_summary(app, source, id)))

    @server.tool(annotations=READ, output_schema=OBJECT)
    async def extract(id: MessageId) -> ToolResult:
        """Dates, sums, people, requests, receipts, meetings and journeys that stand in one message."""
        return answer(await served.run(lambda app, source: answers.entities(app, source, id)))

    @server.tool(annotations=READ, output_schema=OBJECT)
    async def why(id: MessageId) -> ToolResult:
        """Why a message is in its bucket: signals with the words behind them, and how the user's levels apply."""
        return answer(await served.run(lambda app, source: answers.explanation(app, source, id)))


def _add_mailbox_tools(server: FastMCP[None], served: ServedMailbox) -> None:
    @server.tool(annotations=READ, output_schema=OBJECT, app=INBOX_CARD)
    async def daily_summary() -> ToolResult:
        """The day in one screen: counts, what is urgent, what needs the user, what waits for their yes."""

        def work(app: App, source: SourceSpec) -> Json:
            total = waiting.listed(app, 1)["total"]
            return answers.day(app, source, total if isinstance(total, int) else 0)

        return answer(await served.run(work))

    @server.tool(annotations=READ, output_schema=OBJECT)
    async def search_mail(
        query: Annotated[
            str,
            Field(
                description='Words, "phrases", from:, to:, subject:, has:attachment, newer_than:7d.',
                max_length=500,
            ),
        ],
        limit: Few = 20,
    ) -> ToolResult:
        """Find messages. `total` counts all that match, of `searched` messages; say so when fewer are shown."""
        return answer(await served.run(lambda app, source: answers.found(app, source, query, limit)))

    @server.tool(annotations=READ, output_schema=OBJECT)
    async def list_pending(limit: Few = 20) -> ToolResult:
        """What waits for the user's yes or no, with ids."""
        return answer(await served.run(lambda app, source: waiting.listed(app, limit)))

    @server.tool(annotations=READ, output_schema=OBJECT)
    async def get_policy() -> ToolResult:
        """How much may be done for which kind of sender (levels 0 to 5), and what is paused or stopped."""
        return answer(await served.run(lambda app, source: answers.policy(app)))


Tone = Literal["usual", "formal", "casual"]
Length = Literal["short", "medium", "long"]
