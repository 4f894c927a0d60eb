"""HTTP to Google: one connection pool, gzip, time limits. Entry: `Wire`."""

from __future__ import annotations

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

    def __init__(self, *, read_s: float = READ_S, most: int = MOST_ANSWERED) -> None:
        self._read_s = read_s
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
            async with self._opened().stream(method, url, headers=headers, content=body) as response:
                async for piece in response.aiter_bytes():
                    pieces.append(piece)
                    size += len(piece)
                    if size > self._most:
                        raise TooLarge
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout):
            raise LostConnection(sent=False) from None
        except httpx2.HTTPError:
            raise LostConnection(sent=True) from None
        names = {name.lower(): value for name, value in response.headers.items()}
        return Answer(status=response.status_code, headers=names, body=b"".join(pieces))

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
                headers={"User-Agent": AGENT},
                timeout=httpx2.Timeout(self._read_s, connect=CONNECT_S),
                limits=httpx2.Limits(max_connections=CONNECTIONS, keepalive_expiry=120.0),
            )
        return self._client
