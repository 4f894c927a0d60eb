"""Open mail servers and call their tools. Entries: `open_session`, `call_tool`.

Used only by the agent's client (`client.py`), which only reads, and its writer (`actions/writing.py`), which needs a
pass of the gate for every call. The program's own servers are found by the entry point group `gaia_email.servers` and
opened in process: their module's `open_tools` returns the contract's tools directly, without the protocol, whose import
takes longer than reading a mailbox. Any other server with the convention's tools is started by command or reached by
URL, over MCP.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast, runtime_checkable

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from gaia_email.mailbox.bounds import MAIL, ByteBounds, ConnectionEnd, limit_responses
from gaia_email.mailbox.foreign import ForeignSession, listing_of
from gaia_email.mailbox.recent_calls import record_call
from gaia_email_registry import clock, errors
from gaia_email_registry.accounts import check_enabled, limits_of
from gaia_email_registry.contract import wire
from gaia_email_registry.errors import BadArgument, MailError, NeedsApproval, ProviderError
from gaia_email_registry.extras import missing_extra
from gaia_email_registry.secret_source import read_secret
from gaia_email_registry.servers import (
    ENTRY_POINTS,
    VAULT,
    HttpServer,
    InProcessServer,
    ServerSpec,
    StdioServer,
)

if TYPE_CHECKING:
    from fastmcp import FastMCP
    from mcp.client import Client, ClientSession, Transport
    from mcp_types import CallToolResult


ANSWER_S = 120.0
"""Seconds until a third-party server that does not answer the greeting counts as broken."""

HTTP_S, HTTP_SILENT_S = 30.0, 300.0
"""Seconds for a step of an HTTP call, and of silence on a stream that a server keeps open."""

MOST_ERROR = 300
"""Maximum number of characters kept of a tool's error message."""

CALL_TIMEOUT_S = 120.0
"""Seconds a call may take before the server counts as broken; waiting for changes gets its own time on top."""


class OwnToolReply(Protocol):
    """The answer of an in-process tool."""

    @property
    def text(self) -> str:
        """Text for a person."""
        ...

    @property
    def data(self) -> Mapping[str, object]:
        """Data as the contract defines it."""
        ...

    @property
    def failed(self) -> bool:
        """True if the call failed."""
        ...


@runtime_checkable
class OwnTools(Protocol):
    """The tools of a mailbox that is opened inside this program."""

    def arguments(self) -> Mapping[str, frozenset[str]]:
        """Return the arguments of every tool."""
        ...

    async def reply(self, tool: str, arguments: Mapping[str, object], *, timeout_s: float) -> OwnToolReply:
        """Call a tool and return its answer; failures are answers, too."""
        ...

    async def aclose(self) -> None:
        """Close the mailbox."""
        ...


@dataclass(frozen=True, slots=True)
class OwnSession:
    """Stands in for a session with an in-process server; `name` is its account, empty for none."""

    tools: OwnTools
    name: str = ""


ToolSession: TypeAlias = "ClientSession | OwnSession | ForeignSession"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """The answer of a tool; `data` is None if a server outside the contract returned only text."""

    text: str
    data: Mapping[str, object] | None
    is_error: bool


def as_mailbox(session: ToolSession) -> ToolSession:
    """Return the session as a mailbox of the contract; a server with only the convention's tools is translated."""
    if not isinstance(session, ForeignSession):
        return session
    from gaia_email.mailbox.convention.mailbox import ConventionMailbox, ConventionReply, is_convention

    offered = {name: form.arguments for name, form in session.listing.forms.items()}
    if not is_convention(offered):
        return session

    async def call(tool: str, arguments: dict[str, object]) -> ConventionReply:
        answer = await call_tool(session, tool, arguments)
        return ConventionReply(text=answer.text, failed=answer.is_error)

    return OwnSession(ConventionMailbox(session.server, offered, call))


async def listed_arguments(session: ToolSession) -> Mapping[str, frozenset[str]]:
    """Return the names of a server's tools, each with its argument names.

    Raises:
        MCPError: The server is broken.
    """
    if isinstance(session, OwnSession):
        return session.tools.arguments()
    if isinstance(session, ForeignSession):
        return {name: form.arguments for name, form in session.listing.forms.items()}
    listed = await session.list_tools()
    return {tool.name: frozenset(tool.input_schema.get("properties", ())) for tool in listed.tools}


