"""Limits on a request, checked before anything in it is trusted. Entry points: `check_request`, `whole_body`.

A browser on this machine runs untrusted pages: a page can point its own host name at this machine (DNS rebinding), and
pages from other ports of this host count as the same site. So Host and Origin must name exactly this server. A body is
read completely, within limits of size and time, before the application sees any part.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote_to_bytes

from gaia_email.interfaces.http.refusal import HttpRefusal

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"})
"""Accepted methods.

OPTIONS is not included: a browser's preflight request from a page of another origin (Fetch, 4.8) is refused because of
its origin, and our own pages never send one.
"""

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
ONCE = (b"host", b"content-length", b"transfer-encoding", b"authorization", b"origin", b"content-type")
"""Headers that may occur at most once in a request; programs disagree on how to read duplicates."""

_DEFAULT_PORTS = {"http": 80, "https": 443}
_PLAIN = re.compile(rb"[!\"$-~]*")
"""Visible ASCII except #, which browsers never send."""
_STILL_ENCODED = re.compile(rb"%[0-9A-Fa-f]{2}")


class ClientLeft(Exception):
    """The connection was closed before the whole request arrived."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpLimits:
    """The limits on one request.

    Attributes:
        body: Maximum bytes of the body.
        body_s: Seconds until the whole body must have arrived.
        headers: Maximum number of headers.
        header_bytes: Maximum bytes of all header names and values.
        path: Maximum bytes of the raw path.
        query: Maximum bytes of the query string.
    """

    body: int = 1 << 20
    body_s: float = 15.0
    headers: int = 64
    header_bytes: int = 16 << 10
    path: int = 2048
    query: int = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedAt:
    """The names under which a server can be addressed.

    Attributes:
        hosts: Host headers that name the server, in lower case: `127.0.0.1:8767`.
        scheme: The scheme of its pages.
    """

    hosts: frozenset[str]
    scheme: Literal["http", "https"] = "http"

    @staticmethod
    def on(
        port: int, names: Iterable[str] = LOOPBACK, *, scheme: Literal["http", "https"] = "http"
    ) -> ServedAt:
        """Return the names of a server that listens on a port.

        Args:
            port: The port.
            names: Its host names; IPv6 addresses in brackets.
            scheme: The scheme of its pages.
        """
        names = [name.lower() for name in names]
        hosts = {f"{name}:{port}" for name in names}
        if port == _DEFAULT_PORTS[scheme]:
            hosts.update(names)
        return ServedAt(hosts=frozenset(hosts), scheme=scheme)

    @staticmethod
    def on_socket() -> ServedAt:
        """Return the name of a server on a Unix socket; clients choose the host, and curl is used with `localhost`."""
        return ServedAt(hosts=frozenset({"localhost"}))


def header_values(scope: Scope, name: bytes) -> list[bytes]:
    """Return every value of a header, in order."""
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    return [value for given, value in headers if given.lower() == name]


def check_request(
    scope: Scope, served: ServedAt, limits: HttpLimits, methods_of: Callable[[str], Collection[str]]
) -> None:
    """Check everything except the body; `methods_of` returns the methods that a path accepts.

    Raises:
        HttpRefusal: The request is refused, and the connection is closed.
    """
    if scope.get("http_version", "1.1") not in ("1.0", "1.1"):
        raise _refused(505, "bad_version", "Only HTTP/1.0 and HTTP/1.1 are supported.")
    _check_headers(scope, limits)
    _check_host(scope, served)
    _check_origin(scope, served)
    if scope["method"] not in METHODS:
        raise HttpRefusal(
            405,
            "bad_method",
            "This method is not supported.",
            headers={"allow": ", ".join(sorted(methods_of(scope["path"])))},
            closes=True,
        )
    _check_path(scope, limits)


async def whole_body(scope: Scope, receive: Receive, limits: HttpLimits) -> Receive:
    """Read the whole body; return the replacement for `receive` to pass to the application.

    Raises:
        HttpRefusal: The body is too long or too slow.
        ClientLeft: The client has disconnected.
    """
    length = _length(scope)
    if length is not None and length > limits.body:
        raise _too_long(limits)
    if not length and not header_values(scope, b"transfer-encoding"):
        return receive
    try:
        async with asyncio.timeout(limits.body_s):
            body = await _read(receive, limits)
    except TimeoutError:
        raise _refused(408, "too_slow", f"The body did not arrive within {limits.body_s:g} s.") from None
    given = False

    async def receive_again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again


async def _read(receive: Receive, limits: HttpLimits) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientLeft
        body += message.get("body", b"")
        if len(body) > limits.body:
            raise _too_long(limits)
        if not message.get("more_body", False):
            return bytes(body)


def _length(scope: Scope) -> int | None:
    values = header_values(scope, b"content-length")
    if not values:
        return None
    if not re.fullmatch(rb"[0-9]{1,18}", values[0]):
        raise _refused(400, "bad_header", "Content-Length must be a number of bytes.")
    return int(values[0])


def _check_headers(scope: Scope, limits: HttpLimits) -> None:
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    if len(headers) > limits.headers or sum(len(name) + len(value) for name, value in headers) > (
        limits.header_bytes
    ):
        raise _refused(431, "too_large", "There are too many headers, or they are too long.")
    names = [name.lower() for name, _ in headers]
    for name in ONCE:
        if names.count(name) > 1:
            raise _refused(400, "bad_header", f"There is more than one {name.decode()} header.")
    if b"content-length" in names and b"transfer-encoding" in names:
        raise _refused(400, "bad_header", "A request has Content-Length or Transfer-Encoding, not both.")
    if header_values(scope, b"transfer-encoding") not in ([], [b"chunked"]):
        raise _refused(400, "bad_header", "The only transfer coding that is supported is chunked.")


def _check_host(scope: Scope, served: ServedAt) -> None:
    if _host(scope) not in served.hosts:
        raise _refused(
            421,
            "wrong_host",
            "The Host header names another server.",
            hint="use the address that it printed.",
        )


def _host(scope: Scope) -> str:
    values = header_values(scope, b"host")
    return values[0].decode("latin-1").lower() if values else ""


def _check_origin(scope: Scope, served: ServedAt) -> None:
    origins = header_values(scope, b"origin")
    ours = f"{served.scheme}://{_host(scope)}"
    site = header_values(scope, b"sec-fetch-site")
    is_link = (
        scope["method"] in ("GET", "HEAD")
        and header_values(scope, b"sec-fetch-mode") == [b"navigate"]
        and header_values(scope, b"sec-fetch-dest") in ([], [b"document"])
    )
    foreign = site not in ([], [b"same-origin"], [b"none"]) and not is_link
    if foreign or (origins and origins[0].decode("latin-1").lower() != ours):
        raise _refused(403, "wrong_origin", "The request comes from a page of another origin.")


def _check_path(scope: Scope, limits: HttpLimits) -> None:
    raw: bytes = scope.get("raw_path") or scope["path"].encode("utf-8", "surrogateescape")
    query: bytes = scope.get("query_string", b"")
    if len(raw) > limits.path or len(query) > limits.query:
        raise _refused(414, "too_long", "The address is too long.")
    path = unquote_to_bytes(raw)
    parts = path.split(b"/")
    if (
        not raw.startswith(b"/")
        or not _PLAIN.fullmatch(raw)
        or not _PLAIN.fullmatch(query)
        or b"%2f" in raw.lower()
        or b"\\" in path
        or any(byte < 0x20 or byte == 0x7F for byte in path)
        or b"" in parts[1:-1]
        or b"." in parts
        or b".." in parts
        or _STILL_ENCODED.search(path)
    ):
        raise _refused(400, "bad_path", "The path is malformed or ambiguous.")


def _too_long(limits: HttpLimits) -> HttpRefusal:
    return _refused(413, "too_large", f"The body is longer than {limits.body:,} bytes.")


def _refused(status: int, code: str, message: str, *, hint: str = "") -> HttpRefusal:
    return HttpRefusal(status, code, message, hint=hint, closes=True)
