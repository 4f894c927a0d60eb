"""The agent's only access to mail: a typed, read-only client of the tool contract. Entry: `open_mail`.

It calls the same tools on every server, so the agent can do nothing to a mailbox that another MCP client could not.
Changes go through the gate and `actions/writing.py`.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from functools import cached_property
from typing import Literal, TypeVar

from pydantic import TypeAdapter, ValidationError
from typing_extensions import override

from gaia_email.mailbox.bounds import LOOK
from gaia_email.mailbox.foreign import ForeignSession, lacking
from gaia_email.mailbox.paging import Paging, check_read
from gaia_email.mailbox.reader import Remarking
from gaia_email.mailbox.tool_calls import (
    CALL_TIMEOUT_S,
    OwnSession,
    ToolSession,
    as_mailbox,
    call_tool,
    failure,
    listed_arguments,
    open_session,
)
from gaia_email_registry.capabilities import ToolListing
from gaia_email_registry.contract import wire
from gaia_email_registry.contract.tools import effective_risk
from gaia_email_registry.errors import BadArgument, NeedsApproval, ProviderError
from gaia_email_registry.servers import HttpServer, InProcessServer, ServerSpec, StdioServer
from gaia_understanding.cascade.understand import raw_bytes

Result = TypeVar("Result")

READ_OF_ONE = 2 * 1024 * 1024
"""Maximum number of bytes read of one message, so that a huge message costs no more memory than a page of others.

