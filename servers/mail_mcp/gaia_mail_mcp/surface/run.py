"""Serves a FastMCP server over stdio or streamable HTTP. Entry: `run_server`.

Standard output carries the protocol and nothing else: whatever prints goes to standard error. HTTP answers
only requests that name this server as their host and come from no foreign page (DNS rebinding), and beyond
loopback only with the bearer token.
"""

from __future__ import annotations

import asyncio
import gc
import hmac
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from gaia_mail_mcp.surface.options import HttpAddress, SurfaceSettings

if TYPE_CHECKING:
    from fastmcp import FastMCP
    from starlette.types import ASGIApp, Receive, Scope, Send

    from gaia_mail_mcp.surface.direct import Replying
    from gaia_mail_mcp.surface.stdio import Incoming, Outgoing


def run_server(
    server: FastMCP[None], settings: SurfaceSettings, around: Callable[[ASGIApp], ASGIApp] | None = None
) -> None:
    """Serve until the client goes away (stdio) or the process is stopped (HTTP).

    What `around` makes of the HTTP application is served in its place: for requests that prove in another way
    that they may come in.
    """
    gc.freeze()  # what was imported stays: a full collection of it takes longer than many calls
    try:
        if settings.http is None:
            asyncio.run(serve_stdio(server))
        else:
            asyncio.run(serve_http(server, settings.http, around))
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")


async def serve_stdio(server: FastMCP[None]) -> None:
    """Standard input and output until the client closes them."""
    from gaia_mail_mcp.surface import stdio
    from gaia_mail_mcp.surface.tool import MailServer

    if not stdio.are_pipes():
        await server.run_stdio_async(show_banner=False, log_level="WARNING")
        return
    tools: Mapping[str, Replying] = server.direct() if isinstance(server, MailServer) else {}
    async with stdio.connected(tools) as (incoming, outgoing):
        await serve_streams(server, incoming, outgoing)


async def serve_streams(server: FastMCP[None], incoming: Incoming, outgoing: Outgoing) -> None:
    """Two streams until the first one ends."""
    from fastmcp.server.context import reset_transport, set_transport
    from fastmcp.utilities.logging import temporary_log_level

    low_level = server._mcp_server  # pyright: ignore[reportPrivateUsage]
    token = set_transport("stdio")
    try:
        with temporary_log_level("WARNING"):
            await low_level.run(incoming, outgoing, low_level.create_initialization_options())
    finally:
        reset_transport(token)


async def serve_http(
    server: FastMCP[None], address: HttpAddress, around: Callable[[ASGIApp], ASGIApp] | None = None
) -> None:
    """Streamable HTTP on `/mcp` until cancelled."""
    import uvicorn

    app = http_app(server, address)
    if around is not None:
        app = around(app)
    config = uvicorn.Config(
        app,
        host=address.host,
        port=address.port,
        log_level="warning",
        lifespan="on",
        timeout_graceful_shutdown=2,
    )
    listening = uvicorn.Server(config)
    serving = asyncio.ensure_future(listening.serve())
    try:
        await asyncio.shield(serving)
    except asyncio.CancelledError:
        listening.should_exit = True  # cancelled itself it would leave its socket open
        await serving
        raise


def http_app(server: FastMCP[None], address: HttpAddress) -> ASGIApp:
    """The guarded HTTP application."""
    app = server.http_app(
        path="/mcp",
        host_origin_protection=True,
        allowed_hosts=[address.host] if not address.loopback else None,
    )
    return app if address.token is None else RequireToken(app, address.token)


class RequireToken:
    """Lets only requests with the bearer token through."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI entry; lifespan events pass untouched."""
        if scope["type"] == "http" and not self._authorised(scope):
            from starlette.responses import JSONResponse

            refusal = JSONResponse(
                {"error": {"kind": "needs_auth", "message": "Send the server's token as a bearer token."}},
                status_code=401,
                headers={"WWW-Authenticate": "Bearer"},
            )
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _authorised(self, scope: Scope) -> bool:
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        given = [value for name, value in headers if name == b"authorization"]
        return len(given) == 1 and hmac.compare_digest(given[0], self._expected)
