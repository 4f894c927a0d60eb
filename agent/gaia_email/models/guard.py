"""The only connection to a model server: connects to one address on this machine only. Entry: `LocalTransport`.

Whatever a caller requests, the connection goes to the transport's own address; the peer is checked on the connected
socket before the first byte is sent. There is no proxy, no redirect and no name resolution, only listed headers are
sent, and the size of an answer is limited.
"""

from __future__ import annotations

import asyncio
import ipaddress
import os
import socket
import stat
import struct
from collections.abc import AsyncIterator, Iterable

import httpcore2
import httpx2
from httpcore2 import AsyncNetworkBackend, AsyncNetworkStream

from gaia_email.models.address import ModelServerAddress
from gaia_email.models.refused import GuardRefused
from gaia_email_registry.egress.flow import Flow, start_flow

MOST_ANSWERED = 1_000_000
"""Maximum size of one answer in bytes; a streamed token takes about 200, and the longest answer has a thousand."""

MOST_SENT = 2_000_000
"""Maximum size of one request in bytes."""

_HEADERS = frozenset({b"host", b"accept", b"content-type", b"content-length", b"connection"})
"""Headers that a request may carry; others, added by a client library or the environment, are dropped."""

_ROOT = 0
_CREDENTIALS = struct.Struct("3i")


class Redirected(GuardRefused):
    """The server answered with a redirect."""


class TooLong(httpx2.ReadError):
    """The answer is longer than `MOST_ANSWERED`."""


