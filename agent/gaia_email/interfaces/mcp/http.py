"""The agent's MCP server over streamable HTTP on this machine. Entries: `serve_http`, `http_app`.

The guard of the agent's HTTP interface applies here, too: a request must name this server as its host, must not come
from a foreign page (DNS rebinding), and must carry the API token, which other users and programs do not have.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.interfaces.http.bounds import HttpLimits, ServedAt
from gaia_email.interfaces.http.credentials import ApiToken, HttpCredentials, api_token_file
from gaia_email.interfaces.http.guard import guard_app
from gaia_email.interfaces.http.listening import parse_address, serve_app
from gaia_email.interfaces.http.rates import HttpRate, HttpRates

if TYPE_CHECKING:
    from fastmcp import FastMCP
    from starlette.types import ASGIApp

LIMITS = HttpLimits(body=4 << 20)
"""Request limits; the body is large enough for a long draft."""

RATE = HttpRate(at_once=600, per_s=100.0)
"""Request rate; all tools share one path, and an assistant may call many at once."""


async def serve_http(app: App, server: FastMCP[None], address: str) -> None:
    """Serve streamable HTTP on `/mcp` until cancelled.

    Raises:
        BadArgument: The address is not on this machine, or the token cannot be kept private.
    """
    host, port = parse_address(address)
    token = ApiToken(api_token_file(app.environ))
    shown = f"[{host}]" if ":" in host else host
    sys.stderr.write(
        f"{server.name}: http://{shown}:{port}/mcp, for clients with the bearer token in {token.path}\n"
    )
    await serve_app(http_app(server, token, port), host, port)


def http_app(server: FastMCP[None], token: ApiToken, port: int) -> ASGIApp:
    """Return the guarded application for this port."""
    return guard_app(
        server.http_app(path="/mcp", host_origin_protection=True),
        served=ServedAt.on(port),
        credentials=HttpCredentials(token=token),
        rates=HttpRates({}, usual=RATE),
        limits=LIMITS,
    )
