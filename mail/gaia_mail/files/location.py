"""Where one message's bytes are, so that it can be read again without reading what stands before it.

Entries: `FileLocation`, `read_location`; `short_id` makes the id that people see.
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
    """A message in a file of the file system: from byte `start`, `length` bytes (-1: to the end)."""

    path: str
    start: int = 0
    length: int = -1
    quoted: bool = False
    """Whether body lines that began with `From ` carry a `>` (mbox)."""


class LocatedMail(NamedTuple):
    """A message, and where it can be read again."""

    mail: RawMail
    location: FileLocation


class MailFileReader(Protocol):
    """A file or folder of mail whose messages can be walked, again and again, in one order."""

    def walk(self, *, headers_only: bool) -> Iterator[LocatedMail]:
        """Every message, one in memory at a time; only the header in `raw` with `headers_only`."""
        ...


def read_location(location: FileLocation) -> bytes:
    """The RFC 5322 bytes at a place, cut at `MAX_MESSAGE_BYTES`.

    Raises:
        OSError: The file is gone or cannot be read.
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
    """The id of the message with this `RawMail.key`: twelve characters of `a-z2-7` (60 bits)."""
    digest = blake2b(os.fsencode(key), digest_size=8).digest()
    return base64.b32encode(digest)[:12].decode("ascii").lower()
