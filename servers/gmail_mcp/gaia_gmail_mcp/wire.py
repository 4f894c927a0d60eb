"""HTTP to Google: one connection pool, gzip, limits of time and size. Entry: `Wire`."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from gaia_email_registry.errors import ProviderError
from gaia_gmail_mcp.batch import Answer

if TYPE_CHECKING:
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


class Wire:
    """Opens its connections when first used."""

    def __init__(
        self, *, read_s: float = READ_S, whole_s: float = WHOLE_S, most: int = MOST_ANSWERED
    ) -> None:
        self._read_s, self._whole_s = read_s, whole_s
        self._most = most
        self._client: httpx2.AsyncClient | None = None

    async def send(self, method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> Answer:
        """One exchange.

        Raises:
            LostConnection: There was no whole answer.
            TooLarge: It is larger than anything Gmail has to say.
        """
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
        content = unpacked(b"".join(pieces), names.get("content-encoding", ""), self._most)
        return Answer(status=response.status_code, headers=names, body=content)

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

    def _opened(self) -> httpx2.AsyncClient:
        if self._client is None:
            import httpx2

            self._client = httpx2.AsyncClient(
                headers={"User-Agent": AGENT, "Accept-Encoding": "gzip"},
                timeout=httpx2.Timeout(self._read_s, connect=CONNECT_S),
                limits=httpx2.Limits(max_connections=CONNECTIONS, keepalive_expiry=120.0),
            )
        return self._client


def unpacked(body: bytes, encoding: str, most: int) -> bytes:
    """A body as it was before it was compressed (RFC 9110 §8.4.1), never made larger than `most` meanwhile.

    Raises:
        TooLarge: It would be.
        LostConnection: It is damaged, or compressed as nobody asked for.
    """
    if encoding.strip().lower() in ("", "identity"):
        return body
    if encoding.strip().lower() not in ("gzip", "x-gzip"):
        raise LostConnection(sent=True)
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        content = unpacker.decompress(body, most + 1)
    except zlib.error:
        raise LostConnection(sent=True) from None
    if len(content) > most:
        raise TooLarge
    if body and not unpacker.eof:
        raise LostConnection(sent=True)
    return content
