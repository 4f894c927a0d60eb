"""A server on this machine: its address, and uvicorn with limits. Entry points: `parse_address`, `serve_app`."""

from __future__ import annotations

import asyncio
import signal
import sys
from typing import TYPE_CHECKING

from gaia_email_registry.errors import BadArgument

if TYPE_CHECKING:
    import socket

    import uvicorn
    from starlette.types import ASGIApp

HOSTS = ("127.0.0.1", "localhost", "::1")

END_S = 2
"""Seconds that an active request may take after the server begins to stop."""

HEAD_BYTES = 32 << 10
FRAME_BYTES = 128 << 10
"""Maximum bytes of a WebSocket message."""


def parse_address(address: str) -> tuple[str, int]:
    """Parse `127.0.0.1:8766` or `8766` into host and port.

    Raises:
        BadArgument: It is not an address of this machine.
    """
    host, _, port = address.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if host not in HOSTS or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise BadArgument(
            f"{address[:80]!r} is not an address of this machine such as 127.0.0.1:8766.", argument="http"
        )
    return host, int(port)


def server_of(app: ASGIApp) -> uvicorn.Server:
    """Return a uvicorn server with limits, which does not reveal its software; start it with `serve`."""
    import uvicorn

    from gaia_email.interfaces.http.connection import HEAD_S, BoundedConnection, BoundedSocket

    config = uvicorn.Config(
        app,
        http=BoundedConnection,
        ws=BoundedSocket,
        ws_max_size=FRAME_BYTES,
        ws_max_queue=8,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        ws_per_message_deflate=False,
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=HEAD_S,
        timeout_graceful_shutdown=END_S,
        h11_max_incomplete_event_size=HEAD_BYTES,
    )
    return _server_that_closes_all(config)


def _server_that_closes_all(config: uvicorn.Config) -> uvicorn.Server:
    import uvicorn

    class _Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            """Shut down as uvicorn does, then close connections that did not end within `END_S`."""
            await super().shutdown(sockets)
            for connection in list(self.server_state.connections):
                connection.transport.abort()
            await asyncio.sleep(0)

    return _Server(config)


async def serve_app(app: ASGIApp, host: str, port: int) -> None:
    """Serve until cancelled, or until SIGTERM, which exits with status 0."""
    server = server_of(app)
    server.config.host, server.config.port = host, port
    # uvicorn closes open connections on SIGTERM and then raises the signal again.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))
    await server.serve()
