"""The agent's only way to mail: a typed client of the tool contract over MCP. Entry: `open_mail`.

Our own servers run inside this program, found by the entry point group `gaia_email.servers`; any other server
that speaks the convention is started by command or reached by URL. The same tools are called either way, so
the agent can do nothing to a mailbox that another MCP client could not.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cached_property
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Literal, TypeVar

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from gaia_email_registry import errors
from gaia_email_registry.contract import wire
from gaia_email_registry.errors import BadArgument, MailError, ProviderError
from gaia_email_registry.servers import HttpServer, InProcessServer, ServerSpec, StdioServer

if TYPE_CHECKING:
    from fastmcp import FastMCP
    from mcp.client import Client, ClientSession, Transport
    from mcp_types import CallToolResult

GROUP = "gaia_email.servers"

CALL_TIMEOUT_S = 120.0
"""Seconds a call may take before the server counts as broken; waiting for changes gets its own time on top."""

Result = TypeVar("Result")


class MailClient:
    """Calls mail tools of one server and answers what the contract's wire types say.

    Every method raises a `MailError` of the kind the server answered with; `ProviderError` when the server
    itself is broken or answers something else.
    """

    def __init__(self, session: ClientSession) -> None:
        self._session = session
        self._expect = _Expected()

    async def list_emails(
        self,
        *,
        label: str | None = None,
        query: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> wire.ListEmailsResult:
        """A page of summaries, newest first."""
        arguments = _given(label=label, query=query, limit=limit, cursor=cursor)
        return await self._call("list_emails", arguments, self._expect.page)

    async def search(
        self, query: str, *, limit: int = 50, cursor: str | None = None
    ) -> wire.SearchEmailsResult:
        """A page of hits of a search in Gmail's syntax, newest first."""
        arguments = _given(query=query, maxResults=limit, pageToken=cursor)
        return await self._call("search_emails", arguments, self._expect.hits)

    async def read_emails(
        self, ids: Sequence[str], *, format: Literal["summary", "full", "raw"] = "raw"
    ) -> wire.ReadEmailsResult:
        """Those of `ids` that exist, and which do not; `raw` is what the agent prepares from.

        What a server had no room for in one answer is asked for again.
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
        return await self._call("read_emails", arguments, self._expect.emails)

    async def get_thread(
        self, thread_id: str, *, format: Literal["summary", "full", "raw"] = "raw"
    ) -> wire.ThreadResult:
        """A conversation, oldest first."""
        arguments: dict[str, object] = {"thread_id": thread_id, "format": format}
        return await self._call("get_thread", arguments, self._expect.thread)

    async def sync_emails(self, cursor: str | None = None, *, limit: int = 500) -> wire.SyncResult:
        """What happened since `cursor`; without one, a first page of everything."""
        arguments = _given(cursor=cursor, limit=limit)
        return await self._call("sync_emails", arguments, self._expect.changes)

    async def wait_for_changes(self, cursor: str, *, timeout_s: float) -> wire.WaitResult:
        """Until something happened after `cursor`, or the time is over."""
        arguments: dict[str, object] = {"cursor": cursor, "timeout_s": timeout_s}
        return await self._call("wait_for_changes", arguments, self._expect.waited, extra_s=timeout_s)

    async def labels(self) -> list[wire.Label]:
        """Every label, system ones first."""
        answer = await self._call("list_email_labels", {}, self._expect.labels)
        return answer["labels"]

    async def status(self) -> wire.StatusResult:
        """How the server and its account are doing."""
        return await self._call("server_status", {}, self._expect.status)

    async def _call(
        self, tool: str, arguments: dict[str, object], adapter: TypeAdapter[Result], *, extra_s: float = 0.0
    ) -> Result:
        answer = await self._request(tool, arguments, CALL_TIMEOUT_S + extra_s)
        if answer.is_error:
            raise _failure(tool, answer)
        try:
            return adapter.validate_python(answer.structured_content)
        except ValidationError:
            raise ProviderError(
                f"The mail server's answer to {tool} is not what the contract says."
            ) from None

    async def _request(self, tool: str, arguments: dict[str, object], timeout_s: float) -> CallToolResult:
        """A plain request; `call_tool` would check the answer against its JSON Schema, four times the cost of it."""
        from mcp import MCPError
        from mcp_types import CallToolRequest, CallToolRequestParams, CallToolResult

        request = CallToolRequest(params=CallToolRequestParams(name=tool, arguments=arguments))
        try:
            return await self._session.send_request(request, CallToolResult, timeout_s)
        except MCPError as error:
            raise ProviderError(f"The mail server failed at {tool}: {error.error.message}") from None
        except ValidationError:
            raise ProviderError(f"The mail server's answer to {tool} is not MCP.") from None


@asynccontextmanager
async def open_mail(spec: ServerSpec) -> AsyncGenerator[MailClient, None]:
    """Connect to a mail server, and close it (or the connection to it) at the end.

    Raises:
        BadArgument: There is no such provider, or the command cannot be started.
        ProviderError: The server does not answer.
        MailError: Whatever an in-process server refuses its options with.
    """
    failure: Exception | None = None
    async with AsyncExitStack() as stack:
        client = await _client(spec, stack)
        try:
            await stack.enter_async_context(client)
        except MailError:
            raise
        except OSError as error:
            raise BadArgument(f"{_name(spec)} cannot be started or reached: {error}.") from None
        except Exception as error:
            raise ProviderError(f"{_name(spec)} does not speak MCP: {error}.") from None
        try:
            yield MailClient(client.session)
        except Exception as error:
            # Left to itself it would come out of the client's task group wrapped in an ExceptionGroup.
            failure = error
    if failure is not None:
        raise failure


async def _client(spec: ServerSpec, stack: AsyncExitStack) -> Client:
    from mcp.client import Client
    from mcp.client.stdio import StdioServerParameters

    match spec:
        case InProcessServer():
            # FastMCP's own client goes through memory streams and takes 0.2 s to import; the SDK's calls
            # the low-level server directly. tests/mail_client pins the attribute.
            server = _opener(spec.provider)(spec.options)
            return Client(server._mcp_server, cache=None)  # pyright: ignore[reportPrivateUsage]
        case StdioServer():
            env = {**os.environ, **spec.env}
            command = os.path.expanduser(spec.command)
            return Client(StdioServerParameters(command=command, args=list(spec.args), env=env), cache=None)
        case HttpServer():
            return Client(await _http(spec, stack), cache=None)


async def _http(spec: HttpServer, stack: AsyncExitStack) -> Transport:
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    headers = {} if spec.token is None else {"Authorization": f"Bearer {spec.token}"}
    http = await stack.enter_async_context(create_mcp_http_client(headers=headers))
    return streamable_http_client(spec.url, http_client=http)


def _opener(provider: str) -> Callable[[Mapping[str, str]], FastMCP[None]]:
    for entry in entry_points(group=GROUP, name=provider):
        opener: Callable[[Mapping[str, str]], FastMCP[None]] = entry.load()
        return opener
    known = ", ".join(sorted(entry.name for entry in entry_points(group=GROUP))) or "none"
    raise BadArgument(f"There is no mail provider called {provider[:40]!r}; installed are: {known}.")


def _name(spec: ServerSpec) -> str:
    match spec:
        case InProcessServer():
            return f"The {spec.provider} mail server"
        case StdioServer():
            return f"The mail server {spec.command}"
        case HttpServer():
            return f"The mail server at {spec.url}"


def _given(**arguments: object) -> dict[str, object]:
    return {name: value for name, value in arguments.items() if value is not None}


class _Expected:
    """What each answer has to look like; made when first needed, since most programs need few."""

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
    def status(self) -> TypeAdapter[wire.StatusResult]:
        return TypeAdapter(wire.StatusResult)


class _Refused(TypedDict):
    error: wire.ErrorBody


_KINDS: Mapping[str, type[MailError]] = {
    kind.kind: kind
    for kind in (
        errors.BadArgument,
        errors.NotFound,
        errors.NeedsAuth,
        errors.NeedsApproval,
        errors.RateLimited,
        errors.ProviderError,
        errors.InternalError,
    )
}


def _failure(tool: str, answer: CallToolResult) -> MailError:
    """The error a server answered with; a server outside the contract gives only a text."""
    try:
        told = TypeAdapter(_Refused).validate_python(answer.structured_content)["error"]
    except ValidationError:
        texts = [text for block in answer.content if isinstance(text := getattr(block, "text", None), str)]
        message = " ".join(texts).removeprefix("Error: ").strip()
        return ProviderError(message[:2000] or f"The mail server failed at {tool} and did not say why.")
    return _KINDS.get(told["kind"], ProviderError)(
        told["message"],
        argument=told.get("argument"),
        retry_after_s=told.get("retry_after_s"),
        hint=told.get("hint"),
    )
