"""Third-party MCP servers: their environment and their tools. Entries: `environment`, `listing_of`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gaia_email_registry.capabilities import MOST_TOOLS, ToolForm, ToolListing, taken_in
from gaia_email_registry.errors import ProviderError
from gaia_email_registry.secret_source import read_secret
from gaia_email_registry.servers import VAULT, StdioServer, looks_secret

if TYPE_CHECKING:
    from mcp.client import ClientSession

MOST_PAGES = 20

NEEDED = ("server_status", "list_emails", "read_emails", "list_email_labels")
"""Tools of the contract that a mailbox needs; those that change something are optional."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignSession:
    """A session with a server of `mcp_servers.json`, whose tools may be called only as approved.

    Attributes:
        approved: Tools that may be called.
        refused: For each other listed tool, the reason as a sentence.
    """

    session: ClientSession
    server: str
    listing: ToolListing
    approved: frozenset[str]
    refused: Mapping[str, str]


def lacking(offered: Mapping[str, frozenset[str]]) -> list[str]:
    """Return the tools that a server with these tools and arguments lacks to be a mailbox; empty if it is one."""
    from gaia_email.mailbox.convention.mailbox import is_convention

    return [] if is_convention(offered) else [tool for tool in NEEDED if tool not in offered]


async def listing_of(session: ClientSession) -> ToolListing:
    """Return every tool that a server lists, within limits.

    Raises:
        ProviderError: The answer is not a list of tools.
    """
    from mcp import MCPError
    from mcp_types import PaginatedRequestParams
    from pydantic import ValidationError

    tools: list[tuple[str, ToolForm]] = []
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        try:
            page = await session.list_tools(params=PaginatedRequestParams(cursor=cursor) if cursor else None)
        except (MCPError, ValidationError) as error:
            why = error.error.message if isinstance(error, MCPError) else "it is not MCP"
            raise ProviderError(f"It gave no list of its tools: {why}.") from None
        for tool in page.tools:
            hints = tool.annotations.model_dump(by_alias=True) if tool.annotations else {}
            form = ToolForm(
                description=tool.description or "",
                input_schema=tool.input_schema,
                output_schema=tool.output_schema,
                annotations={name: value for name, value in hints.items() if isinstance(value, bool)},
            )
            tools.append((tool.name, form))
        cursor = page.next_cursor
        if not cursor or len(tools) > MOST_TOOLS:
            break
    return taken_in(tools)


def environment(server: StdioServer, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables for starting a server, in addition to those that the SDK passes on.

    It gets its own variables from `mcp_servers.json`, with `vault:…` resolved, and the paths of this program
    (`GAIA_HOME` and the like). Passwords and tokens of this program go to its own servers only.

    Raises:
        MailError: A secret is not in the vault, or the vault is broken.
    """
    ours = Path(server.command).name.startswith("gaia-")
    shared = {
        name: value
        for name, value in environ.items()
        if name.startswith("GAIA_") and (ours or not looks_secret(name))
    }
    own = {
        name: read_secret(value, environ) if value.startswith(VAULT) else value
        for name, value in server.env.items()
    }
    return {**shared, **own}
