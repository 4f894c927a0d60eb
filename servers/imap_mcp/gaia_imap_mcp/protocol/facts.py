"""Facts about a message that the index stores, and the message's id. Entries: `read_head`, `MessageHead`."""

from __future__ import annotations

import calendar
import math
from datetime import datetime
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

from gaia_mail.header_facts import pack
from gaia_mail.mime.scan import HeaderScan, normalize, summarize, top_fields
from gaia_mail.snippet import glance_fields
from gaia_mail.subjects import base_subject
from gaia_mail.threads import MOST_PEOPLE, claim_of

HEAD_BYTES = 65_536
"""Bytes fetched of a message to index it."""

_SIGNED = 1 << 64
_MONTHS = {month: number for number, month in enumerate(calendar.month_abbr) if month}


class MessageHead(NamedTuple):
    """A message as it enters the index."""

    id: str
    instant: float
    size: int
    facts: bytes
    snippet: str
    has_attachments: bool
    own: int
    """Hash of its Message-ID or a substitute; ids of other messages are hashed the same way."""
    chain: tuple[int, ...]
    """Hashes of the ids it refers to, in their order."""
    subject: int
    """Hash of the subject without `Re:`; 0 if there is none."""
    orphan: bool
    """True for a reply that names no parent."""
    claim: int
    """Hash of its Message-ID, sender and subject: a Message-ID with another claim belongs to another message."""
    sender: str
    """The author's address, lower case."""
    people: frozenset[str]
    """Addresses of author and recipients, lower case."""
    thread: int | None
    """The conversation that the server assigns (Gmail); None if it assigns none."""


def read_head(
    head: bytes, size: int, received: bytes, *, server_id: str = "", server_thread: str = ""
) -> MessageHead:
    """Read the first `HEAD_BYTES` of a message; never raises.

    Args:
        head: The bytes.
        size: RFC822.SIZE.
        received: INTERNALDATE, used if the message has no date.
        server_id: The server's id of the message, the same in every folder (Gmail, RFC 8474). If empty, the id is
            made from header and size, which are also the same in every folder.
        server_thread: The server's id of the conversation; empty if it has none.
    """
    raw = normalize(head)[0]
    header = top_fields(raw)
    scan = summarize(header)
    seen = glance_fields(raw, header)
    when = _instant(scan.date, received)
    base, answers = base_subject(scan.subject) if scan.subject else ("", False)
    named = scan.message_id or f"{scan.subject}\0{when!r}"
    own = hash_text("id" if scan.message_id else "none", named)
    sender = scan.sender.address.lower() if scan.sender else ""
    recipients = (one.address.lower() for one in (*scan.to, *scan.cc))
    chain = _chain(scan, own)
    return MessageHead(
        _id("server", server_id.encode()) if server_id else content_id(head, size),
        when,
        size,
        pack(scan, header),
        _clean(seen.snippet),
        seen.has_attachments,
        own,
        chain,
        hash_text("subject", base) if base else 0,
        answers and bool(base) and not chain,
        _to_int64(claim_of(named, sender, base)) or 1,
        sender,
        frozenset(islice(filter(None, (sender, *recipients)), MOST_PEOPLE)),
        hash_text("hint", server_thread) if server_thread else None,
    )


def _chain(scan: HeaderScan, own: int) -> tuple[int, ...]:
    ids = scan.references or scan.in_reply_to[:1]
    if not ids:
        return ()
    return tuple(dict.fromkeys([number for id_ in ids if (number := hash_text("id", id_)) != own]))


def content_id(head: bytes, size: int) -> str:
    """Return the id of a message: the same in every folder, and after every move."""
    end = head.find(b"\r\n\r\n", 0, HEAD_BYTES)
    header = head[:HEAD_BYTES] if end < 0 else head[: end + 4]
    return _id(f"header {size}", header)


def hash_text(kind: str, text: str) -> int:
    """Return a hash of a text that SQLite can store: 64 bits, signed."""
    digest = blake2b(f"{kind}\0{text}".encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


def _to_int64(number: int) -> int:
    return number - _SIGNED if number >= _SIGNED // 2 else number


def thread_text(thread: int) -> str:
    """Return the id of a conversation: 16 hexadecimal digits."""
    return f"{thread % _SIGNED:016x}"


def thread_number(text: str) -> int | None:
    """Return the conversation with this id; None if the id is not valid."""
    if len(text) != 16 or text.strip("0123456789abcdef"):
        return None
    return _to_int64(int(text, 16))


def read_internal_date(value: bytes) -> float:
    """Return the epoch seconds of a date such as `17-Jul-1996 02:44:25 -0700`; 0 if it cannot be read."""
    try:
        date, clock, zone = value.decode("ascii", "replace").split()
        day, month, year = date.split("-")
        hour, minute, second = clock.split(":")
        instant = calendar.timegm((int(year), _MONTHS[month], int(day), int(hour), int(minute), int(second)))
        offset = int(zone[1:3]) * 3600 + int(zone[3:5]) * 60
        return float(instant - offset if zone[0] == "+" else instant + offset)
    except (ValueError, KeyError, IndexError, OverflowError):
        return 0.0


def _id(kind: str, data: bytes) -> str:
    return blake2b(data, digest_size=8, key=kind.encode()).hexdigest()


def _instant(date: datetime | None, received: bytes) -> float:
    instant = date.timestamp() if date is not None else read_internal_date(received)
    return instant if math.isfinite(instant) else 0.0


def _clean(text: str) -> str:
    """Replace lone surrogates, which cannot be encoded for output."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
