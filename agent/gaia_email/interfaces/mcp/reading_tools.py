"""The tools that only read. Entry point: `add_reading_tools`."""

from __future__ import annotations

from typing import Annotated

from fastmcp import FastMCP
from fastmcp.tools.base import ToolResult
from pydantic import Field

from gaia_email.app.operations.acting import TriageInput, triage
from gaia_email.app.operations.day import brief
from gaia_email.app.operations.reading import extract, search, thread, why
from gaia_email.app.operations.state import PendingInput, pending, policy
from gaia_email.interfaces.mcp import waiting
from gaia_email.interfaces.mcp.apps import INBOX_CARD
from gaia_email.interfaces.mcp.from_operation import OperationToolForm, add_operation_tools
from gaia_email.interfaces.mcp.inbox_answers import day
from gaia_email.interfaces.mcp.served_mailbox import OBJECT, READ, ServedMailbox, answer

Few = Annotated[int, Field(ge=1, le=100)]

HEAD = ("id", "from", "subject", "date")
CLASS = (
    *HEAD,
    *(
        "bucket",
        "content_category",
        "speech_act",
        "cohort",
        "needs_reply",
        "confidence",
        "unsure",
        "warnings",
    ),
)
FORMS = (
    OperationToolForm(
        name="classify_email",
        operation=why,
        takes={"id": "message_id"},
        fields=(*CLASS, "priority.score", "priority.reason"),
        description="What one message is: bucket, category, what it asks, priority, warnings.",
    ),
    OperationToolForm(
        name="summarize_thread",
        operation=thread,
        takes={"id": "message_id"},
        fields=("subject", "messages", "asked", "last_word", "total", "read"),
    ),
    OperationToolForm(
        name="extract",
        operation=extract,
        takes={"id": "message_id"},
        fields=(*HEAD, "entities"),
        without_empty=True,
    ),
    OperationToolForm(
        name="why",
        operation=why,
        takes={"id": "message_id"},
        fields=(*CLASS, "priority", "flags.phishing", "flags.injection", "plan", "walk"),
    ),
)
MAILBOX_FORMS = (
    OperationToolForm(
        name="daily_brief",
        operation=brief,
        takes={"evening": "evening"},
        fields=(
            *("kind", "date", "zone", "account", "messages", "threads", "unsure", "unreadable", "email"),
            *("agenda", "events", "owe_total", "owed_total", "owe", "owed", "archived_total", "empty"),
        ),
        description="Mail in its buckets, the day's events, and who owes whom an answer since when. Counts are exact.",
    ),
    OperationToolForm(
        name="search_mail",
        operation=search,
        takes={"query": "query", "limit": "limit"},
        most={"limit": 100},
        fields=(
            *("query", "total", "total_is_exact", "searched", "headers_only", "problem"),
            *("hits.id", "hits.from", "hits.subject", "hits.date", "hits.snippet"),
        ),
    ),
)
POLICY_FORM = OperationToolForm(
    name="get_policy",
    operation=policy,
    fields=(
        *(
            "version",
            "cohorts.name",
            "cohorts.level",
            "cohorts.level_name",
            "vips",
            "quiet_hours",
            "switches",
        ),
    ),
    description="How much may be done for which kind of sender (levels 0 to 5), and what is paused or stopped.",
)


def add_reading_tools(server: FastMCP[None], served: ServedMailbox) -> None:
    """Give the server the tools that read, of a mailbox."""
    add_operation_tools(server, served, FORMS)

    @server.tool(annotations=READ, output_schema=OBJECT, app=INBOX_CARD)
    async def daily_summary() -> ToolResult:
        """The day in one screen: counts, what is urgent, what needs the user, what waits for their yes."""
        waits = await served.document(pending, PendingInput())
        return answer(day(await served.document(triage, TriageInput()), waits["total"]))

    add_operation_tools(server, served, MAILBOX_FORMS)

    @server.tool(annotations=READ, output_schema=OBJECT)
    async def list_pending(limit: Few = 20) -> ToolResult:
        """What waits for the user's yes or no, with ids."""
        return answer(await served.run(lambda app, source: waiting.listed(app, limit)))

    add_operation_tools(server, served, (POLICY_FORM,))
