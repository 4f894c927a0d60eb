"""HTTP clients that record their connections in the egress ledger. Entries: `open_client`, `open_blocking_client`.

httpx2 takes a transport, and httpcore2 below it a network backend: the transports here put a counting backend below the
pools of httpcore2. The counts are those of HTTP, before encryption and after decryption. Trusted certificates and
proxies come from the environment.
"""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.request import getproxies, proxy_bypass

import httpcore2
import httpx2
from typing_extensions import override

from gaia_email_registry.egress.flow import Flow, start_flow
from gaia_email_registry.egress.rows import Why

LIMITS = httpx2.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=5.0)

Begin = Callable[[str, int], Flow]
"""Starts to count a connection to a host and port."""


def open_client(
    why: Why, account: str = "", *, limits: httpx2.Limits = LIMITS, **options: Any
) -> httpx2.AsyncClient:
    """Open a client that follows no redirects.

    Args:
        why: Purpose of its connections.
        account: Account of its connections.
        limits: Limits of its connections.
        options: Further arguments of `httpx2.AsyncClient`.
    """
    transport = CountedAsyncTransport(_begins(why, account), limits)
    return httpx2.AsyncClient(transport=transport, follow_redirects=False, **options)


def open_blocking_client(
    why: Why, account: str = "", *, uds: str | None = None, trust_env: bool = True, **options: Any
) -> httpx2.Client:
    """Open a client that blocks and follows no redirects.

    Args:
        why: Purpose of its connections.
        account: Account of its connections.
        uds: The Unix socket to connect to, if any.
        trust_env: True if certificates and proxies come from the environment.
        options: Further arguments of `httpx2.Client`.
    """
    transport = CountedTransport(_begins(why, account), uds=uds, trust_env=trust_env)
    return httpx2.Client(transport=transport, follow_redirects=False, trust_env=trust_env, **options)


class CountedAsyncTransport(httpx2.AsyncBaseTransport):
    """Sends requests over connection pools in which each connection is a `Flow` from `begin`."""

    def __init__(self, begin: Begin, limits: httpx2.Limits = LIMITS) -> None:
        settings = _settings(httpx2.create_ssl_context(), limits, _AsyncBackend(begin))
        self._direct = httpcore2.AsyncConnectionPool(**settings)
        self._proxied = {scheme: _async_proxy(url, settings) for scheme, url in _proxies().items()}

    @override
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        pool = self._proxied.get(_proxy_of(request.url, self._proxied), self._direct)
        with _raised_as_httpx2():
            answer = await pool.handle_async_request(_to_httpcore2(request))
        return _to_httpx2(answer, _AsyncBody(answer))

    @override
    async def aclose(self) -> None:
        for pool in (self._direct, *self._proxied.values()):
            await pool.aclose()


class CountedTransport(httpx2.BaseTransport):
    """The blocking counterpart; with `uds` everything goes to that socket."""

    def __init__(
        self,
        begin: Begin,
        limits: httpx2.Limits = LIMITS,
        *,
        uds: str | None = None,
        trust_env: bool = True,
    ) -> None:
        settings = _settings(httpx2.create_ssl_context(trust_env=trust_env), limits, _Backend(begin))
        proxies = _proxies() if trust_env and uds is None else {}
        self._direct = httpcore2.ConnectionPool(uds=uds, **settings)
        self._proxied = {scheme: _proxy(url, settings) for scheme, url in proxies.items()}

    @override
    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        pool = self._proxied.get(_proxy_of(request.url, self._proxied), self._direct)
        with _raised_as_httpx2():
            answer = pool.handle_request(_to_httpcore2(request))
        return _to_httpx2(answer, _Body(answer))

    @override
    def close(self) -> None:
        for pool in (self._direct, *self._proxied.values()):
            pool.close()


def _begins(why: Why, account: str) -> Begin:
    return lambda host, port: start_flow(host, port, why, account)


def _settings(tls: ssl.SSLContext, limits: httpx2.Limits, backend: object) -> dict[str, Any]:
    return {
        "ssl_context": tls,
        "max_connections": limits.max_connections,
        "max_keepalive_connections": limits.max_keepalive_connections,
        "keepalive_expiry": limits.keepalive_expiry,
        "network_backend": backend,
    }


def _proxies() -> dict[str, str]:
    """Return the proxies in the environment, by the scheme of the requests, or `all`."""
    told = getproxies()
    found = {scheme: told[scheme] for scheme in ("http", "https", "all") if told.get(scheme)}
    return {scheme: url if "://" in url else f"http://{url}" for scheme, url in found.items()}


def _proxy_of(url: httpx2.URL, proxied: Mapping[str, object]) -> str:
    """Return the key in `proxied` of the proxy for a request; empty for a direct connection."""
    if not proxied or proxy_bypass(url.host) or _is_in_direct_network(url.host):
        return ""
    return url.scheme if url.scheme in proxied else "all"


