"""The agent's server over streamable HTTP on this machine. Entries: `serve_http`, `http_app`.

It takes what the agent's HTTP interface takes, by the same guard: requests that name this server as their host, come
from no foreign page (DNS rebinding) and bring the API token, which every other user and program of the machine lacks.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.interfaces.http.bounds import HttpLimits, ServedAt
from gaia_email.interfaces.http.credentials import ApiToken, HttpCredentials, api_token_file
from gaia_email.interfaces.http.guard import guarded
from gaia_email.interfaces.http.listening import parse_address, serve_app
from gaia_email.interfaces.http.rates import HttpRate, HttpRates

if TYPE_CHECKING:
    from fastmcp import FastMCP
    from starlette.types import ASGIApp

LIMITS = HttpLimits(body=4 << 20)
"""A call may hold a long draft."""

RATE = HttpRate(at_once=600, per_s=100.0)
"""All tools are one path, and an assistant calls many at once."""


async def serve_http(app: App, server: FastMCP[None], address: str) -> None:
    """Streamable HTTP on `/mcp` until cancelled.

    Raises:
        BadArgument: The address is not of this machine, or the token cannot be kept private.
    """
    host, port = parse_address(address)
    token = ApiToken(api_token_file(app.environ))
    shown = f"[{host}]" if ":" in host else host
    sys.stderr.write(
        f"{server.name}: http://{shown}:{port}/mcp, for clients with the bearer token in {token.path}\n"
    )
    await serve_app(http_app(server, token, port), host, port)


def http_app(server: FastMCP[None], token: ApiToken, port: int) -> ASGIApp:
    """The guarded application, for who asks at that port."""
    return guarded(
        server.http_app(path="/mcp", host_origin_protection=True),
        served=ServedAt.on(port),
        credentials=HttpCredentials(token=token),
        rates=HttpRates({}, usual=RATE),
        limits=LIMITS,
    )
