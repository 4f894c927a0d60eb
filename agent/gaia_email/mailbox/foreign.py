"""MCP servers that others made: started or reached, and asked what tools they have, within bounds. Entry: `listing_of`.

What such a server writes to standard error goes into a file of its own (`log_file`), so that it cannot speak over what
a command prints, and can be read afterwards.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from gaia_email_registry.capabilities import MOST_TOOLS, Form, Listing, taken_in
from gaia_email_registry.errors import ProviderError
from gaia_email_registry.paths import ensure_private_directory, home
from gaia_email_registry.secret_source import read_secret
from gaia_email_registry.servers import VAULT, StdioServer, looks_secret

if TYPE_CHECKING:
    from mcp.client import ClientSession

MOST_PAGES = 20
LOG_LINES = 200
LOG_BYTES = 256_000
"""From which a log is cut to its last lines before the server is started again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignSession:
    """A session with a server of `mcp_servers.json`, whose tools may be called only as they were approved.

    `approved` may be called; `refused` has a sentence for each other tool that is listed.
    """

    session: ClientSession
    server: str
    listing: Listing
    approved: frozenset[str]
    refused: Mapping[str, str]


async def listing_of(session: ClientSession) -> Listing:
    """Every tool that a server lists, as far as it is taken in.

    Raises:
        ProviderError: What it answers is no list of tools.
    """
    from mcp import MCPError
    from mcp_types import PaginatedRequestParams
    from pydantic import ValidationError

    tools: list[tuple[str, Form]] = []
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        try:
            page = await session.list_tools(params=PaginatedRequestParams(cursor=cursor) if cursor else None)
        except (MCPError, ValidationError) as error:
            why = error.error.message if isinstance(error, MCPError) else "it is not MCP"
            raise ProviderError(f"It gave no list of its tools: {why}.") from None
        for tool in page.tools:
            hints = tool.annotations.model_dump(by_alias=True) if tool.annotations else {}
            form = Form(
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
    """The variables that a server is started with, beside those that every program needs and the SDK hands on.

    It gets its own of `mcp_servers.json`, `vault:…` looked up, and where ours are kept (`GAIA_HOME` and the like). Our
    passwords and tokens go to programs of ours alone.

    Raises:
        MailError: The vault does not have one, or is broken.
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


def log_file(server: str, environ: Mapping[str, str]) -> Path:
    """Where the standard error of a server goes."""
    return home(environ) / "email" / "server-logs" / f"{server}.log"


@contextmanager
def logging_to(server: str, environ: Mapping[str, str]) -> Generator[TextIO]:
    """The file for standard error, of its owner's; what is older than the last lines goes first."""
    # The SDK logs each line that is no MCP, which without a handler would end up on the user's terminal.
    sdk = logging.getLogger("mcp.client.stdio")
    sdk.propagate, sdk.disabled = False, True
    path = log_file(server, environ)
    ensure_private_directory(path.parent)
    with open(os.open(path, os.O_CREAT | os.O_RDWR | os.O_APPEND, 0o600), "a+", encoding="utf-8") as file:
        if file.tell() > LOG_BYTES:
            kept = last_lines(server, environ)
            file.truncate(0)
            file.write("".join(f"{line}\n" for line in kept))
            file.flush()
        yield file


def last_lines(server: str, environ: Mapping[str, str]) -> list[str]:
    """The last lines that a server wrote to standard error; none where it never did."""
    try:
        with log_file(server, environ).open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - LOG_BYTES))
            text = file.read(LOG_BYTES).decode("utf-8", "replace")
    except FileNotFoundError:
        return []
    return text.splitlines()[-LOG_LINES:]
