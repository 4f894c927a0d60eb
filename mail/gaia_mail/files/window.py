"""Reads a file or a pipe in chunks, for readers that search for boundaries.

Entries: `FileWindow` (random access) and `StreamWindow` (sequential; discards released bytes). Neither maps the file
into memory: a mapped file that another program truncates kills the process.
"""

from __future__ import annotations

import os
from typing import BinaryIO, NamedTuple, Protocol

from typing_extensions import override

from gaia_mail.files.opening import open_regular, read_at

CHUNK_BYTES = 1024 * 1024


class Chunk(NamedTuple):
    """Bytes from offset `base` on; `last` is True if the input ends with them."""

    base: int
    data: bytes | bytearray
    last: bool


class InputWindow(Protocol):
    """Input to search for boundaries; offsets count from its beginning."""

    def chunk(self, offset: int, overlap: int) -> Chunk:
        """Return a chunk with more than `overlap` bytes from `offset` on, unless it is the last."""
        ...

    def at(self, offset: int, length: int) -> bytes:
        """Return `length` bytes from `offset`; fewer only at the end of the input."""
        ...

    def release(self, offset: int) -> None:
        """Discard the bytes before `offset`; they will not be requested again."""
        ...


class FileWindow(InputWindow):
    """A regular file. Use as a context manager."""

    def __init__(self, path: str) -> None:
        self._descriptor, self.status = open_regular(path)
        self._chunk = Chunk(0, b"", False)

    def __enter__(self) -> FileWindow:
        return self

    def __exit__(self, *exception: object) -> None:
        os.close(self._descriptor)

    @override
    def chunk(self, offset: int, overlap: int) -> Chunk:
        base, data, last = self._chunk
        if base <= offset and (last or offset + overlap < base + len(data)):
            return self._chunk
        data = read_at(self._descriptor, offset, CHUNK_BYTES)
        self._chunk = Chunk(offset, data, len(data) < CHUNK_BYTES)
        return self._chunk

    @override
    def at(self, offset: int, length: int) -> bytes:
        base, data, _ = self._chunk
        start = offset - base
        if start >= 0 and start + length <= len(data):
            return bytes(data[start : start + length])
        return read_at(self._descriptor, offset, length)

    @override
    def release(self, offset: int) -> None:
        """Do nothing: a file can be re-read."""


class StreamWindow(InputWindow):
    """Input that can be read only once, such as a pipe."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._base = 0
        self._buffer = bytearray()
        self._ended = False

    def _fill(self) -> bool:
        read = getattr(self._stream, "read1", self._stream.read)
        part: bytes = b"" if self._ended else read(CHUNK_BYTES)
        self._ended = not part
        self._buffer += part
        return not self._ended

    @override
    def chunk(self, offset: int, overlap: int) -> Chunk:
        while self._base + len(self._buffer) - offset <= overlap and self._fill():
            pass
        return Chunk(self._base, self._buffer, self._ended)

    @override
    def at(self, offset: int, length: int) -> bytes:
        while self._base + len(self._buffer) < offset + length and self._fill():
            pass
        start = offset - self._base
        return bytes(self._buffer[max(start, 0) : max(start + length, 0)])

    @override
    def release(self, offset: int) -> None:
        unneeded = offset - self._base
        if unneeded >= CHUNK_BYTES:
            del self._buffer[:unneeded]
            self._base = offset

    def count_buffered_bytes(self) -> int:
        """Return the number of bytes in memory."""
        return len(self._buffer)
