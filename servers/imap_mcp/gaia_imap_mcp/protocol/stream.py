"""The bytes of a connection: whole lines and literals, within bounds, and whether there are any. Entry: `SocketStream`.

All that a mail server says, over IMAP or SMTP and from its greeting on, is read here: the one place that holds it to
`bounds`. A buffer as imaplib has it hides what has come in from anyone who waits, so an announcement that arrives
together with the go-ahead of IDLE would not be seen before the next one.
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
    """Reads a socket with a buffer of its own.

    Args:
        connected: The socket; its timeout is how long silence is borne.
        rest: What was read from it already.
        endpoint: What to call the server.
        bounds: Of the first answer; see `expect`.
        clock: Seconds.
        flow: Counts what comes and goes.
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
        """Begin to count anew: from now on comes an answer that has these bounds."""
        self._bounds = bounds
        self._lines = self._received = 0
        self._waited = 0.0

    def readline(self) -> bytes:
        """A line with its end; what there is when the connection ends before.

        Raises:
            ExcessiveResponse: The server says more than it may, or takes too long over it.
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
        """Exactly `size` bytes, fewer only when the connection ends before.

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
        """Send all of it, in pieces: a socket's timeout is for all that it is given at once.

        Raises:
            OSError: The connection broke, or took nothing for longer than its timeout.
        """
        for start in range(0, len(data), _PIECE):
            if self.flow is not None:
                self.flow.sent(min(len(data) - start, _PIECE))
            self.socket.sendall(data[start : start + _PIECE])

    def close(self) -> None:
        """Close the socket; harmless when called twice."""
        with suppress(OSError):
            self.socket.close()
        if self.flow is not None:
            self.flow.close()

    def ready(self, wake: socket.socket, timeout_s: float) -> bool:
        """Whether there is something to read; waits for it until `wake` can be read or the time is over."""
        if self._at < len(self._buffer):
            return True
        if isinstance(self.socket, ssl.SSLSocket) and self.socket.pending():
            return True
        found, _, _ = select.select([self.socket, wake], [], [], timeout_s)
        return self.socket in found

    def excess(self, what: str) -> ExcessiveResponse:
        """The error for a server that did that."""
        return ExcessiveResponse(self._sentence(what))

    def _sentence(self, what: str) -> str:
        return (
            f"{self._endpoint} {what}, so the connection to it was closed. Try again later; if it stays so, ask "
            "whoever runs that server, or disconnect the account."
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
        """What is in the buffer, which is empty then."""
        rest = self._buffer[self._at :]
        self._buffer, self._at = b"", 0
        return rest

    def _receive(self, most: int) -> bytes:
        """What there is next; nothing at the end of the connection."""
        silence = self.socket.gettimeout()
        left = None if silence is None else self._allowed(silence) - self._waited
        if left is not None and left <= 0:
            raise self._too_slow()
        began = self._clock()
        data = self._within(most, silence, left)
        self._waited += self._clock() - began
        if data is None:
            raise self._too_slow()
        self._received += len(data)
        if self.flow is not None:
            self.flow.received(len(data))
        if self._received > self._bounds.answer:
            raise self.excess(f"sent more than {self._bounds.answer:,} bytes in one answer")
        return data

    def _within(self, most: int, silence: float | None, left: float | None) -> bytes | None:
        """What comes in the time that is left; None when nothing does."""
        if silence is None or left is None or left >= silence:
            return self.socket.recv(most)
        self.socket.settimeout(left)
        try:
            return self.socket.recv(most)
        except TimeoutError:
            return None
        finally:
            self.socket.settimeout(silence)

    def _allowed(self, silence: float) -> float:
        return self._bounds.patience * silence + self._received / SLOWEST_BYTES_A_S

    def _too_slow(self) -> TooSlow:
        what = f"takes too long over one answer ({self._received:,} bytes in {self._waited:,.0f} seconds)"
        return TooSlow(self._sentence(what))
