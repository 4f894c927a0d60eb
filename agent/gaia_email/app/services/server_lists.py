"""Documents that list MCP servers and their tools. Entries: `list_servers`, `list_tools`, `describe_looks`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from gaia_email.document import Count, Document
from gaia_email.mailbox.foreign import lacking
from gaia_email_registry.contract.tools import RiskTier

if TYPE_CHECKING:
    from gaia_email.app.services.mcp_servers import ListedServer, ServerInspection
    from gaia_email_registry.capabilities import ServerTool


class ServerSummary(Document, frozen=True, kw_only=True):
    """An MCP server: the file that lists it, its command or address, and its number of tools per state."""

    name: str
    file: str
    target: str
    tools: int
    approved: int
    changed: int
    new: int


class ServerList(Document, frozen=True, kw_only=True):
    """The known MCP servers."""

    servers: list[ServerSummary]


class ToolSummary(Document, frozen=True, kw_only=True):
    """A tool: its risk tier and the source of that tier, and whether it is as it was approved."""

    id: str
    server: str
    tool: str
    tier: RiskTier
    tier_from: Literal["you", "contract", "annotations", "name", "nothing"]
    standing: Literal["approved", "new", "changed", "gone"]
    differences: list[str]
    description: str
    digest: str
    last_seen: float


class ToolList(Document, frozen=True, kw_only=True):
    """Tools of MCP servers; `problems` has one sentence for each server that could not be inspected."""

    tools: list[ToolSummary]
    problems: list[str]


class TriedServer(Document, frozen=True, kw_only=True):
    """The result of testing a server; `missing` are tools that a mailbox needs, `failed` is the error."""

    name: str
    works: bool
    mailbox: bool
    tools: Count
    missing: list[str]
    problems: list[str]
    failed: str


class TriedServers(Document, frozen=True, kw_only=True):
    """The servers that were tested."""

    servers: list[TriedServer]


def list_servers(found: Iterable[ListedServer]) -> ServerList:
    """Summarize servers with their tools as last seen."""
    return ServerList(servers=[_server(one) for one in found])


def list_tools(tools: Mapping[str, Mapping[str, ServerTool]], problems: list[str]) -> ToolList:
    """List the tools of each server, by name."""
    return ToolList(
        tools=[_tool(server, one) for server, found in tools.items() for _, one in sorted(found.items())],
        problems=problems,
    )


def describe_looks(looks: Iterable[ServerInspection]) -> TriedServers:
    """Describe whether each server works and is a mailbox."""
    return TriedServers(servers=[_tried(one) for one in looks])


def _server(one: ListedServer) -> ServerSummary:
    standings = [tool.approval_state for tool in one.tools.values()]
    return ServerSummary(
        name=one.name,
        file=str(one.file),
        target=one.target,
        tools=len(standings) - standings.count("gone"),
        approved=standings.count("approved"),
        changed=standings.count("changed"),
        new=standings.count("new"),
    )


def _tool(server: str, one: ServerTool) -> ToolSummary:
    tier, tier_from = one.risk()
    return ToolSummary(
        id=f"{server}.{one.tool}",
        server=server,
        tool=one.tool,
        tier=tier,
        tier_from=tier_from,
        standing=one.approval_state,
        differences=list(one.differences()),
        description=one.seen.description,
        digest=one.seen.digest,
        last_seen=one.last_seen,
    )


def _tried(look: ServerInspection) -> TriedServer:
    here = {} if look.failed else {tool: one.seen.arguments for tool, one in look.tools.items() if one.listed}
    missing = [] if look.failed else list(lacking(here))
    return TriedServer(
        name=look.name,
        works=not look.failed,
        mailbox=not look.failed and not missing,
        tools=len(here),
        missing=missing,
        problems=list(look.problems),
        failed=look.failed,
    )
