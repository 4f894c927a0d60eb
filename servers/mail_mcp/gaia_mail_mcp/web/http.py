"""HTTP client for web providers, on httpx2: kept connections, gzip, limits on time and size. Entry: `HttpClient`.

Redirects are returned, not followed: a login goes only to the host it is meant for. Cookies are not kept. Proxies and
trusted certificates come from the environment.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
import zlib
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaia_email_registry.egress.flow import reason
from gaia_email_registry.errors import ProviderError

if TYPE_CHECKING:
    import httpx2

    from gaia_email_registry.egress.rows import Why

AGENT = "gaia-email (gzip)"
"""Google compresses only if the agent contains gzip (https://developers.google.com/gmail/api/guides/performance)."""

CONNECT_S = 10.0
READ_S = 60.0
WHOLE_S = 600.0
"""Seconds for a whole exchange: a server that sends a byte now and then must not block us forever."""
FIRST_READ_S = 15.0
"""Like `READ_S`, until the server has answered for the first time."""

UNREACHABLE_S, REST_S = 10.0, 30.0
"""Seconds of failures after which a server counts as unreachable, and seconds for which it is then left alone.

Otherwise, each of many calls in a row would wait for the same dead server through all its tries.
"""

KEPT_S = 120.0
"""Seconds of idle time after which a connection is not reused; servers close them later than that."""
CONNECTIONS = 8

MOST_ANSWERED = 100_000_000
"""Most bytes of a response, uncompressed: more than a message of the largest accepted size, 50 MB in base64."""

PIECE = 65_536
"""Bytes of a body sent at once: the timeout applies to each piece, so that a slow upload can finish."""

_ALWAYS = {"User-Agent": AGENT, "Accept": "*/*", "Accept-Encoding": "gzip"}


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpResponse:
    """A response with its body uncompressed; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class LostConnection(ProviderError):
    """The network failed; if `sent`, the provider may have carried out the call.

    If `is_final`, the provider is unreachable and another try now is useless.
    """

    def __init__(self, company: str, *, sent: bool, is_final: bool = False) -> None:
        super().__init__(f"The connection to {company} broke; check the network and try again.")
        self.sent = sent
        self.is_final = is_final


class ResponseTooLarge(ProviderError):
    """A response was larger than allowed; a request for fewer messages may succeed."""

    def __init__(self, company: str, most: int) -> None:
        super().__init__(
            f"{company}'s answer is larger than {max(most // 1_000_000, 1)} MB; ask for fewer messages at once."
        )


class HttpClient:
    """Opens connections on first use; must not be shared between event loops.

    Args:
        company: Name of the provider in messages.
        read_s: Seconds without progress.
        whole_s: Seconds for a whole exchange.
        most: Most bytes of a response, uncompressed.
        why: Purpose of the connections in the egress ledger.
        account: Account in the egress ledger.
        clock: Monotonic clock, in seconds.
    """

    def __init__(
        self,
        company: str,
        *,
        read_s: float = READ_S,
        whole_s: float = WHOLE_S,
        most: int = MOST_ANSWERED,
        why: Why = "mail",
        account: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.company = company
        self._why: Why = why
        self._account = account
        self._read_s, self._whole_s, self._most = read_s, whole_s, most
        self._client: httpx2.AsyncClient | None = None
        self._clock = clock
        self._has_answered = False
        self._failing_since: float | None = None
        self._rests_until = -math.inf

    async def send(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None
    ) -> HttpResponse:
        """Send a request and return the response; redirects are not followed.

        Raises:
            LostConnection: The response did not arrive completely.
            ResponseTooLarge: The response is larger than allowed.
            ProviderError: The request is invalid.
        """
        import httpx2

        began = self._clock()
        if began < self._rests_until:
            raise LostConnection(self.company, sent=False, is_final=True)
        try:
            async with asyncio.timeout(self._whole_s):
                answer = await self._exchange(method, url, headers, body)
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout):
            raise LostConnection(self.company, sent=False, is_final=self._is_unreachable(began)) from None
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol, httpx2.LocalProtocolError, UnicodeError):
            raise ProviderError(f"The request cannot be sent to {self.company}: it is invalid.") from None
        except (httpx2.HTTPError, TimeoutError):
            is_final = not self._has_answered and self._is_unreachable(began)
            raise LostConnection(self.company, sent=True, is_final=is_final) from None
        self._has_answered, self._failing_since = True, None
        return answer

    def _is_unreachable(self, began: float) -> bool:
        """Record a failed exchange; return True if the server counts as unreachable and is left alone for a while."""
        now = self._clock()
        if self._failing_since is None:
            self._failing_since = began
        if now - self._failing_since < UNREACHABLE_S:
            return False
        self._rests_until = now + REST_S
        return True

    async def post_form(self, url: str, form: bytes) -> HttpResponse:
        """POST a form to the token endpoint.

        Raises:
            LostConnection: The response did not arrive completely.
        """
        with reason("sign-in"):
            return await self.send("POST", url, {"Content-Type": "application/x-www-form-urlencoded"}, form)

    async def get_body(self, url: str) -> bytes:
        """Return the body at a URL that needs no login.

        Raises:
            ProviderError: The status is not 200.
        """
        answer = await self.send("GET", url, {}, None)
        if answer.status != 200:
            raise ProviderError(
                f"{self.company} does not answer as it should ({answer.status}); try again later."
            )
        return answer.body

    async def aclose(self) -> None:
        """Close the connections; the next call opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _exchange(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None
    ) -> HttpResponse:
        pieces: list[bytes] = []
        size = 0
        content: bytes | AsyncIterator[bytes] | None = body
        if body is not None and len(body) > PIECE:
            headers = {**headers, "Content-Length": str(len(body))}
            content = _in_pieces(body)
        client = self._open()
        async with client.stream(
            method, url, headers=headers, content=content, timeout=self.timeout()
        ) as response:
            if int(response.headers.get("content-length") or 0) > self._most:
                raise ResponseTooLarge(self.company, self._most)
            async for piece in response.aiter_raw():
                size += len(piece)
                if size > self._most:
                    raise ResponseTooLarge(self.company, self._most)
                pieces.append(piece)
        named = {name.lower(): value for name, value in response.headers.items()}
        try:
            unpacked = _decompress(b"".join(pieces), named.get("content-encoding", ""), self._most)
        except ValueError:
            raise LostConnection(self.company, sent=True) from None
        if len(unpacked) > self._most:
            raise ResponseTooLarge(self.company, self._most)
        return HttpResponse(status=response.status_code, headers=named, body=unpacked)

    def timeout(self) -> httpx2.Timeout:
        """Return the timeouts of the next exchange, which are shorter until the server has answered once."""
        import httpx2

        read_s = self._read_s if self._has_answered else min(self._read_s, FIRST_READ_S)
        return httpx2.Timeout(self._read_s, connect=CONNECT_S, read=read_s, pool=None)

    def _open(self) -> httpx2.AsyncClient:
        if self._client is None:
            from http.cookiejar import CookieJar, DefaultCookiePolicy

            import httpx2

            from gaia_email_registry.egress.http import open_client

            for name in ("httpx2", "httpcore2"):  # they log URLs, which may contain tokens
                logging.getLogger(name).setLevel(logging.WARNING)
            self._client = open_client(
                self._why,
                self._account,
                headers=_ALWAYS,
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
                timeout=httpx2.Timeout(self._read_s, connect=CONNECT_S, pool=None),
                limits=httpx2.Limits(
                    max_connections=CONNECTIONS,
                    max_keepalive_connections=CONNECTIONS,
                    keepalive_expiry=KEPT_S,
                ),
            )
        return self._client


async def _in_pieces(body: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(body), PIECE):
        yield body[start : start + PIECE]


def _decompress(body: bytes, coding: str, most: int) -> bytes:
    """Uncompress a body (RFC 9110 §8.4.1), up to one byte more than `most`.

    httpx2 accepts a truncated gzip body or an unknown coding as complete; here that is an error.

    Raises:
        ValueError: The body is damaged, truncated, or has a coding that was not requested.
    """
    coding = coding.strip().lower()
    if not body or coding in ("", "identity"):
        return body
    if coding not in ("gzip", "x-gzip"):
        raise ValueError("an unknown content coding")
    pieces: list[bytes] = []
    left = most + 1
    while body and left:
        unpacking = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            piece = unpacking.decompress(body, left)
        except zlib.error:
            raise ValueError("damaged gzip") from None
        left -= len(piece)
        if left and not unpacking.eof:
            raise ValueError("cut gzip")
        pieces.append(piece)
        body = unpacking.unused_data  # gzip may have several members (RFC 1952 §2.2)
    return b"".join(pieces)
