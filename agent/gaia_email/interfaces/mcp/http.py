"""The agent's server over streamable HTTP on this machine. Entries: `serve_http`, `http_app`.

Answers only requests that name this machine as their host, come from no foreign page (DNS rebinding) and bring the
bearer token, which every other user and program of the machine lacks.
"""

from __future__ import annotations

import hmac
import secrets
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.paths import ensure_private_directory, home
from gaia_email_registry.private_file import locked, open_to_others, write_private

if TYPE_CHECKING:
    from fastmcp import FastMCP
    from starlette.types import ASGIApp, Receive, Scope, Send

HOSTS = ("127.0.0.1", "localhost", "::1")
SHORTEST_TOKEN = 20


async def serve_http(app: App, server: FastMCP[None], address: str) -> None:
    """Streamable HTTP on `/mcp` until cancelled.

    Raises:
        BadArgument: The address is not of this machine, or the token cannot be kept private.
    """
    import uvicorn

    host, port = parse_address(address)
    guarded = http_app(server, token_in_file(token_file(app.environ)))
    shown = f"[{host}]" if ":" in host else host
    sys.stderr.write(
        f"{server.name}: http://{shown}:{port}/mcp, for clients with the bearer token in {token_file(app.environ)}\n"
    )
    config = uvicorn.Config(
        guarded, host=host, port=port, log_level="warning", lifespan="on", timeout_graceful_shutdown=2
    )
    # uvicorn closes what is open at a SIGTERM, and then raises it once more.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))
    await uvicorn.Server(config).serve()


def parse_address(address: str) -> tuple[str, int]:
    """`127.0.0.1:8766` or `8766` in its parts.

    Raises:
        BadArgument: It is no address of this machine.
    """
    host, _, port = address.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if host not in HOSTS or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise BadArgument(
            f"{address[:80]!r} is not an address of this machine such as 127.0.0.1:8766.", argument="http"
        )
    return host, int(port)


def http_app(server: FastMCP[None], token: str) -> ASGIApp:
    """The guarded application."""
    return _RequireToken(server.http_app(path="/mcp", host_origin_protection=True), token)


def token_file(environ: Mapping[str, str]) -> Path:
    """Where the bearer token is kept."""
    return home(environ) / "email" / "agent-http-token"


def token_in_file(path: Path) -> str:
    """The token in that file, which only its owner may read; made where there is none.

    Raises:
        BadArgument: Others may read it, it cannot be made, or what it holds could be guessed.
    """
    try:
        ensure_private_directory(path.parent)
        with locked(path):
            if not path.exists():
                write_private(path, f"{secrets.token_urlsafe(32)}\n".encode())
            token = "" if open_to_others(path) else path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadArgument(f"The token file {path} cannot be used: {error}.") from None
    if len(token) < SHORTEST_TOKEN:
        raise BadArgument(
            f"{path} holds no secret: others may read it, or it could be guessed.",
            hint=f"remove {path}; the next start makes a new one.",
        )
    return token


class _RequireToken:
    """Lets nothing through without the bearer token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            given = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(given, self._wanted):
                await send(
                    {
                        "type": "http.response.start",
                        "status": 401,
                        "headers": [(b"www-authenticate", b"Bearer"), (b"content-length", b"0")],
                    }
                )
                await send({"type": "http.response.body", "body": b""})
                return
        await self._app(scope, receive, send)