def _is_in_direct_network(host: str) -> bool:
    """Return True if an address is in a network in `NO_PROXY`, which urllib does not check."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    for told in getproxies().get("no", "").split(","):
        try:
            if "/" in told and address in ipaddress.ip_network(told.strip(), strict=False):
                return True
        except ValueError:
            continue
    return False


def _proxy_settings(url: str, settings: Mapping[str, Any]) -> tuple[bool, dict[str, Any]]:
    """Return True for a SOCKS proxy, and the arguments of its pool."""
    told = httpx2.Proxy(url)
    is_socks = told.url.scheme.startswith("socks")
    place = {**settings, "proxy_url": _core_url(told.url), "proxy_auth": told.raw_auth}
    return is_socks, place if is_socks else {**place, "proxy_headers": told.headers.raw}


def _async_proxy(url: str, settings: Mapping[str, Any]) -> httpcore2.AsyncConnectionPool:
    is_socks, place = _proxy_settings(url, settings)
    return httpcore2.AsyncSOCKSProxy(**place) if is_socks else httpcore2.AsyncHTTPProxy(**place)


def _proxy(url: str, settings: Mapping[str, Any]) -> httpcore2.ConnectionPool:
    is_socks, place = _proxy_settings(url, settings)
    return httpcore2.SOCKSProxy(**place) if is_socks else httpcore2.HTTPProxy(**place)


def _core_url(url: httpx2.URL) -> httpcore2.URL:
    return httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)


def _to_httpcore2(request: httpx2.Request) -> httpcore2.Request:
    return httpcore2.Request(
        method=request.method,
        url=_core_url(request.url),
        headers=request.headers.raw,
        content=request.stream,
        extensions=request.extensions,
    )


def _to_httpx2(answer: httpcore2.Response, body: _AsyncBody | _Body) -> httpx2.Response:
    extensions: dict[str, Any] = {**answer.extensions}  # pyright: ignore[reportUnknownMemberType]
    return httpx2.Response(answer.status, headers=answer.headers, stream=body, extensions=extensions)


@contextmanager
def _raised_as_httpx2() -> Generator[None, None, None]:
    """Convert exceptions of httpcore2 to those of the same name in httpx2."""
    try:
        yield
    except (
        httpcore2.TimeoutException,
        httpcore2.NetworkError,
        httpcore2.ProtocolError,
        httpcore2.ProxyError,
        httpcore2.UnsupportedProtocol,
    ) as error:
        names = (kind.__name__ for kind in type(error).__mro__)
        kind = next(getattr(httpx2, name) for name in names if hasattr(httpx2, name))
        raise kind(str(error)) from error


class _AsyncBody(httpx2.AsyncByteStream):
    def __init__(self, answer: httpcore2.Response) -> None:
        self._answer = answer

    @override
    async def __aiter__(self) -> AsyncGenerator[bytes]:
        with _raised_as_httpx2():
            async for part in self._answer.aiter_stream():
                yield part

    @override
    async def aclose(self) -> None:
        await self._answer.aclose()


class _Body(httpx2.SyncByteStream):
    def __init__(self, answer: httpcore2.Response) -> None:
        self._answer = answer

    @override
    def __iter__(self) -> Generator[bytes, None, None]:
        with _raised_as_httpx2():
            yield from self._answer.iter_stream()

    @override
    def close(self) -> None:
        self._answer.close()


class _AsyncBackend(httpcore2.AsyncNetworkBackend):
    def __init__(self, begin: Begin) -> None:
        self._begin = begin
        self._inner: httpcore2.AsyncNetworkBackend = httpcore2.AnyIOBackend()  # pyright: ignore[reportAttributeAccessIssue]

    @override
    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        stream = await self._inner.connect_tcp(host, port, timeout, local_address, socket_options)
        return _AsyncStream(stream, self._begin(host, port))


class _Backend(httpcore2.SyncBackend):
    def __init__(self, begin: Begin) -> None:
        self._begin = begin

    @override
    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        stream = super().connect_tcp(host, port, timeout, local_address, socket_options)
        return _Stream(stream, self._begin(host, port))

    @override
    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore2.NetworkStream:
        stream = super().connect_unix_socket(path, timeout, socket_options)
        return _Stream(stream, self._begin(f"unix:{path}", 0))


class _AsyncStream(httpcore2.AsyncNetworkStream):
    def __init__(self, inner: httpcore2.AsyncNetworkStream, flow: Flow) -> None:
        self._inner, self._flow = inner, flow

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = await self._inner.read(max_bytes, timeout)
        self._flow.count_received(len(data))
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        _note_proxy(self._flow, buffer)
        self._flow.count_sent(len(buffer))
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        try:
            await self._inner.aclose()
        finally:
            self._flow.close()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.AsyncNetworkStream:
        try:
            inner = await self._inner.start_tls(ssl_context, server_hostname, timeout)
        except BaseException:  # the caller gets no stream to close
            self._flow.close()
            raise
        return _AsyncStream(inner, self._flow)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Stream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream, flow: Flow) -> None:
        self._inner, self._flow = inner, flow

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = self._inner.read(max_bytes, timeout)
        self._flow.count_received(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        _note_proxy(self._flow, buffer)
        self._flow.count_sent(len(buffer))
        self._inner.write(buffer, timeout)

    def close(self) -> None:
        try:
            self._inner.close()
        finally:
            self._flow.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        try:
            inner = self._inner.start_tls(ssl_context, server_hostname, timeout)
        except BaseException:
            self._flow.close()
            raise
        return _Stream(inner, self._flow)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


def _note_proxy(flow: Flow, buffer: bytes) -> None:
    """Record the destination of a proxied connection from its first request (RFC 9110 §9.3.6)."""
    if flow.total[0] or not buffer.startswith(b"CONNECT "):
        return
    host, _, port = buffer.split(b" ", 2)[1].decode("ascii", "replace").rpartition(":")
    flow.through_proxy(host.strip("[]"), int(port) if port.isdigit() else 0)