The rest is nearly always attached files, which are not examined anyway.
"""


CALENDAR = "list_calendar_events"

SYNC_MOST = 100_000
"""Maximum number of changes in one answer of `sync_emails`; a server may report all moves and deletions at once."""

MOST_DRAFTS = 500
"""Number of newest drafts among which one is looked up: the most that `list_drafts` returns."""

MOST_PAGES = 5
"""Pages of a calendar in which an event is looked up."""


class MailClient(Remarking):
    """Calls the mail tools of one server and returns the contract's wire types.

    Every method raises a `MailError` of the kind that the server reports; `ProviderError` if the server is broken or
    its answer is invalid.
    """

    def __init__(self, session: ToolSession) -> None:
        self._session = session
        self._expect = _Expected()
        self._paging = Paging()
        tools = session.tools if isinstance(session, OwnSession) else None
        self._remarking = tools if isinstance(tools, Remarking) else None

    @property
    @override
    def remarks(self) -> Sequence[str]:
        return self._remarking.remarks if self._remarking else ()

    @property
    @override
    def poll_s(self) -> float:
        return self._remarking.poll_s if self._remarking else 0.0

    async def list_emails(
        self,
        *,
        label: str | None = None,
        query: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> wire.ListEmailsResult:
        """Return a page of summaries, newest first."""
        arguments = _given(label=label, query=query, limit=limit, cursor=cursor)
        page = await self._call("list_emails", arguments, self._expect.page)
        listing = ("list_emails", label or "", query or "", str(limit))
        self._paging.check(listing, cursor, len(page["emails"]), page["next_cursor"], most=limit)
        return page

    async def search(
        self, query: str, *, limit: int = 50, cursor: str | None = None
    ) -> wire.SearchEmailsResult:
        """Return a page of search results in Gmail's syntax, newest first."""
        arguments = _given(query=query, maxResults=limit, pageToken=cursor)
        page = await self._call("search_emails", arguments, self._expect.hits)
        listing = ("search_emails", query, str(limit))
        self._paging.check(listing, cursor, len(page["emails"]), page["next_cursor"], most=limit)
        return page

    async def read_emails(
        self, ids: Sequence[str], *, format: Literal["summary", "full", "raw"] = "raw"
    ) -> wire.ReadEmailsResult:
        """Return the messages of `ids` that exist, and the ids that do not; the agent prepares messages from `raw`.

        Messages that the server left out of one answer for lack of room are requested again.
        """
        answer = await self._read(ids, format)
        left_out, asked = answer.get("left_out", []), len(ids)
        while left_out and len(left_out) < asked:
            more, asked = await self._read(left_out, format), len(left_out)
            answer["emails"] += more["emails"]
            answer["missing"] += more["missing"]
            left_out = more.get("left_out", [])
        return answer

    async def _read(self, ids: Sequence[str], format: str) -> wire.ReadEmailsResult:
        arguments: dict[str, object] = {"ids": list(ids), "format": format}
        if format == "raw":
            arguments["max_bytes"] = READ_OF_ONE
        answer = await self._call("read_emails", arguments, self._expect.emails)
        check_read(answer, ids)
        return answer

    async def get_thread(
        self, thread_id: str, *, format: Literal["summary", "full", "raw"] = "raw"
    ) -> wire.ThreadResult:
        """Return a conversation, oldest first."""
        arguments: dict[str, object] = {"thread_id": thread_id, "format": format}
        return await self._call("get_thread", arguments, self._expect.thread)

    async def sync_emails(self, cursor: str | None = None, *, limit: int = 500) -> wire.SyncResult:
        """Return the changes since `cursor`; without one, a first page of everything."""
        arguments = _given(cursor=cursor, limit=limit)
        page = await self._call("sync_emails", arguments, self._expect.changes)
        given = len(page["added"]) + len(page["changed"]) + len(page["removed"])
        following = page["cursor"] if page["more"] else None
        self._paging.check(("sync_emails", str(limit)), cursor, given, following, most=SYNC_MOST)
        return page

    async def wait_for_changes(self, cursor: str, *, timeout_s: float) -> wire.WaitResult:
        """Wait until something happens after `cursor`, or the time is over."""
        arguments: dict[str, object] = {"cursor": cursor, "timeout_s": timeout_s}
        return await self._call("wait_for_changes", arguments, self._expect.waited, extra_s=timeout_s)

    async def tools(self) -> int:
        """Return the number of tools that the server has."""
        return len(await listed_arguments(self._session))

    async def labels(self) -> list[wire.Label]:
        """Return every label, system ones first."""
        answer = await self._call("list_email_labels", {}, self._expect.labels)
        return answer["labels"]

    async def calendar_events(
        self, start: str, end: str, zone: str, *, limit: int
    ) -> wire.EventsResult | None:
        """Return one page of the events in a time span; see `gaia_email.mailbox.reader.CalendarReader`.

        Without `start` the span begins now; without `end` it is a week.
        """
        if CALENDAR not in await listed_arguments(self._session):
            return None
        arguments = _given(start=start or None, end=end or None, time_zone=zone or None, limit=limit)
        return await self._call(CALENDAR, arguments, self._expect.events)

    async def draft(self, draft_id: str) -> bytes | None:
        """Return the message of a draft; None if there is no such draft, or it cannot be read in full."""
        found = await self._if_offered("list_drafts", {"limit": MOST_DRAFTS}, self._expect.drafts)
        for one in found["drafts"] if found else ():
            if one["id"] == draft_id:
                arguments: dict[str, object] = {"ids": [one["email"]["id"]], "format": "raw"}
                emails = (await self._call("read_emails", arguments, self._expect.emails))["emails"]
                raw = raw_bytes(emails[0]) if emails else b""
                return raw if raw and len(raw) >= emails[0]["size"] else None
        return None

    async def filter(self, filter_id: str) -> tuple[dict[str, object], dict[str, object]] | None:
        """Return criteria and action of a filter at the provider; None if there is no such filter."""
        found = await self._if_offered("list_filters", {}, self._expect.filters)
        for one in found["filters"] if found else ():
            if one["id"] == filter_id:
                return {**one["criteria"]}, {**one["action"]}
        return None

    async def vacation(self) -> dict[str, object] | None:
        """Return the vacation responder's settings; None if the mailbox has none."""
        found = await self._if_offered("get_vacation", {}, self._expect.vacation)
        return {**found["vacation"]} if found else None

    async def send_as(self) -> list[wire.SendAs]:
        """Return the addresses that mail can be sent as; none if the server does not list them."""
        found = await self._if_offered("list_send_as", {}, self._expect.send_as)
        return found["addresses"] if found else []

    async def event(self, event_id: str, start: str, end: str) -> wire.CalendarEvent | None:
        """Return the event with this id, or the first of its series, between two times; None if there is none."""
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            arguments = _given(start=start, end=end, limit=1000, cursor=cursor)
            page = await self._if_offered(CALENDAR, arguments, self._expect.events)
            for one in page["events"] if page else ():
                if event_id in (one["id"], one.get("recurring_id")):
                    return one
            cursor = page["next_cursor"] if page else None
            if cursor is None:
                return None
        return None

    async def _if_offered(
        self, tool: str, arguments: dict[str, object], adapter: TypeAdapter[Result]
    ) -> Result | None:
        if tool not in await listed_arguments(self._session):
            return None
        return await self._call(tool, arguments, adapter)

    async def status(self) -> wire.StatusResult:
        """Return the state of the server and its account."""
        return await self._call("server_status", {}, self._expect.status)

    async def _call(
        self, tool: str, arguments: dict[str, object], adapter: TypeAdapter[Result], *, extra_s: float = 0.0
    ) -> Result:
        if effective_risk(tool, arguments) != "read":
            raise NeedsApproval(f"{tool} changes a mailbox, and this client only reads.")
        answer = await call_tool(self._session, tool, arguments, timeout_s=CALL_TIMEOUT_S + extra_s)
        if answer.is_error:
            raise failure(tool, answer)
        try:
            return adapter.validate_python(answer.data)
        except ValidationError:
            raise ProviderError(
                f"The mail server's answer to {tool} is not what the contract says."
            ) from None