async def call_tool(
    session: ToolSession, tool: str, arguments: dict[str, object], *, timeout_s: float = CALL_TIMEOUT_S
) -> CallResult:
    """Call a tool and return the server's answer, which may be an error.

    Raises:
        ProviderError: The server is broken, or there is no such tool.
        NeedsApproval: The tool has changed since it was approved.
    """
    if isinstance(session, OwnSession):
        with record_call(session.name, tool) as call:
            reply = await session.tools.reply(tool, arguments, timeout_s=timeout_s)
            call.error = reply.text[:MOST_ERROR] if reply.failed else ""
        return CallResult(text=reply.text, data=reply.data, is_error=reply.failed)
    name = ""
    if isinstance(session, ForeignSession):
        if tool in session.refused:
            raise NeedsApproval(
                session.refused[tool],
                hint=f"gaia email servers approve {session.server}.{tool} shows what it is now, and asks.",
            )
        if tool not in session.approved:
            raise ProviderError(f"The MCP server {session.server} has no tool {tool} that can be used.")
        name, session = session.server, session.session
    with record_call(name, tool) as call:
        answer = await _requested(session, tool, arguments, timeout_s)
        texts = [text for block in answer.content if isinstance(text := getattr(block, "text", None), str)]
        call.error = " ".join(texts)[:MOST_ERROR] if answer.is_error else ""
    return CallResult(text=" ".join(texts), data=answer.structured_content, is_error=bool(answer.is_error))


async def _requested(
    session: ClientSession, tool: str, arguments: dict[str, object], timeout_s: float
) -> CallToolResult:
    """Send a plain request; the session's `call_tool` also validates JSON Schemas, which takes four times as long."""
    from mcp import MCPError
    from mcp_types import CallToolRequest, CallToolRequestParams, CallToolResult

    request = CallToolRequest(params=CallToolRequestParams(name=tool, arguments=arguments))
    try:
        return await session.send_request(request, CallToolResult, timeout_s)
    except MCPError as error:
        raise ProviderError(f"The mail server failed at {tool}: {error.error.message}") from None
    except ValidationError:
        raise ProviderError(f"The mail server's answer to {tool} is not MCP.") from None


@asynccontextmanager
async def open_session(spec: ServerSpec, bounds: ByteBounds = MAIL) -> AsyncGenerator[ToolSession, None]:
    """Connect to a mail server, and close it (or the connection to it) at the end.

    Args:
        spec: The server.
        bounds: Limits for a third-party server.

    Raises:
        BadArgument: There is no such provider, or the command cannot be started.
        NeedsApproval: Its account is switched off.
        ProviderError: The server does not answer.
        MailError: An in-process server rejects its options.
    """
    if isinstance(spec, InProcessServer) and spec.provider != "local":
        name = spec.options.get("account", "")
        check_enabled(name, os.environ)
        spec = replace(spec, options={**spec.options, **limits_of(name, os.environ)})
    opened = _opener(spec.provider)(spec.options) if isinstance(spec, InProcessServer) else spec
    if isinstance(opened, OwnTools):
        try:
            yield OwnSession(
                opened, spec.options.get("account", "") if isinstance(spec, InProcessServer) else ""
            )
        finally:
            await opened.aclose()
        return
    failure: Exception | None = None
    link = ConnectionEnd()
    async with AsyncExitStack() as stack:
        client = await _client(opened, stack, bounds, link)
        try:
            await stack.enter_async_context(client)
        except MailError:
            raise
        except OSError as error:
            raise BadArgument(f"{_name(spec)} cannot be started or reached: {error}.") from None
        except Exception as error:
            if (missing := missing_extra(error)) is not None:
                raise missing from None
            raise ProviderError(
                f"{_name(spec)} does not speak MCP: {link.ended or _reason(error)}.", hint=_log_hint(spec)
            ) from None
        try:
            name = "" if isinstance(spec, InProcessServer) else spec.name
            yield await _as_approved(name, client.session) if name else client.session
        except Exception as error:
            # Otherwise it would leave the client's task group wrapped in an ExceptionGroup.
            failure = error
    if link.ended and isinstance(failure, ProviderError):
        raise ProviderError(f"{_name(spec)} was given up: {link.ended}.", hint=_log_hint(spec))
    if failure is not None:
        raise failure


