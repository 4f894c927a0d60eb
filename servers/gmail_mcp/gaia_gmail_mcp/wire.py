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


class LostConnection(ProviderError):
    """The network broke; `sent` says that Google may have carried out the call."""

    def __init__(self, *, sent: bool) -> None:
        super().__init__("The connection to Google broke; check the network and try again.")
        self.sent = sent


class Wire:
    """Opens its connections when first used."""

    def __init__(self, *, read_s: float = READ_S) -> None:
        self._read_s = read_s
        self._client: httpx2.AsyncClient | None = None

    async def send(self, method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> Answer:
        """One exchange.

        Raises:
            LostConnection: There was no whole answer.
        """
        import httpx2

        try:
            response = await self._opened().request(method, url, headers=headers, content=body)
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout):
            raise LostConnection(sent=False) from None
        except httpx2.HTTPError:
            raise LostConnection(sent=True) from None
        names = {name.lower(): value for name, value in response.headers.items()}
        return Answer(status=response.status_code, headers=names, body=response.content)

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
