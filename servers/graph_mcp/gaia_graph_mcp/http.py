"""HTTP on httpx2: one exchange at a time, bounded, without redirects or cookies. Entry: `GraphHttpClient`.

It stands here by itself until every web provider shares one client; nothing else here knows httpx2.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaia_email_registry.errors import ProviderError

if TYPE_CHECKING:
    import httpx2

CONNECT_S = 10.0
READ_S = 60.0
WHOLE_S = 600.0
"""For a whole exchange: a server that sends a byte now and then must not hold us for ever."""

MOST_ANSWERED = 250_000_000
"""Bytes of an answer: a message of 150 MB, the largest that Exchange takes, in base64."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphResponse:
    """One HTTP answer, its body unpacked; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class GraphConnectionLost(ProviderError):
    """The network broke; `sent` says that the provider may have carried out the call."""

    def __init__(self, *, sent: bool) -> None:
        super().__init__("The connection to Microsoft broke; check the network and try again.")
        self.sent = sent


class GraphHttpClient:
    """Opens its connections when first used; not shared between event loops.

    Args:
        most: Bytes of an answer, unpacked.
        account: Whose connections they are, in the egress ledger.
    """

    def __init__(self, most: int = MOST_ANSWERED, *, account: str = "") -> None:
        self._most, self._account = most, account
        self._client: httpx2.AsyncClient | None = None

    async def send(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None
    ) -> GraphResponse:
        """One exchange; a redirect is an answer like any other.

        Raises:
            GraphConnectionLost: There was no whole answer.
            ProviderError: The answer is too large, or what was to be sent cannot be.
        """
        import httpx2

        try:
            async with asyncio.timeout(WHOLE_S):
                return await self._exchanged(method, url, headers, body)
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout):
            raise GraphConnectionLost(sent=False) from None
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol, httpx2.LocalProtocolError, UnicodeError):
            raise ProviderError("That cannot be sent to Microsoft: it holds what no request can.") from None
        except (httpx2.HTTPError, TimeoutError):
            raise GraphConnectionLost(sent=True) from None

    async def aclose(self) -> None:
        """Close the connections; the next call opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _exchanged(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None
    ) -> GraphResponse:
        pieces: list[bytes] = []
        size = 0
        async with self._opened().stream(method, url, headers=dict(headers), content=body) as response:
            async for piece in response.aiter_bytes():
                size += len(piece)
                if size > self._most:
                    raise ProviderError("Microsoft's answer is too large; ask for fewer messages at once.")
                pieces.append(piece)
        named = {name.lower(): value for name, value in response.headers.items()}
        return GraphResponse(status=response.status_code, headers=named, body=b"".join(pieces))

    def _opened(self) -> httpx2.AsyncClient:
        if self._client is None:
            from http.cookiejar import CookieJar, DefaultCookiePolicy

            import httpx2

            from gaia_email_registry.egress.http import counted

            for name in ("httpx2", "httpcore2"):  # they log addresses, and those of links carry tokens
                logging.getLogger(name).setLevel(logging.WARNING)
            client = httpx2.AsyncClient(
                headers={"Accept": "*/*", "Accept-Encoding": "gzip"},
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
                timeout=httpx2.Timeout(READ_S, connect=CONNECT_S, pool=None),
                follow_redirects=False,
            )
            self._client = counted(client, "mail", self._account)
        return self._client
