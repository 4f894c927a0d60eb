"""HTTP to Google: connections that are kept, gzip, time limits. Entry: `Wire`.

Without a proxy each exchange is made on the event loop itself (`connection.py`); through one, by httpx2, which knows
how to talk to proxies.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from gaia_email_registry.errors import ProviderError
from gaia_gmail_mcp.batch import Answer
from gaia_gmail_mcp.connection import KEPT_S, Broken, Connection, opened
from gaia_gmail_mcp.http1 import Oversized, Unreadable, unpacked, written

if TYPE_CHECKING:
    import ssl

    import httpx2

AGENT = "gaia-email (gzip)"
"""Google compresses only for agents that say gzip (https://developers.google.com/gmail/api/guides/performance)."""

CONNECT_S = 10.0
READ_S = 60.0
WHOLE_S = 600.0
"""For a whole exchange: a server that sends a byte now and then must not hold us for ever."""
CONNECTIONS = 8

MOST_ANSWERED = 100_000_000
"""Bytes of an answer, unpacked: more than one message of the largest kind that Gmail takes in (50 MB, base64)."""

_ALWAYS = {"User-Agent": AGENT, "Accept": "*/*", "Accept-Encoding": "gzip", "Connection": "keep-alive"}


class LostConnection(ProviderError):
    """The network broke; `sent` says that Google may have carried out the call."""

    def __init__(self, *, sent: bool) -> None:
        super().__init__("The connection to Google broke; check the network and try again.")
        self.sent = sent


class TooLarge(ProviderError):
    """An answer was larger than `MOST_ANSWERED`; of fewer messages it may be small enough."""

    def __init__(self) -> None:
        super().__init__(
            f"Google's answer is larger than {MOST_ANSWERED // 1_000_000} MB; ask for fewer messages at once."
        )


@dataclass(slots=True, kw_only=True)
class _Server:
    """One that is talked to."""

    host: str
    """As the Host header has it."""
    name: str
    port: int
    tls: ssl.SSLContext | None
    proxied: bool
    free: list[Connection] = field(default_factory=list[Connection])
    """Connections that wait for another exchange, the one used last at the end."""


class Wire:
    """Opens its connections when first used."""

    def __init__(
        self, *, read_s: float = READ_S, whole_s: float = WHOLE_S, most: int = MOST_ANSWERED
    ) -> None:
        self._read_s, self._whole_s = read_s, whole_s
        self._most = most
        self._servers: dict[str, _Server] = {}
        self._open: set[Connection] = set()
        self._gate = asyncio.Semaphore(CONNECTIONS)
        self._tls: ssl.SSLContext | None = None
        self._client: httpx2.AsyncClient | None = None

    async def send(self, method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> Answer:
        """One exchange.

        Raises:
            LostConnection: There was no whole answer.
            TooLarge: It is larger than anything Gmail has to say.
            ProviderError: What was to be sent cannot be.
        """
        path = url.find("/", url.find("://") + 3)
        root = url[:path]
        server = self._servers.get(root)
        if server is None:
            server = self._servers[root] = self._server(root)
        if server.proxied:
            return await self._sent_through_proxy(method, url, headers, body)
        try:
            request = written(method, server.host, url[path:], {**_ALWAYS, **headers}, body)
        except ValueError:
            raise ProviderError("That cannot be sent to Google: it holds what no request can.") from None
        async with self._gate:
            return await self._exchanged(server, request)

    async def post_form(self, url: str, form: bytes) -> Answer:
        """POST a form, for the token endpoint.

        Raises:
            LostConnection: There was no whole answer.
        """
        return await self.send("POST", url, {"Content-Type": "application/x-www-form-urlencoded"}, form)

    async def get_body(self, url: str) -> bytes:
        """What is at a URL that takes no login.

        Raises:
            ProviderError: Nothing is.
        """
        answer = await self.send("GET", url, {}, None)
        if answer.status != 200:
            raise ProviderError(f"Google does not answer as it should ({answer.status}); try again later.")
        return answer.body

    async def aclose(self) -> None:
        """Close the connections; the next call opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()
        for connection in self._open:
            connection.close()
        self._open.clear()
        self._servers.clear()
        await asyncio.sleep(0)  # closing takes a turn of the loop

    async def _exchanged(self, server: _Server, request: bytes) -> Answer:
        connection = await self._connected(server)
        try:
            async with asyncio.timeout(self._whole_s):
                return await connection.exchange(request)
        except Oversized:
            raise TooLarge from None
        except (Broken, Unreadable, TimeoutError):
            raise LostConnection(sent=True) from None
        finally:
            if connection.is_open:
                server.free.append(connection)
            else:
                self._open.discard(connection)

    async def _connected(self, server: _Server) -> Connection:
        """A kept connection, or a new one."""
        while server.free:
            connection = server.free.pop()
            if await connection.is_usable():
                return connection
            connection.close()
            self._open.discard(connection)
        try:
            async with asyncio.timeout(CONNECT_S):
                connection = await opened(
                    server.name, server.port, server.tls, read_s=self._read_s, most=self._most
                )
        except OSError:
            raise LostConnection(sent=False) from None
        self._open.add(connection)
        return connection

    async def _sent_through_proxy(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None
    ) -> Answer:
        import httpx2

        pieces: list[bytes] = []
        size = 0
        try:
            async with (
                asyncio.timeout(self._whole_s),
                self._opened().stream(method, url, headers=headers, content=body) as response,
            ):
                async for piece in response.aiter_raw():
                    pieces.append(piece)
                    size += len(piece)
                    if size > self._most:
                        raise TooLarge
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout):
            raise LostConnection(sent=False) from None
        except (httpx2.HTTPError, TimeoutError):
            raise LostConnection(sent=True) from None
        names = {name.lower(): value for name, value in response.headers.items()}
        try:
            whole = unpacked(b"".join(pieces), names.get("content-encoding", ""), self._most)
        except Oversized:
            raise TooLarge from None
        except Unreadable:
            raise LostConnection(sent=True) from None
        return Answer(status=response.status_code, headers=names, body=whole)

    def _opened(self) -> httpx2.AsyncClient:
        if self._client is None:
            import httpx2

            self._client = httpx2.AsyncClient(
                headers=_ALWAYS,
                timeout=httpx2.Timeout(self._read_s, connect=CONNECT_S),
                limits=httpx2.Limits(max_connections=CONNECTIONS, keepalive_expiry=KEPT_S),
            )
        return self._client

    def _server(self, root: str) -> _Server:
        """What a URL without its path says."""
        from urllib.request import getproxies, proxy_bypass

        parts = urlsplit(root)
        proxies = getproxies()
        tls = self._context() if parts.scheme == "https" else None
        return _Server(
            host=parts.netloc,
            name=parts.hostname or "",
            port=parts.port or (443 if tls is not None else 80),
            tls=tls,
            proxied=bool(proxies.get(parts.scheme) or proxies.get("all")) and not proxy_bypass(parts.netloc),
        )

    def _context(self) -> ssl.SSLContext:
        if self._tls is None:
            import httpx2

            self._tls = httpx2.create_ssl_context()  # whom it would trust through a proxy
            self._tls.set_alpn_protocols(["http/1.1"])
        return self._tls
