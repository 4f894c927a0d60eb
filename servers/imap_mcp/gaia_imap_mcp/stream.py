"""The bytes of a connection: whole lines and literals, and whether there are any. Entry: `SocketStream`.

imaplib's own buffer hides what has come in from anyone who waits, so an announcement that arrives together with
the go-ahead of IDLE would not be seen before the next one.
"""

from __future__ import annotations

import select
import socket
import ssl

_CHUNK = 1 << 18
_PIECE = 1 << 16
_MAX_LINE = 64 * 1024 * 1024


class SocketStream:
    """Reads a socket with a buffer of its own; `rest` is what was read from it already."""

    def __init__(self, connected: socket.socket, rest: bytes = b"") -> None:
        self.socket = connected
        self._buffer = rest
        self._at = 0

    def readline(self) -> bytes:
        """A line with its end; what there is when the connection ends before.

        Raises:
            OSError: The connection broke, or nothing came for longer than its timeout.
        """
        end = self._buffer.find(b"\n", self._at)
        while end < 0:
            searched = len(self._buffer) - self._at
            if searched > _MAX_LINE or not self._fill():
                break
            end = self._buffer.find(b"\n", self._at + searched)
        stop = end + 1 if end >= 0 else len(self._buffer)
        line = self._buffer[self._at : stop]
        self._at = stop
        return line

    def read(self, size: int) -> bytes:
        """Exactly `size` bytes, fewer only when the connection ends before.

        Raises:
            OSError: As `readline`.
        """
        have = len(self._buffer) - self._at
        if have >= size:
            self._at += size
            return self._buffer[self._at - size : self._at]
        pieces = [self._buffer[self._at :]]
        self._buffer, self._at = b"", 0
        missing = size - have
        while missing > 0:
            piece = self.socket.recv(min(missing, _CHUNK))
            if not piece:
                break
            pieces.append(piece)
            missing -= len(piece)
        return b"".join(pieces)

    def send(self, data: bytes) -> None:
        """Send all of it, in pieces: a socket's timeout is for all that it is given at once.

        Raises:
            OSError: The connection broke, or took nothing for longer than its timeout.
        """
        for start in range(0, len(data), _PIECE):
            self.socket.sendall(data[start : start + _PIECE])

    def ready(self, wake: socket.socket, timeout_s: float) -> bool:
        """Whether there is something to read; waits for it until `wake` can be read or the time is over."""
        if self._at < len(self._buffer):
            return True
        if isinstance(self.socket, ssl.SSLSocket) and self.socket.pending():
            return True
        found, _, _ = select.select([self.socket, wake], [], [], timeout_s)
        return self.socket in found

    def _fill(self) -> bool:
        data = self.socket.recv(_CHUNK)
        self._buffer = self._buffer[self._at :] + data
        self._at = 0
        return bool(data)
