"""A proxy before a server that counts what passes, inside TLS where there is any. Entry: `RecordingProxy`."""

from __future__ import annotations

import select
import socket
import socketserver
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(slots=True)
class Seen:
    """What a client sent and was sent over one connection, and its first bytes."""

    sent: int = 0
    received: int = 0
    first: bytes = b""


class RecordingProxy:
    """Runs in threads of its own; a context manager, at whose end every connection is over.

    Args:
        target: The port of the server behind it, on loopback and without TLS; None for an HTTP proxy, which goes
            where CONNECT says: to that port of loopback.
        tls: What it shows to clients; None for no TLS.
        elsewhere: Where an HTTP proxy goes for a port that CONNECT names.
        late: Whether TLS begins when an IMAP client asks for it, which the server behind need only announce.
    """

    def __init__(
        self,
        target: int | None,
        tls: ssl.SSLContext | None = None,
        elsewhere: Mapping[int, int] = MappingProxyType({}),
        *,
        late: bool = False,
    ) -> None:
        self.seen: list[Seen] = []
        self._server = _server(self.seen, target, tls, elsewhere, late)
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def totals(self) -> list[tuple[int, int]]:
        """Bytes sent and received over each connection, the smallest first."""
        return sorted((one.sent, one.received) for one in self.seen)

    def __enter__(self) -> RecordingProxy:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()  # waits for the threads, which end with their connections
        self._thread.join()


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = False
    block_on_close = True


def _server(
    seen: list[Seen],
    target: int | None,
    tls: ssl.SSLContext | None,
    elsewhere: Mapping[int, int],
    late: bool,
) -> _Server:
    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            one = Seen()
            seen.append(one)
            near: socket.socket = self.request
            with suppress(OSError):
                if tls is not None and not late:
                    near = tls.wrap_socket(near, server_side=True)
                port = target or _asked(near, one)
                with near, socket.create_connection(("127.0.0.1", elsewhere.get(port, port))) as far:
                    _both_ways(near, far, one, tls if late else None)

    return _Server(("127.0.0.1", 0), Handler)


def _asked(near: socket.socket, one: Seen) -> int:
    """The port that CONNECT names, which is granted."""
    head = b""
    while b"\r\n\r\n" not in head:
        head += near.recv(65_536)
    answer = b"HTTP/1.1 200 OK\r\n\r\n"
    near.sendall(answer)
    one.sent, one.received, one.first = len(head), len(answer), head
    return int(head.split(b" ", 2)[1].rpartition(b":")[2])


def _both_ways(
    near: socket.socket, far: socket.socket, one: Seen, late: ssl.SSLContext | None = None
) -> None:
    """Until one side has hung up; what the client says goes first. `late` begins when the client asks for TLS."""
    while True:
        waiting = isinstance(near, ssl.SSLSocket) and near.pending()
        ready = [near] if waiting else select.select([near, far], [], [])[0]
        if near in ready:
            data = near.recv(65_536)
            one.first = one.first or data
            one.sent += len(data)
            if late is not None and data.endswith(b" STARTTLS\r\n"):
                answer = data.split(b" ")[0] + b" OK begin\r\n"
                near.sendall(answer)
                one.received += len(answer)
                with late.wrap_socket(near, server_side=True) as within:
                    return _both_ways(within, far, one)
            far.sendall(data)
        else:
            data = far.recv(65_536)
            one.received += len(data)
            near.sendall(data)
        if not data:
            return