async def _as_approved(name: str, session: ClientSession) -> ForeignSession:
    """Return the session of a listed server after checking its current tools."""
    from gaia_email.ledger import open_ledger
    from gaia_email.mailbox.known_tools import record_listing

    with record_call(name, "tools/list"):
        listing = await listing_of(session)
    with open_ledger() as ledger:
        known = record_listing(ledger, name, listing, now=clock.now())
    told = {"new": "was never approved", "changed": "is not what you approved any more"}
    refused = {
        tool: f"{tool} of the MCP server {name} {told[one.approval_state]}."
        for tool, one in known.items()
        if one.approval_state in told
    }
    approved = frozenset(tool for tool, one in known.items() if one.approval_state == "approved")
    return ForeignSession(session=session, server=name, listing=listing, approved=approved, refused=refused)


async def _client(
    server: FastMCP[None] | StdioServer | HttpServer,
    stack: AsyncExitStack,
    bounds: ByteBounds,
    link: ConnectionEnd,
) -> Client:
    from mcp.client import Client

    from gaia_email.mailbox.starting import build_transport, quiet

    match server:
        case StdioServer():
            quiet()
            return Client(build_transport(server, bounds, link), cache=None, read_timeout_seconds=ANSWER_S)
        case HttpServer():
            quiet()
            transport = await _http(server, stack, bounds, link)
            return Client(transport, cache=None, read_timeout_seconds=ANSWER_S)
        case _:
            # FastMCP's own client goes through memory streams and takes 0.2 s to import; the SDK's calls
            # the low-level server directly. tests/mail_client pins the attribute.
            return Client(server._mcp_server, cache=None)  # pyright: ignore[reportPrivateUsage]


async def _http(
    spec: HttpServer, stack: AsyncExitStack, bounds: ByteBounds, link: ConnectionEnd
) -> Transport:
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    from gaia_email_registry.egress.http import open_client

    token = read_secret(spec.secret, os.environ) if spec.secret else spec.token
    headers = {
        name: read_secret(value, os.environ) if value.startswith(VAULT) else value
        for name, value in spec.headers.items()
    }
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    timeout = httpx2.Timeout(HTTP_S, read=HTTP_SILENT_S)
    client = limit_responses(open_client("tools", headers=headers, timeout=timeout), bounds, link)
    http = await stack.enter_async_context(client)
    return streamable_http_client(spec.url, http_client=http)


def _opener(provider: str) -> Callable[[Mapping[str, str]], FastMCP[None] | OwnTools]:
    for entry in entry_points(group=ENTRY_POINTS, name=provider):
        opener: Callable[[Mapping[str, str]], FastMCP[None] | OwnTools]
        opener = getattr(import_module(entry.module), "open_tools", None) or entry.load()
        return opener
    known = ", ".join(sorted(entry.name for entry in entry_points(group=ENTRY_POINTS))) or "none"
    raise BadArgument(f"There is no mail provider called {provider[:40]!r}; installed are: {known}.")


def _reason(error: BaseException) -> str:
    """Return the text of the innermost error in a group, since the group itself is not informative."""
    found = error
    while isinstance(found, BaseExceptionGroup):
        found = cast("BaseExceptionGroup[BaseException]", found).exceptions[0]
    return str(found).rstrip(".") or type(found).__name__


def _log_hint(spec: ServerSpec) -> str | None:
    named = isinstance(spec, StdioServer) and spec.name
    return f"gaia email servers logs {named} shows what it said." if named else None


def _name(spec: ServerSpec) -> str:
    match spec:
        case InProcessServer():
            return f"The {spec.provider} mail server"
        case StdioServer():
            return f"The mail server {spec.command}"
        case HttpServer():
            return f"The mail server at {spec.url}"


class _Refused(TypedDict):
    error: wire.ErrorBody


def failure(tool: str, answer: CallResult) -> MailError:
    """Return the error that a server answered with; a server outside the contract returns only text."""
    try:
        told = TypeAdapter(_Refused).validate_python(answer.data)["error"]
    except ValidationError:
        message = answer.text.removeprefix("Error: ").strip()
        return ProviderError(message[:2000] or f"The mail server failed at {tool} and did not say why.")
    return errors.BY_KIND.get(told["kind"], ProviderError)(
        told["message"],
        argument=told.get("argument"),
        retry_after_s=told.get("retry_after_s"),
        hint=told.get("hint"),
    )
