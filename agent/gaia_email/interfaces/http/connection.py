"""HTTP/1.1 connections and WebSockets of uvicorn, with limits. Entries: `BoundedConnection`, `BoundedSocket`.

uvicorn limits the idle time of a connection, but not the time to send the head of a request, so a client that sends a
byte now and then would hold a connection forever. It also closes a connection before reading the whole request, such as
one refused because of its head; the system then resets the connection, and the client may lose the answer (RFC 9112,
9.6).
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from gaia_email.interfaces.http.refusal import HttpRefusal
from gaia_email.interfaces.http.security_headers import with_security_headers

HEAD_S = 5
"""Seconds within which a connection must send the complete head of its next request."""


UNREAD_S, MOST_UNREAD = 2.0, 16 << 20
"""Seconds and bytes for which reading continues after an early answer."""


class _ReadOut:
    """A transport that closes only after the rest of the client's data has been read, within limits.

    Args:
        transport: The transport.
        loop: The loop of the connection.
        is_unread: Returns True if the client may still be sending.
    """

    def __init__(
        self,
        transport: asyncio.Transport,
        loop: asyncio.AbstractEventLoop,
        is_unread: Callable[[], bool],
    ) -> None:
        self._transport, self._loop, self._is_unread = transport, loop, is_unread
        self._end: asyncio.TimerHandle | None = None
        self._left = MOST_UNREAD

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def is_closing(self) -> bool:
        """Return True if the transport is closing."""
        return self._end is not None or self._transport.is_closing()

    def close(self) -> None:
        """Send nothing more; read and discard what the client still sends, then close."""
        if self.is_closing():
            return
        if not self._is_unread():
            self._transport.close()
            return
        self._end = self._loop.call_later(UNREAD_S, self._transport.close)
        if self._transport.can_write_eof():
            self._transport.write_eof()
        if not self._transport.is_reading():
            self._transport.resume_reading()

    def threw_away(self, size: int) -> bool:
        """Discard bytes that arrive after the last answer; return True if they did."""
        if self._end is None:
            return False
        self._left -= size
        if self._left < 0:
            self._transport.close()
        return True

    def lost(self) -> None:
        """Handle the end of the connection."""
        if self._end is not None:
            self._end.cancel()


def _send_at_once(transport: asyncio.Transport) -> None:
    """Let each write leave at once, without waiting for the client to acknowledge the one before.

    A client acknowledges late (40 ms), and uvicorn writes head and body one after the other. asyncio does the same for
    sockets of the protocol TCP; those of `socket.create_server` have protocol 0.
    """
    connected: socket.socket | None = transport.get_extra_info("socket")
    if connected is not None and connected.family in (socket.AF_INET, socket.AF_INET6):
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


class BoundedConnection(H11Protocol):
    """A uvicorn connection with a deadline for every head, and with errors in the common shape."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start waiting for the first head."""
        _send_at_once(transport)
        self._read_out = _ReadOut(transport, self.loop, self._is_unread)
        super().connection_made(cast("asyncio.Transport", self._read_out))
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        """Process received data."""
        if self._read_out.threw_away(len(data)):
            return
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """Wait for the next head."""
        self._wait_for_head()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        self._read_out.lost()
        super().connection_lost(exc)

    def _is_unread(self) -> bool:
        unread, _ = self.conn.trailing_data
        return bool(unread) or self.conn.their_state in (h11.SEND_BODY, h11.ERROR)

    def _wait_for_head(self) -> None:
        self._stop_waiting()
        self._waiting = self.loop.call_later(HEAD_S, self._give_up)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        if self.conn.their_state is h11.IDLE:
            self.timeout_keep_alive_handler()

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that is not valid HTTP; uvicorn's `msg` is ignored."""
        body = HttpRefusal(400, "bad_request", "This is not a valid HTTP request.").body()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        headers = with_security_headers(headers)
        for event in (
            h11.Response(status_code=400, headers=headers, reason=b"Bad Request"),
            h11.Data(data=body),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


class BoundedSocket(WebSocketsSansIOProtocol):
    """A uvicorn WebSocket that does not delay the server's shutdown while its client is closing it."""

    def shutdown(self) -> None:
        """Close the socket because the server is shutting down."""
        try:
            super().shutdown()
        except InvalidState:  # uvicorn would send a second close frame
            self.transport.close()
