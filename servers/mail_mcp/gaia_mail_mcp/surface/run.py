"""Serves a FastMCP server over stdio or streamable HTTP. Entry: `run_server`.

Only the protocol goes to standard output; all other output goes to standard error. The HTTP server accepts only
requests that name it as their host, come from no foreign page (DNS rebinding) and carry the bearer token. That includes
loopback, which every program and user of the machine can reach.
"""

from __future__ import annotations

import asyncio
import errno
import gc
import hmac
import signal
import socket
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from gaia_email_registry.errors import BadArgument
from gaia_email_registry.token_file import token_in_file
from gaia_mail_mcp.surface.options import HttpAddress, SurfaceSettings

if TYPE_CHECKING:
    from fastmcp import FastMCP
    from mcp.shared._stream_protocols import ReadStream, WriteStream
    from mcp.shared.message import SessionMessage
    from starlette.types import ASGIApp, Receive, Scope, Send


def run_server(
    server: FastMCP[None], settings: SurfaceSettings, around: Callable[[ASGIApp], ASGIApp] | None = None
) -> None:
    """Serve until the client disconnects (stdio) or the process is stopped (HTTP).

    `around` wraps the HTTP application, for requests that are authorized in another way.

    Raises:
        BadArgument: HTTP cannot be served there.
    """
    gc.freeze()  # imported objects stay: a full collection of them takes longer than many calls
    try:
        if settings.http is None:
            asyncio.run(serve_stdio(server))
        else:
            end_in_order()
            asyncio.run(_serve_http(server, settings.http, around))
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")


def end_in_order() -> None:
    """Exit with 0 on SIGTERM: uvicorn closes everything and then raises the signal again."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))


async def serve_stdio(server: FastMCP[None]) -> None:
    """Serve standard input and output until the client closes them."""
    from gaia_mail_mcp.surface import stdio

    if not stdio.are_pipes():
        await _serve_files(server)
        return
    async with stdio.connect_stdio() as (incoming, outgoing):
        await serve_streams(server, incoming, outgoing)


async def _serve_files(server: FastMCP[None]) -> None:
    """Serve terminals, files and Windows streams with the SDK's own threads."""
    import anyio
    from mcp.server.stdio import stdio_server

    from gaia_mail_mcp.surface.escaping import escaped_output

    with escaped_output() as output:
        async with stdio_server(stdout=anyio.wrap_file(output)) as (incoming, outgoing):
            await serve_streams(server, incoming, outgoing)


async def serve_streams(
    server: FastMCP[None],
    incoming: ReadStream[SessionMessage | Exception],
    outgoing: WriteStream[SessionMessage],
) -> None:
    """Serve two streams until the incoming one ends."""
    from fastmcp.server.context import reset_transport, set_transport
    from fastmcp.utilities.logging import temporary_log_level

    low_level = server._mcp_server  # pyright: ignore[reportPrivateUsage]
    token = set_transport("stdio")
    try:
        with temporary_log_level("WARNING"):
            await low_level.run(incoming, outgoing, low_level.create_initialization_options())
    finally:
        reset_transport(token)


async def _serve_http(
    server: FastMCP[None], address: HttpAddress, around: Callable[[ASGIApp], ASGIApp] | None
) -> None:
    """Serve over HTTP (`serve_http`) after printing the URL and the location of the token."""
    shown = f"[{address.host}]" if ":" in address.host else address.host
    where = f", which is in {address.token_file}" if address.token is None else " of GAIA_HTTP_TOKEN"
    sys.stderr.write(
        f"{server.name}: http://{shown}:{address.port}/mcp, for clients with the bearer token{where}\n"
    )
    await serve_http(server, address, around)


async def serve_http(
    server: FastMCP[None], address: HttpAddress, around: Callable[[ASGIApp], ASGIApp] | None = None
) -> None:
    """Serve streamable HTTP on `/mcp` until cancelled.

    Raises:
        BadArgument: The address cannot be used, or the token cannot be kept private.
    """
    import uvicorn

    app = http_app(server, address)
    listener = _listener(address)
    if around is not None:
        app = around(app)
    config = uvicorn.Config(
        app,
        log_level="warning",
        lifespan="on",
        timeout_graceful_shutdown=2,
    )
    listening = uvicorn.Server(config)
    serving = asyncio.ensure_future(listening.serve(sockets=[listener]))
    try:
        await asyncio.shield(serving)
    except asyncio.CancelledError:
        listening.should_exit = True  # cancelling it directly would leave its socket open
        await serving
        raise
    finally:
        listener.close()


def http_app(server: FastMCP[None], address: HttpAddress) -> ASGIApp:
    """Return the HTTP application with token check and escaping.

    Raises:
        BadArgument: There is no token, and none can be created.
    """
    from gaia_mail_mcp.surface.escaping import escaping

    token = _token_of(address)
    app: ASGIApp = server.http_app(
        path="/mcp",
        host_origin_protection=True,
        allowed_hosts=[address.host] if not address.loopback else None,
    )
    return RequireToken(escaping(app), token)


def _token_of(address: HttpAddress) -> str:
    if address.token:
        return address.token
    if address.token_file is None:
        raise BadArgument("HTTP needs a bearer token.", hint="set GAIA_HTTP_TOKEN to a long random text.")
    return token_in_file(address.token_file, otherwise="set GAIA_HTTP_TOKEN instead.")


def _listener(address: HttpAddress) -> socket.socket:
    try:
        found = socket.getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        family, _, _, _, address_info = found[0]
        # With the protocol named, asyncio lets each write leave at once, without a wait for acknowledgements.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address_info)
        except BaseException:
            listener.close()
            raise
    except OSError as error:
        used = error.errno == errno.EADDRINUSE
        why = "is in use by another program" if used else f"cannot be listened on ({error.strerror or error})"
        raise BadArgument(
            f"Port {address.port} on {address.host} {why}.",
            argument="http",
            hint=f"another port: --http {address.host}:{address.port % 65535 + 1}" if used else "see --http.",
        ) from None
    return listener


class RequireToken:
    """Refuses requests without the bearer token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request; lifespan events are passed through."""
        if scope["type"] == "http" and not self._is_authorised(scope):
            from starlette.responses import JSONResponse

            refusal = JSONResponse(
                {"error": {"kind": "needs_auth", "message": "Send the server's token as a bearer token."}},
                status_code=401,
                headers={"WWW-Authenticate": "Bearer"},
            )
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_authorised(self, scope: Scope) -> bool:
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        given = [value for name, value in headers if name == b"authorization"]
        return len(given) == 1 and hmac.compare_digest(given[0], self._expected)
