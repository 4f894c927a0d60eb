"""Opens untrusted files: never blocks, never reads more than requested.

Entries: `read_regular`, `read_header`, `header_end`, `display`, `reason`.

A mail folder may contain pipes, devices, endless links and names in no known encoding; each results in one error
message.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import NamedTuple

HEADER_BYTES = 256 * 1024
"""Bytes of a message in which its header must end; anything after them counts as body."""

_FIRST_BYTES = 16 * 1024
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY

_REASONS = {
    errno.ENOENT: "it does not exist (any more)",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ELOOP: "its symbolic links form a loop",
    errno.ENAMETOOLONG: "its name is too long",
    errno.EIO: "the disk reports an error",
    errno.EISDIR: "it is a folder",
    errno.ENOTDIR: "a part of its path is not a folder",
    errno.EMFILE: "too many files are open",
    errno.ESTALE: "the network drive has lost it",
}


class Blob(NamedTuple):
    """The beginning of a file: its bytes, the size of the whole in bytes, and its modification time."""

    data: bytes
    size: int
    modified: float


class NotRegular(OSError):
    """The path is a pipe, a socket or a device; it was not read."""

    def __init__(self, path: str) -> None:
        super().__init__(errno.EINVAL, "it is a pipe, socket or device, not a file", path)


def open_regular(path: str) -> tuple[int, os.stat_result]:
    """Return a descriptor for reading and its status; the caller closes it.

    Opening a pipe does not wait for a writer, and a device is not read.

    Raises:
        NotRegular: The path is a pipe, a socket or a device.
        OSError: The file cannot be opened, or is a folder.
    """
    descriptor = os.open(path, _FLAGS)
    status = os.fstat(descriptor)
    if stat.S_ISREG(status.st_mode):
        return descriptor, status
    os.close(descriptor)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", path)
    raise NotRegular(path)


def read_regular(path: str, limit: int) -> Blob:
    """Read at most `limit` bytes of a regular file.

    Raises:
        OSError: The file cannot be opened or read, or is not a regular file (`NotRegular`).
    """
    descriptor, status = open_regular(path)
    try:
        data = read_at(descriptor, 0, min(status.st_size, limit))
    finally:
        os.close(descriptor)
    return Blob(data, status.st_size, status.st_mtime)


def read_header(path: str) -> Blob:
    """Read the header of the message in a file, including the empty line, or `HEADER_BYTES` if none ends it.

    Raises:
        OSError: As in `read_regular`.
    """
    descriptor, status = open_regular(path)
    try:
        data = os.read(descriptor, _FIRST_BYTES)
        end = header_end(data)
        if end < 0 and len(data) < min(status.st_size, HEADER_BYTES):
            data += read_at(descriptor, len(data), HEADER_BYTES - len(data))
            end = header_end(data)
    finally:
        os.close(descriptor)
    return Blob(data if end < 0 else data[:end], status.st_size, status.st_mtime)


def read_at(descriptor: int, offset: int, length: int) -> bytes:
    """Read `length` bytes from `offset`; fewer only at the end of the file."""
    data = os.pread(descriptor, length, offset)
    if len(data) == length or not data:
        return data
    parts = [data]
    have = len(data)
    while have < length:
        part = os.pread(descriptor, length - have, offset + have)
        if not part:
            break
        parts.append(part)
        have += len(part)
    return b"".join(parts)


def header_end(data: bytes) -> int:
    """Return the offset of the body, after the first empty line; -1 if there is no empty line."""
    if data.startswith((b"\n", b"\r\n")):
        return 1 if data[:1] == b"\n" else 2
    bare = data.find(b"\n\n")
    last = len(data) if bare < 0 else bare
    crlf = data.find(b"\n\r\n", 0, last) if data.find(b"\r", 0, last) >= 0 else -1
    if crlf >= 0:
        return crlf + 3
    return bare + 2 if bare >= 0 else -1


def display(path: str) -> str:
    r"""Return a path as printable text: bytes that are not UTF-8 appear as `\xNN`."""
    return path if path.isascii() else os.fsencode(path).decode("utf-8", "backslashreplace")


def reason(error: OSError) -> str:
    """Return the reason why a file could not be read, as the end of a sentence."""
    if isinstance(error, NotRegular):
        return "it is a pipe, socket or device, not a file"
    known = _REASONS.get(error.errno or 0)
    return known or (error.strerror or "the system gave no reason").lower()