class LocalTransport(httpx2.AsyncBaseTransport):
    """HTTP to one `ModelServerAddress` of this machine.

    Attributes:
        sent: Bytes of request bodies sent to the server.
    """

    def __init__(self, address: ModelServerAddress, *, connections: int = 4) -> None:
        self.address = address
        self.sent = 0
        self._pool = httpcore2.AsyncConnectionPool(
            max_connections=connections, network_backend=_Dialer(address), retries=0
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and return the response.

        Raises:
            GuardRefused: The request is for another address, or the process that listens there is not trusted.
            httpx2.TransportError: There was no complete answer.
        """
        self._check(request)
        body = await request.aread()
        if len(body) > MOST_SENT:
            raise GuardRefused(f"A request of {len(body):,} bytes is larger than any model is sent.")
        headers = [(name, value) for name, value in request.headers.raw if name.lower() in _HEADERS]
        sending = httpcore2.Request(
            method=request.method,
            url=httpcore2.URL(scheme=b"http", host=b"localhost", port=80, target=request.url.raw_path),
            headers=headers,
            content=body,
            extensions={"timeout": request.extensions.get("timeout", {})},
        )
        self.sent += len(body)
        try:
            answer = await self._pool.handle_async_request(sending)
        except httpcore2.TimeoutException as error:
            raise httpx2.ReadTimeout(str(error), request=request) from error
        except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
            raise httpx2.ReadError(str(error), request=request) from error
        if 300 <= answer.status < 400:
            await answer.aclose()
            raise Redirected(
                "The model server wants to send mail elsewhere (a redirect); nothing followed it."
            )
        return httpx2.Response(
            answer.status, headers=answer.headers, stream=_Bounded(answer), request=request
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._pool.aclose()

    def _check(self, request: httpx2.Request) -> None:
        wanted = f"{request.url.scheme}://{request.url.netloc.decode('ascii', 'replace')}"
        if wanted != self.address.authority.removesuffix(":80"):
            raise GuardRefused("A request for another address than the model server's was not sent.")


class _Bounded(httpx2.AsyncByteStream):
    """The body of an answer, up to `MOST_ANSWERED` bytes; reading may pause and continue later."""

    def __init__(self, answer: httpcore2.Response) -> None:
        self._answer = answer
        self._parts = answer.aiter_stream()
        self._taken = 0

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        try:
            part = await anext(self._parts)
        except httpcore2.TimeoutException as error:
            raise httpx2.ReadTimeout(str(error)) from error
        except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
            raise httpx2.ReadError(str(error)) from error
        self._taken += len(part)
        if self._taken > MOST_ANSWERED:
            raise TooLong(f"the answer has more than {MOST_ANSWERED:,} bytes")
        return part

    async def aclose(self) -> None:
        await self._answer.aclose()


class _Dialer(AsyncNetworkBackend):
    """Connects to its own address, whatever host is requested."""

    def __init__(self, address: ModelServerAddress) -> None:
        self._address = address

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[object] | None = None,
    ) -> AsyncNetworkStream:
        """Connect for httpcore; `host` and `port` are ignored."""
        try:
            async with asyncio.timeout(timeout):
                connected = await connect(self._address)
                reader, writer = await asyncio.open_connection(sock=connected)
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout("no answer in time") from error
        except OSError as error:
            raise httpcore2.ConnectError(error.strerror or "no connection") from error
        flow = start_flow(self._address.host or str(self._address), self._address.port, "model")
        return _Stream(reader, writer, flow)

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[object] | None = None
    ) -> AsyncNetworkStream:
        """Refuse: `connect_tcp` opens the configured socket, and no other is used."""
        raise GuardRefused("A socket that was not configured was not opened.")

    async def sleep(self, seconds: float) -> None:
        """Sleep for httpcore, between retries; there are none."""
        await asyncio.sleep(seconds)


class _Stream(AsyncNetworkStream):
    """A connected socket for httpcore; it cannot be upgraded to TLS."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, flow: Flow) -> None:
        self._reader, self._writer, self._flow = reader, writer, flow

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        try:
            async with asyncio.timeout(timeout):
                data = await self._reader.read(max_bytes)
        except TimeoutError as error:
            raise httpcore2.ReadTimeout("no answer in time") from error
        except OSError as error:
            raise httpcore2.ReadError(error.strerror or "the connection broke") from error
        self._flow.count_received(len(data))
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._flow.count_sent(len(buffer))
        try:
            async with asyncio.timeout(timeout):
                self._writer.write(buffer)
                await self._writer.drain()
        except TimeoutError as error:
            raise httpcore2.WriteTimeout("the server took nothing in time") from error
        except OSError as error:
            raise httpcore2.WriteError(error.strerror or "the connection broke") from error

    async def aclose(self) -> None:
        self._writer.close()
        self._flow.close()
        await asyncio.sleep(0)  # closing takes a turn of the loop

    def get_extra_info(self, info: str) -> object:
        if info == "is_readable":
            return self._reader.at_eof()
        return None


async def connect(address: ModelServerAddress) -> socket.socket:
    """Return a socket connected to the address, after checking that its peer is on this machine.

    Raises:
        GuardRefused: The peer is elsewhere, or a Unix socket belongs to another user.
        OSError: No process listens.
    """
    if address.socket:
        _check_file(address.socket)
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    else:
        made = socket.socket(socket.AF_INET6 if ":" in address.host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        made.setblocking(False)
        target = address.socket or (address.host, address.port)
        await asyncio.get_running_loop().sock_connect(made, target)
        check_peer(made)
    except BaseException:
        made.close()
        raise
    return made


def check_peer(connected: socket.socket) -> None:
    """Check with the kernel that a connected socket ends on this machine.

    Raises:
        GuardRefused: It does not.
    """
    if connected.family == socket.AF_UNIX:
        owner = _owner(connected)
        if owner is not None and owner not in (os.getuid(), _ROOT):
            raise GuardRefused(
                "Another user of this machine listens at the model server's socket; nothing was sent."
            )
        return
    host = str(connected.getpeername()[0])
    found = ipaddress.ip_address(host.partition("%")[0])
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    if not (mapped or found).is_loopback:
        raise GuardRefused(
            f"The model server's connection ends at {host}, not on this machine; nothing was sent."
        )


def _owner(connected: socket.socket) -> int | None:
    """Return the user id of the process at a Unix socket's other end; None if the system does not report it."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return None
    _, owner, _ = _CREDENTIALS.unpack(connected.getsockopt(socket.SOL_SOCKET, option, _CREDENTIALS.size))
    return int(owner)


def _check_file(path: str) -> None:
    """Refuse a socket, or a link to one, that belongs to another user and could lead elsewhere."""
    real = os.path.realpath(path)
    if not stat.S_ISSOCK(os.stat(real).st_mode):
        raise GuardRefused(f"{path[:200]} is not a socket.")
    for each in {path, real}:
        if os.lstat(each).st_uid not in (os.getuid(), _ROOT):
            raise GuardRefused(f"{path[:200]} belongs to another user of this machine; nothing was sent.")