@asynccontextmanager
async def open_mail(spec: ServerSpec) -> AsyncGenerator[MailClient, None]:
    """Connect to a mail server, and close it (or the connection to it) at the end.

    Raises:
        BadArgument: There is no such provider, or the command cannot be started.
        ProviderError: The server does not answer.
        MailError: An in-process server rejects its options.
    """
    async with open_session(spec) as opened:
        session = as_mailbox(opened)
        if not isinstance(spec, InProcessServer):
            await _require_mailbox(session)
        yield MailClient(session)


async def listing(spec: StdioServer | HttpServer) -> ToolListing:
    """Return the tools of a server in `mcp_servers.json`, for the ledger.

    Raises:
        MailError: It cannot be started or reached, or returns no list.
    """
    async with open_session(spec, LOOK) as session:
        return session.listing if isinstance(session, ForeignSession) else ToolListing(forms={})


async def _require_mailbox(session: ToolSession) -> None:
    """Check that a third-party server has the tools needed to read a mailbox.

    Raises:
        BadArgument: Tools are missing; the message names them.
    """
    missing = lacking(await listed_arguments(session))
    if missing:
        raise BadArgument(
            f"This MCP server is no mailbox that can be triaged: it has no {', '.join(missing)}.",
            argument="server",
            hint="gaia-imap-mcp, gaia-gmail-mcp, gaia-graph-mcp and gaia-local-mcp have them; search_emails and "
            "read_email, as other Gmail and IMAP servers have them, are enough, too.",
        )


def _given(**arguments: object) -> dict[str, object]:
    return {name: value for name, value in arguments.items() if value is not None}


class _Expected:
    """Validators of the expected answers, created on first use because most programs need few."""

    @cached_property
    def page(self) -> TypeAdapter[wire.ListEmailsResult]:
        return TypeAdapter(wire.ListEmailsResult)

    @cached_property
    def hits(self) -> TypeAdapter[wire.SearchEmailsResult]:
        return TypeAdapter(wire.SearchEmailsResult)

    @cached_property
    def emails(self) -> TypeAdapter[wire.ReadEmailsResult]:
        return TypeAdapter(wire.ReadEmailsResult)

    @cached_property
    def thread(self) -> TypeAdapter[wire.ThreadResult]:
        return TypeAdapter(wire.ThreadResult)

    @cached_property
    def changes(self) -> TypeAdapter[wire.SyncResult]:
        return TypeAdapter(wire.SyncResult)

    @cached_property
    def waited(self) -> TypeAdapter[wire.WaitResult]:
        return TypeAdapter(wire.WaitResult)

    @cached_property
    def labels(self) -> TypeAdapter[wire.LabelsResult]:
        return TypeAdapter(wire.LabelsResult)

    @cached_property
    def events(self) -> TypeAdapter[wire.EventsResult]:
        return TypeAdapter(wire.EventsResult)

    @cached_property
    def drafts(self) -> TypeAdapter[wire.DraftsResult]:
        return TypeAdapter(wire.DraftsResult)

    @cached_property
    def filters(self) -> TypeAdapter[wire.FiltersResult]:
        return TypeAdapter(wire.FiltersResult)

    @cached_property
    def vacation(self) -> TypeAdapter[wire.VacationFound]:
        return TypeAdapter(wire.VacationFound)

    @cached_property
    def send_as(self) -> TypeAdapter[wire.SendAsResult]:
        return TypeAdapter(wire.SendAsResult)

    @cached_property
    def status(self) -> TypeAdapter[wire.StatusResult]:
        return TypeAdapter(wire.StatusResult)
