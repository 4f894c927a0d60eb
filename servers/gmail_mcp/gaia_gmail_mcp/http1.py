"""HTTP/1.1 as bytes (RFC 9112): a request written, an answer read out of pieces. Entries: `written`, `Reading`."""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from gaia_gmail_mcp.batch import Answer

MOST_HEAD = 65_536
"""Bytes of a status line and headers, or of what frames a chunk."""

_BODILESS = (204, 304)
_ENDS = b"\r\n"


class Unreadable(ValueError):
    """It is no HTTP, or not the HTTP that was asked for."""


class Oversized(ValueError):
    """The answer is larger than was allowed."""


def written(method: str, host: str, target: str, headers: Mapping[str, str], body: bytes | None) -> bytes:
    """A request as it goes over the wire.

    Raises:
        ValueError: Something in it would end its line, or is not ASCII.
    """
    lines = [f"{method} {target} HTTP/1.1", f"Host: {host}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    head = "\r\n".join(lines)
    if not head.count("\r") == head.count("\n") == len(lines) - 1 or "\0" in head or " " in target:
        raise ValueError("a request cannot hold this")
    return head.encode("ascii") + b"\r\n\r\n" + (body or b"")


class Reading:
    """One answer; `most` bounds its body, packed and unpacked."""

    __slots__ = ("_body", "_chunked", "_data", "_most", "_need", "_start", "headers", "keep", "status")

    def __init__(self, most: int) -> None:
        self._most = most
        self._data = bytearray()
        self._start = 0
        """Where begins what has not been looked at."""
        self._need: int | None = None
        """Bytes of the body; None when its chunks or the end of the connection tell."""
        self._chunked = False
        self._body = bytearray()
        """What chunks held."""
        self.status = 0
        self.headers: dict[str, str] = {}
        self.keep = False
        """Whether another exchange may follow on this connection."""

    def feed(self, piece: bytes) -> bool:
        """Take more of it; whether that was the last.

        Raises:
            Unreadable: It is no HTTP, or more came than an answer.
            Oversized: It is larger than was allowed.
        """
        self._data += piece
        if not self.status and not self._read_head():
            return False
        if self._chunked:
            return self._read_chunks()
        come = len(self._data) - self._start
        self._bound(come)
        if self._need is not None and come > self._need:
            raise Unreadable("more than was announced")
        return come == self._need

    @property
    def ends_with_connection(self) -> bool:
        """Whether an answer of this kind is whole when the server closes."""
        return bool(self.status) and self._need is None and not self._chunked

    def answer(self) -> Answer:
        """What was read, unpacked.

        Raises:
            Unreadable: It is packed as was not asked for, or not whole.
            Oversized: Unpacked it is larger than was allowed.
        """
        body = bytes(self._body) if self._chunked else bytes(self._data[self._start :])
        body = unpacked(body, self.headers.get("content-encoding", ""), self._most)
        return Answer(status=self.status, headers=self.headers, body=body)

    def _bound(self, size: int) -> None:
        if size > self._most:
            raise Oversized

    def _read_head(self) -> bool:
        """Whether it is there; heads that only announce one (1xx) are passed over."""
        while True:
            end = self._data.find(b"\r\n\r\n", self._start)
            if end < 0:
                self._bound_head()
                return False
            first, *lines = self._data[self._start : end].decode("latin-1").split("\r\n")
            self._start = end + 4
            code = first[9:12]
            if not first.startswith("HTTP/1.") or not (code.isascii() and code.isdigit()):
                raise Unreadable("no HTTP answer")
            if not code.startswith("1"):
                self._begin(int(code), first, lines)
                return True

    def _bound_head(self) -> None:
        if len(self._data) - self._start > MOST_HEAD:
            raise Unreadable("a head without end")

    def _begin(self, status: int, first: str, lines: list[str]) -> None:
        headers = self.headers
        for line in lines:
            name, colon, value = line.partition(":")
            if not colon or not name or name != name.strip():
                raise Unreadable("no header")
            name, value = name.lower(), value.strip()
            headers[name] = f"{headers[name]}, {value}" if name in headers else value
        connection = headers.get("connection", "").lower()
        self.status = status
        self.keep = "close" not in connection and first.startswith("HTTP/1.1")
        coding, length = headers.get("transfer-encoding"), headers.get("content-length")
        if status in _BODILESS:
            self._need = 0
        elif coding is not None:
            self._chunked = coding.lower() == "chunked" and length is None
            if not self._chunked:
                raise Unreadable("an unknown transfer coding")
        elif length is not None:
            self._need = _number(length, 10)
            self._bound(self._need)
        else:
            self.keep = False

    def _read_chunks(self) -> bool:
        """Take the chunks that are whole; whether the last one has come, with the trailer."""
        data = self._data
        while (end := data.find(_ENDS, self._start)) >= 0:
            size = _number(data[self._start : end].partition(b";")[0].decode("latin-1").strip(), 16)
            if size == 0:
                return self._is_over(end)
            self._bound(len(self._body) + size)
            begin, stop = end + 2, end + 2 + size
            if len(data) < stop + 2:
                return False
            if not data.startswith(_ENDS, stop):
                raise Unreadable("a chunk of another size")
            self._body += data[begin:stop]
            del data[: stop + 2]
            self._start = 0
        self._bound_head()
        return False

    def _is_over(self, last: int) -> bool:
        """Whether the trailer behind the last chunk is there; what it says is not needed."""
        end = self._data.find(b"\r\n\r\n", last)
        if end < 0:
            self._bound_head()
            return False
        if end + 4 != len(self._data):
            raise Unreadable("more than was announced")
        return True


def _number(text: str, base: int) -> int:
    if not text.isascii() or not text.isalnum() or len(text) > 16:
        raise Unreadable("no size")
    try:
        return int(text, base)
    except ValueError:
        raise Unreadable("no size") from None


def unpacked(body: bytes, coding: str, most: int) -> bytes:
    """A body without its content coding: of gzip, which may be in several parts (RFC 1952), or of none.

    Raises:
        Unreadable: It is packed as was not asked for, or not whole.
        Oversized: Unpacked it is larger than `most`.
    """
    coding = coding.lower()
    if not body or coding in ("", "identity"):
        return body
    if coding not in ("gzip", "x-gzip"):
        raise Unreadable("an unknown content coding")
    pieces: list[bytes] = []
    left = most
    while body:
        unpacking = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            piece = unpacking.decompress(body, left + 1)
        except zlib.error:
            raise Unreadable("no gzip") from None
        left -= len(piece)
        if left < 0:
            raise Oversized
        if not unpacking.eof:
            raise Unreadable("cut gzip")
        pieces.append(piece)
        body = unpacking.unused_data
    return b"".join(pieces)
