"""The location of one message's bytes, from which it can be re-read directly.

Entries: `FileLocation`, `read_location`; `short_id` makes the id shown to users.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator
from hashlib import blake2b
from typing import NamedTuple, Protocol

from gaia_mail.files.mbox import unquote
from gaia_mail.files.model import MAX_MESSAGE_BYTES, RawMail
from gaia_mail.files.opening import header_end, open_regular, read_at, read_regular


class FileLocation(NamedTuple):
    """A message in a file: `length` bytes from byte `start` (-1: to the end)."""

    path: str
    start: int = 0
    length: int = -1
    quoted: bool = False
    """True if body lines that begin with `From ` are escaped with `>` (mbox)."""


class LocatedMail(NamedTuple):
    """A message, and the location to re-read it from."""

    mail: RawMail
    location: FileLocation


class MailFileReader(Protocol):
    """A mail file or folder whose messages can be iterated repeatedly in the same order."""

    def walk(self, *, headers_only: bool) -> Iterator[LocatedMail]:
        """Yield every message, with one in memory at a time; `headers_only` limits `raw` to the header."""
        ...


def read_location(location: FileLocation) -> bytes:
    """Return the RFC 5322 bytes at a location, cut at `MAX_MESSAGE_BYTES`.

    Raises:
        OSError: The file is missing or unreadable.
    """
    if location.length < 0 and not location.start:
        return read_regular(location.path, MAX_MESSAGE_BYTES).data
    descriptor, status = open_regular(location.path)
    try:
        length = status.st_size - location.start if location.length < 0 else location.length
        raw = read_at(descriptor, location.start, max(min(length, MAX_MESSAGE_BYTES), 0))
    finally:
        os.close(descriptor)
    return unquote(raw, max(header_end(raw), 0)) if location.quoted else raw


def short_id(key: str) -> str:
    """Return the id for a `RawMail.key`: twelve characters of `a-z2-7` (60 bits)."""
    digest = blake2b(os.fsencode(key), digest_size=8).digest()
    return base64.b32encode(digest)[:12].decode("ascii").lower()
