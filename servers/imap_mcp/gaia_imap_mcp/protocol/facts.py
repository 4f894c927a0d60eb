"""What the index keeps of a message's content, and the message's id. Entries: `read_head`, `MessageHead`."""

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
"""How much of a message is fetched to index it."""

_SIGNED = 1 << 64
_MONTHS = {month: number for number, month in enumerate(calendar.month_abbr) if month}


class MessageHead(NamedTuple):
    """A message as the index takes it in."""

    id: str
    instant: float
    size: int
    facts: bytes
    snippet: str
    has_attachments: bool
    own: int
    """Hash of its Message-ID, or of what stands for it; ids of others are hashed the same way."""
    chain: tuple[int, ...]
    """Hashes of the ids it refers to, the first one first."""
    subject: int
    """Hash of the subject without `Re:`; 0 without one."""
    orphan: bool
    """Whether it is a reply that names no parent."""
    claim: int
    """Who uses this Message-ID, and above what subject."""
    sender: str
    """The author's address, lower case."""
    people: frozenset[str]
    """Addresses that took part, lower case: author and recipients."""
    thread: int | None
    """The conversation the server says it belongs to (Gmail)."""


def read_head(
    head: bytes, size: int, received: bytes, *, server_id: str = "", server_thread: str = ""
) -> MessageHead:
    """Read the first `HEAD_BYTES` of a message; never raises.

    Args:
        head: The bytes.
        size: RFC822.SIZE.
        received: INTERNALDATE, which counts where the message has no date.
        server_id: The id the server gives the message whatever its folder (Gmail, RFC 8474); else the id is
            made from header and size, which are the same in every folder, too.
        server_thread: The conversation, where the server says it.
    """
    raw = normalize(head)[0]
    header = top_fields(raw)
    scan = summarize(header)
    seen = glance_fields(raw, header)
    when = _instant(scan.date, received)
    base, answers = base_subject(scan.subject) if scan.subject else ("", False)
    named = scan.message_id or f"{scan.subject}\0{when!r}"
    own = hashed("id" if scan.message_id else "none", named)
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
        hashed("subject", base) if base else 0,
        answers and bool(base) and not chain,
        _signed(claim_of(named, sender, base)) or 1,
        sender,
        frozenset(islice(filter(None, (sender, *recipients)), MOST_PEOPLE)),
        hashed("hint", server_thread) if server_thread else None,
    )


def _chain(scan: HeaderScan, own: int) -> tuple[int, ...]:
    ids = scan.references or scan.in_reply_to[:1]
    if not ids:
        return ()
    return tuple(dict.fromkeys([number for id_ in ids if (number := hashed("id", id_)) != own]))


def content_id(head: bytes, size: int) -> str:
    """The id of a message: the same in every folder, and after every move."""
    end = head.find(b"\r\n\r\n", 0, HEAD_BYTES)
    header = head[:HEAD_BYTES] if end < 0 else head[: end + 4]
    return _id(f"header {size}", header)


def hashed(kind: str, text: str) -> int:
    """A number for a text, as SQLite keeps numbers: 64 bits with a sign."""
    digest = blake2b(f"{kind}\0{text}".encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


def _signed(number: int) -> int:
    return number - _SIGNED if number >= _SIGNED // 2 else number


def thread_text(thread: int) -> str:
    """The id of a conversation: 16 hexadecimal digits."""
    return f"{thread % _SIGNED:016x}"


def thread_number(text: str) -> int | None:
    """The conversation of an id; None when it is none."""
    if len(text) != 16 or text.strip("0123456789abcdef"):
        return None
    return _signed(int(text, 16))


def read_internal_date(value: bytes) -> float:
    """Seconds since the epoch of `17-Jul-1996 02:44:25 -0700`; 0 when it is not readable."""
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
    """Without lone surrogates, which no output can carry."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
