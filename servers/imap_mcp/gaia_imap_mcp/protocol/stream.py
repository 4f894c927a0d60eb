"""Reads lines and literals from a socket, within bounds. Entry: `SocketStream`.

All data from a mail server, over IMAP or SMTP and from its greeting on, is read here: the one place that enforces
`bounds`. imaplib's own buffer would hide received data from `select`, so an announcement that arrives together with
the go-ahead of IDLE would go unnoticed until the next one.
"""

from __future__ import annotations

import select
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from time import monotonic

from gaia_email_registry.egress.flow import Flow
from gaia_imap_mcp.protocol.bounds import ORDINARY, SLOWEST_BYTES_A_S, ResponseBounds
from gaia_imap_mcp.protocol.errors import ExcessiveResponse, TooSlow

_CHUNK = 1 << 18
_PIECE = 1 << 16


class SocketStream:
    """A socket reader with its own buffer.

    Args:
        connected: The socket; its timeout is the longest silence accepted.
        rest: Bytes already read from it.
        endpoint: The server's name in errors.
        bounds: Limits of the first answer; see `expect`.
        clock: Seconds.
        flow: Counts bytes received and sent.
    """

    def __init__(
        self,
        connected: socket.socket,
        rest: bytes = b"",
        *,
        endpoint: str = "The mail server",
        bounds: ResponseBounds = ORDINARY,
        clock: Callable[[], float] = monotonic,
        flow: Flow | None = None,
    ) -> None:
        self.socket = connected
        self.flow = flow
        self._buffer = rest
        self._at = 0
        self._endpoint = endpoint
        self._clock = clock
        self.expect(bounds)

    def expect(self, bounds: ResponseBounds) -> None:
        """Start counting a new answer with these bounds."""
        self._bounds = bounds
        self._lines = self._received = 0
        self._waited = 0.0

    def readline(self) -> bytes:
        """Read a line with its end, or an incomplete one if the connection ends.

        Raises:
            ExcessiveResponse: The answer exceeds its bounds or takes too long.
            OSError: The connection broke, or nothing came for longer than its timeout.
        """
        self._lines += 1
        if self._lines > self._bounds.lines:
            raise self.excess(
                self._bounds.too_many or f"sent more than {self._bounds.lines:,} lines in one answer"
            )
        end = self._buffer.find(b"\n", self._at)
        line = self._gather_line() if end < 0 else self._buffer[self._at : end + 1]
        if end >= 0:
            self._at = end + 1
        if len(line) > self._bounds.line:
            raise self._too_long()
        return line

    def read(self, size: int) -> bytes:
        """Read exactly `size` bytes, fewer only if the connection ends.

        Raises:
            ExcessiveResponse, OSError: As `readline`.
        """
        if size > self._bounds.literal:
            raise self.excess(
                f"announced {size:,} bytes at once, of which it may send {self._bounds.literal:,}"
            )
        have = len(self._buffer) - self._at
        if have >= size:
            self._at += size
            return self._buffer[self._at - size : self._at]
        gathered = BytesIO()
        gathered.write(self._rest())
        while gathered.tell() < size:
            piece = self._receive(min(size - gathered.tell(), _CHUNK))
            if not piece:
                break
            gathered.write(piece)
        return gathered.getvalue()

    def send(self, data: bytes) -> None:
        """Send all data, in pieces, because a socket's timeout covers a whole call.

        Raises:
            OSError: The connection broke, or accepted nothing for longer than its timeout.
        """
        for start in range(0, len(data), _PIECE):
            if self.flow is not None:
                self.flow.count_sent(min(len(data) - start, _PIECE))
            self.socket.sendall(data[start : start + _PIECE])

    def close(self) -> None:
        """Close the socket; safe to call twice."""
        with suppress(OSError):
            self.socket.close()
        if self.flow is not None:
            self.flow.close()

    def ready(self, wake: socket.socket, timeout_s: float) -> bool:
        """Return True if there is data to read; wait for it until `wake` is readable or time is up."""
        if self._at < len(self._buffer):
            return True
        if isinstance(self.socket, ssl.SSLSocket) and self.socket.pending():
            return True
        found, _, _ = select.select([self.socket, wake], [], [], timeout_s)
        return self.socket in found

    def excess(self, what: str) -> ExcessiveResponse:
        """Return the error for a server that did `what`."""
        return ExcessiveResponse(self._sentence(what))

    def _sentence(self, what: str) -> str:
        return (
            f"{self._endpoint} {what}, so the connection to it was closed. Try again later; if that does not help, "
            "ask the operator of that server, or disconnect the account."
        )

    def _too_long(self) -> ExcessiveResponse:
        return self.excess(f"sent a line of more than {self._bounds.line:,} bytes")

    def _gather_line(self) -> bytes:
        gathered = BytesIO()
        gathered.write(self._rest())
        end = -1
        while end < 0:
            if gathered.tell() > self._bounds.line:
                raise self._too_long()
            self._buffer = self._receive(_CHUNK)
            end = self._buffer.find(b"\n")
            self._at = end + 1 if end >= 0 else len(self._buffer)
            gathered.write(memoryview(self._buffer)[: self._at])
            if not self._buffer:
                break
        return gathered.getvalue()

    def _rest(self) -> bytes:
        """Return the buffer's unread bytes and clear it."""
        rest = self._buffer[self._at :]
        self._buffer, self._at = b"", 0
        return rest

    def _receive(self, most: int) -> bytes:
        """Receive the next bytes; empty at the end of the connection."""
        silence = self.socket.gettimeout()
        left = None if silence is None else self._time_limit(silence) - self._waited
        if left is not None and left <= 0:
            raise self._too_slow()
        began = self._clock()
        data = self._within(most, silence, left)
        self._waited += self._clock() - began
        if data is None:
            raise self._too_slow()
        self._received += len(data)
        if self.flow is not None:
            self.flow.count_received(len(data))
        if self._received > self._bounds.answer:
            raise self.excess(f"sent more than {self._bounds.answer:,} bytes in one answer")
        return data

    def _within(self, most: int, silence: float | None, left: float | None) -> bytes | None:
        """Receive bytes in the time that is left; None if none come."""
        if silence is None or left is None or left >= silence:
            return self.socket.recv(most)
        self.socket.settimeout(left)
        try:
            return self.socket.recv(most)
        except TimeoutError:
            return None
        finally:
            self.socket.settimeout(silence)

    def _time_limit(self, silence: float) -> float:
        return self._bounds.patience * silence + self._received / SLOWEST_BYTES_A_S

    def _too_slow(self) -> TooSlow:
        what = f"takes too long over one answer ({self._received:,} bytes in {self._waited:,.0f} seconds)"
        return TooSlow(self._sentence(what))
