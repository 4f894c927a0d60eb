"""The egress ledger's place in httpx2: every connection of a client's pool is counted. Entry: `counted`.

httpx2 takes no network backend, httpcore2 below it does; so the one that a client's pools have is wrapped. What is
counted is what HTTP says, before TLS and after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import httpcore2

from gaia_email_registry.egress.flow import Flow, opened

if TYPE_CHECKING:
    import ssl

    import httpx2

    from gaia_email_registry.egress.rows import Why

Client = TypeVar("Client", bound="httpx2.AsyncClient | httpx2.Client")


def counted(client: Client, why: Why, account: str | Callable[[], str] = "") -> Client:
    """The same client, whose connections from now on are written down.

    A client of an httpx2 that is built otherwise than those that are known is left as it is: mail goes on, and
    `can_count` says so.

    Args:
        client: It must not have been used yet.
        why: What its connections are for.
        account: For which account, or what says so when one is opened.
    """

    def begin(host: str, port: int) -> Flow:
        return opened(host, port, why, account if isinstance(account, str) else account())

    for pool in _pools(client):
        backend: object = pool._network_backend
        if isinstance(backend, httpcore2.AsyncNetworkBackend):
            pool._network_backend = CountedAsyncBackend(backend, begin)
        elif isinstance(backend, httpcore2.NetworkBackend):
            pool._network_backend = CountedBackend(backend, begin)
    return client


def can_count() -> bool:
    """Whether the connections of the httpx2 that is installed can be counted."""
    import httpx2

    with httpx2.Client(trust_env=False) as client:
        return bool(_pools(client))


def _pools(client: httpx2.AsyncClient | httpx2.Client) -> list[Any]:
    """The connection pools of a client: its own, and those of the proxies that the environment names."""
    mounts: Mapping[object, object] = getattr(client, "_mounts", {})
    transports = (getattr(client, "_transport", None), *mounts.values())
    pools = (getattr(transport, "_pool", None) for transport in transports)
    return [pool for pool in pools if hasattr(pool, "_network_backend")]


class CountedAsyncBackend(httpcore2.AsyncNetworkBackend):
    """A backend as it is, each connection of which is a `Flow` by `begin`."""

    def __init__(self, inner: httpcore2.AsyncNetworkBackend, begin: Callable[[str, int], Flow]) -> None:
        self._inner, self._begin = inner, begin

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """As httpcore2 asks for it."""
        stream = await self._inner.connect_tcp(host, port, timeout, local_address, socket_options)
        return _AsyncStream(stream, self._begin(host, port))

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore2.AsyncNetworkStream:
        """As httpcore2 asks for it."""
        stream = await self._inner.connect_unix_socket(path, timeout, socket_options)
        return _AsyncStream(stream, self._begin(f"unix:{path}", 0))

    async def sleep(self, seconds: float) -> None:
        """As httpcore2 asks for it."""
        await self._inner.sleep(seconds)


class CountedBackend(httpcore2.NetworkBackend):
    """The same for a client that blocks."""

    def __init__(self, inner: httpcore2.NetworkBackend, begin: Callable[[str, int], Flow]) -> None:
        self._inner, self._begin = inner, begin

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        """As httpcore2 asks for it."""
        stream = self._inner.connect_tcp(host, port, timeout, local_address, socket_options)
        return _Stream(stream, self._begin(host, port))

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore2.NetworkStream:
        """As httpcore2 asks for it."""
        stream = self._inner.connect_unix_socket(path, timeout, socket_options)
        return _Stream(stream, self._begin(f"unix:{path}", 0))

    def sleep(self, seconds: float) -> None:
        """As httpcore2 asks for it."""
        self._inner.sleep(seconds)


class _AsyncStream(httpcore2.AsyncNetworkStream):
    def __init__(self, inner: httpcore2.AsyncNetworkStream, flow: Flow) -> None:
        self._inner, self._flow = inner, flow

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = await self._inner.read(max_bytes, timeout)
        self._flow.received(len(data))
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        _note_proxy(self._flow, buffer)
        self._flow.sent(len(buffer))
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
        except BaseException:  # whoever asked is given no stream that could be closed
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
        self._flow.received(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        _note_proxy(self._flow, buffer)
        self._flow.sent(len(buffer))
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
    """A proxy is asked first of all for the server that is meant (RFC 9110 §9.3.6)."""
    if flow.total[0] or not buffer.startswith(b"CONNECT "):
        return
    host, _, port = buffer.split(b" ", 2)[1].decode("ascii", "replace").rpartition(":")
    flow.through_proxy(host.strip("[]"), int(port) if port.isdigit() else 0)
