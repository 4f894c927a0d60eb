"""The documents of `servers list` and `servers tools`. Entry points: `servers_document`, `tools_document`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypedDict

from gaia_email.document import Count, Version, clean
from gaia_email.mailbox.foreign import lacking

if TYPE_CHECKING:
    from gaia_email_registry.capabilities import ServerTool

ToolTier = Literal["read", "write", "destructive"]


class McpServerRow(TypedDict):
    """An MCP server: the file that lists it, what starts it or where it is, and how many of its tools stand how."""

    name: str
    file: str
    target: str
    tools: int
    approved: int
    changed: int
    new: int


class ServersDocument(TypedDict):
    """What `servers list` prints."""

    schema_version: Version
    servers: list[McpServerRow]


class ToolRow(TypedDict):
    """A tool: how dangerous it is taken for and who says so, and whether it is as it was approved."""

    id: str
    server: str
    tool: str
    tier: ToolTier
    tier_from: Literal["you", "contract", "annotations", "name", "nothing"]
    standing: Literal["approved", "new", "changed", "gone"]
    differences: list[str]
    description: str
    digest: str
    last_seen: float


class ToolsDocument(TypedDict):
    """What `servers tools` prints; `problems` says what of a server could not be looked at, a sentence each."""

    schema_version: Version
    tools: list[ToolRow]
    problems: list[str]


class TriedRow(TypedDict):
    """Whether a server answers and is a mailbox; `missing` are tools that one needs, `failed` says what went wrong."""

    name: str
    works: bool
    mailbox: bool
    tools: Count
    missing: list[str]
    problems: list[str]
    failed: str


class TriedDocument(TypedDict):
    """What `servers test` prints."""

    schema_version: Version
    servers: list[TriedRow]


SERVERS_DOCUMENTS: dict[str, object] = {
    "servers": ServersDocument,
    "servers-test": TriedDocument,
    "tools": ToolsDocument,
}


def server_row(name: str, file: str, target: str, tools: Mapping[str, ServerTool]) -> McpServerRow:
    """A server with its tools as they were last seen."""
    standings = [one.approval_state for one in tools.values()]
    return {
        "name": name,
        "file": file,
        "target": target,
        "tools": len(standings) - standings.count("gone"),
        "approved": standings.count("approved"),
        "changed": standings.count("changed"),
        "new": standings.count("new"),
    }


def servers_document(rows: Sequence[McpServerRow]) -> ServersDocument:
    """The servers."""
    return {"schema_version": 1, "servers": list(rows)}


def tried_row(name: str, failed: str, problems: Sequence[str], tools: Mapping[str, ServerTool]) -> TriedRow:
    """What a look at a server gave."""
    here = {} if failed else {tool: one.seen.arguments for tool, one in tools.items() if one.listed}
    missing = [] if failed else lacking(here)
    return {
        "name": name,
        "works": not failed,
        "mailbox": not failed and not missing,
        "tools": len(here),
        "missing": missing,
        "problems": [clean(text) for text in problems],
        "failed": clean(failed),
    }


def tried_document(rows: Sequence[TriedRow]) -> TriedDocument:
    """The servers that were looked at."""
    return {"schema_version": 1, "servers": list(rows)}


def tool_rows(server: str, tools: Mapping[str, ServerTool]) -> list[ToolRow]:
    """The tools of a server, by name."""
    return [_tool(server, one) for _, one in sorted(tools.items())]


def tools_document(rows: Sequence[ToolRow], problems: Sequence[str]) -> ToolsDocument:
    """The tools."""
    return {"schema_version": 1, "tools": list(rows), "problems": list(problems)}


def _tool(server: str, one: ServerTool) -> ToolRow:
    tier, tier_from = one.risk()
    return {
        "id": f"{server}.{one.tool}",
        "server": server,
        "tool": one.tool,
        "tier": tier,
        "tier_from": tier_from,
        "standing": one.approval_state,
        "differences": [clean(line) for line in one.differences()],
        "description": clean(one.seen.description),
        "digest": one.seen.digest,
        "last_seen": one.last_seen,
    }
