"""HTTP for web providers, on httpx2: kept connections, gzip, and bounds on time and size. Entry: `HttpClient`.

Redirects are answers like any other: a login goes to the host it was meant for and to no other. Cookies are not kept.
Proxies and trusted certificates are those of the environment.
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
"""Google compresses only for agents that say gzip (https://developers.google.com/gmail/api/guides/performance)."""

CONNECT_S = 10.0
READ_S = 60.0
WHOLE_S = 600.0
"""For a whole exchange: a server that sends a byte now and then must not hold us for ever."""
FIRST_READ_S = 15.0
"""As `READ_S`, until a server has answered anything at all."""

UNREACHABLE_S, REST_S = 10.0, 30.0
"""Seconds of failing without any answer after which a server counts as out of reach, and seconds in which it is not
tried then. Otherwise each of many calls in a row would wait for the same dead server through all of its tries."""

KEPT_S = 120.0
"""Seconds without an exchange after which a connection is not used again; servers close them later."""
CONNECTIONS = 8

MOST_ANSWERED = 100_000_000
"""Bytes of an answer, unpacked: more than one message of the largest kind that providers take in (50 MB, base64)."""

PIECE = 65_536
"""Bytes of a body sent at once: the time limit is for a piece, so a slow upload that moves is waited for."""

_ALWAYS = {"User-Agent": AGENT, "Accept": "*/*", "Accept-Encoding": "gzip"}


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpResponse:
    """One HTTP answer, its body unpacked; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class LostConnection(ProviderError):
    """The network broke; `sent` says that the provider may have carried out the call.

    `is_final`: the provider is out of reach, so that another try now is of no use.
    """

    def __init__(self, company: str, *, sent: bool, is_final: bool = False) -> None:
        super().__init__(f"The connection to {company} broke; check the network and try again.")
        self.sent = sent
        self.is_final = is_final


class ResponseTooLarge(ProviderError):
    """An answer was larger than was allowed; of fewer messages it may be small enough."""

    def __init__(self, company: str, most: int) -> None:
        super().__init__(
            f"{company}'s answer is larger than {max(most // 1_000_000, 1)} MB; ask for fewer messages at once."
        )


class HttpClient:
    """Opens its connections when first used; not shared between event loops.

    Args:
        company: Who is talked to, for messages.
        read_s: Seconds in which nothing moves.
        whole_s: Seconds for a whole exchange.
        most: Bytes of an answer, unpacked.
        why: What its connections are for, in the egress ledger.
        account: Whose they are, there.
        clock: Seconds; monotonic.
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
        """One exchange; a redirect is not followed.

        Raises:
            LostConnection: There was no whole answer.
            ResponseTooLarge: The answer is larger than was allowed.
            ProviderError: What was to be sent cannot be.
        """
        import httpx2

        began = self._clock()
        if began < self._rests_until:
            raise LostConnection(self.company, sent=False, is_final=True)
        try:
            async with asyncio.timeout(self._whole_s):
                answer = await self._exchanged(method, url, headers, body)
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout):
            raise LostConnection(self.company, sent=False, is_final=self._is_unreachable(began)) from None
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol, httpx2.LocalProtocolError, UnicodeError):
            raise ProviderError(
                f"That cannot be sent to {self.company}: it holds what no request can."
            ) from None
        except (httpx2.HTTPError, TimeoutError):
            is_final = not self._has_answered and self._is_unreachable(began)
            raise LostConnection(self.company, sent=True, is_final=is_final) from None
        self._has_answered, self._failing_since = True, None
        return answer

    def _is_unreachable(self, began: float) -> bool:
        """Note a failed exchange; whether the server has not answered for so long that it is left alone now."""
        now = self._clock()
        if self._failing_since is None:
            self._failing_since = began
        if now - self._failing_since < UNREACHABLE_S:
            return False
        self._rests_until = now + REST_S
        return True

    async def post_form(self, url: str, form: bytes) -> HttpResponse:
        """POST a form, for the token endpoint.

        Raises:
            LostConnection: There was no whole answer.
        """
        with reason("sign-in"):
            return await self.send("POST", url, {"Content-Type": "application/x-www-form-urlencoded"}, form)

    async def get_body(self, url: str) -> bytes:
        """What is at a URL that takes no login.

        Raises:
            ProviderError: Nothing is.
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

    async def _exchanged(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None
    ) -> HttpResponse:
        pieces: list[bytes] = []
        size = 0
        content: bytes | AsyncIterator[bytes] | None = body
        if body is not None and len(body) > PIECE:
            headers = {**headers, "Content-Length": str(len(body))}
            content = _in_pieces(body)
        client = self._opened()
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
            unpacked = _unpacked(b"".join(pieces), named.get("content-encoding", ""), self._most)
        except ValueError:
            raise LostConnection(self.company, sent=True) from None
        if len(unpacked) > self._most:
            raise ResponseTooLarge(self.company, self._most)
        return HttpResponse(status=response.status_code, headers=named, body=unpacked)

    def timeout(self) -> httpx2.Timeout:
        """Return the limits of the next exchange: shorter until the server has answered once."""
        import httpx2

        read_s = self._read_s if self._has_answered else min(self._read_s, FIRST_READ_S)
        return httpx2.Timeout(self._read_s, connect=CONNECT_S, read=read_s, pool=None)

    def _opened(self) -> httpx2.AsyncClient:
        if self._client is None:
            from http.cookiejar import CookieJar, DefaultCookiePolicy

            import httpx2

            from gaia_email_registry.egress.http import open_client

            for name in ("httpx2", "httpcore2"):  # they log addresses, and those of links carry tokens
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


def _unpacked(body: bytes, coding: str, most: int) -> bytes:
    """A body before it was compressed (RFC 9110 §8.4.1), cut behind `most` bytes and one.

    httpx2 takes a gzip body that was cut, or an unknown coding, for a whole answer; here that is an error.

    Raises:
        ValueError: It is damaged or cut, or compressed as nobody asked for.
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
        body = unpacking.unused_data  # gzip may be in several parts (RFC 1952 §2.2)
    return b"".join(pieces)
