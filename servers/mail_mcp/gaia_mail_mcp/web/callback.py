"""Waits on loopback for an OAuth provider to redirect the browser (RFC 8252 §7.3). Entry: `OAuthCallback`."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import html
from urllib.parse import parse_qs, urlsplit

from gaia_email_registry.errors import BadArgument, NeedsAuth
from gaia_mail_mcp.web.provider import ProviderNames

PATH = "/oauth2callback"
LOOPBACK = ("127.0.0.1", "::1", "localhost")
_MOST_LINES = 100
_LAST_PAGE_S = 1.0
"""Seconds for the browser to load the final page."""


class OAuthCallback:
    """Serves one page to the browser that returns `state`; refuses all other requests.

    Args:
        url: Redirect URL: `http` on a loopback host. Port 0 or no port uses a free one.
        state: Secret that only the opened page knows.
        provider: Provider that redirects the browser.
    """

    def __init__(self, url: str, state: str, provider: ProviderNames) -> None:
        parts = urlsplit(url)
        try:
            port = parts.port or 0
        except ValueError:
            port = -1
        if parts.scheme != "http" or parts.hostname not in LOOPBACK or port < 0:
            raise BadArgument(
                f"The callback must be on this machine, as in http://localhost:3000{PATH}, not {url[:100]!r}.",
                argument="callback-url",
            )
        self._host, self._port, self._path = parts.hostname, port, parts.path or PATH
        self._state, self._provider = state, provider
        self._server: asyncio.Server | None = None
        self._visits: set[asyncio.Task[None]] = set()
        self._code: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def start(self) -> str:
        """Start listening; return the redirect URL for the provider.

        Raises:
            BadArgument: The port is in use.
        """
        address = "127.0.0.1" if self._host == "localhost" else self._host
        try:
            self._server = await asyncio.start_server(self._answer, address, self._port, limit=16_384)
        except OSError as error:
            raise BadArgument(
                f"Port {self._port} cannot be listened on ({error.strerror}); name another one in the callback URL.",
                argument="callback-url",
            ) from None
        port = self._server.sockets[0].getsockname()[1]
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{port}{self._path}"

    async def code(self, timeout_s: float) -> str:
        """Return the authorization code.

        Raises:
            NeedsAuth: The user declined, or the browser did not return in time.
        """
        try:
            return await asyncio.wait_for(self._code, timeout_s)
        except TimeoutError:
            raise NeedsAuth(
                f"Nobody came back from {self._provider.company}'s page in time; run the command again."
            ) from None

    async def aclose(self) -> None:
        """Stop listening, without waiting for a browser that keeps its connection open."""
        if self._server is None:
            return
        self._server.close()
        if self._code.done() and self._visits:
            await asyncio.wait(self._visits, timeout=_LAST_PAGE_S)
        for visit in self._visits:
            visit.cancel()
        await asyncio.gather(*self._visits, return_exceptions=True)
        await self._server.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visit = asyncio.current_task()
        if visit is not None:
            self._visits.add(visit)
            visit.add_done_callback(self._visits.discard)
        try:
            await self._serve(reader, writer)
        finally:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, ValueError, UnicodeError):
            method, target, _ = (await reader.readline()).decode("ascii").split(" ", 2)
            for _ in range(_MOST_LINES):
                if await reader.readline() in (b"\r\n", b""):
                    break
            status, text = self._settle(method, target)
            writer.write(_page(status, text))
            await writer.drain()

    def _settle(self, method: str, target: str) -> tuple[str, str]:
        """Handle the browser's request; return the status and text of the page."""
        parts = urlsplit(target)
        given = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if method != "GET" or parts.path != self._path:
            return "404 Not Found", "There is nothing here."
        if not hmac.compare_digest(given.get("state", "").encode(), self._state.encode()):
            return (
                "400 Bad Request",
                "This is not the answer that was waited for. Start again where you came from.",
            )
        if self._code.done():
            return "400 Bad Request", "This was answered already."
        if "code" in given:
            self._code.set_result(given["code"])
            company = self._provider.company
            return "200 OK", f"{company} agreed. You can close this page and go back to where you came from."
        reason = given.get("error", "no reason given")
        self._code.set_exception(
            NeedsAuth(f"{self._provider.company} did not allow it ({reason[:60]!r}); nothing was changed.")
        )
        return "200 OK", f"{self._provider.service} was not connected. You can close this page."


def _page(status: str, text: str) -> bytes:
    body = f"<!doctype html><meta charset=utf-8><title>gaia-email</title><p>{html.escape(text)}".encode()
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
        "Content-Security-Policy: default-src 'none'\r\nReferrer-Policy: no-referrer\r\n"
        "Cache-Control: no-store\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
