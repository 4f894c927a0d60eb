"""What is kept in memory of each message: `Entry`, some 600 bytes. Entry points: `make_entry`, `Entry.facts`.

Fifty thousand of them have to fit beside a mail client, so header facts are one packed byte string, and
label, flag and directory values are shared between messages.
"""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import NamedTuple

from gaia_email_registry.contract.wire import Address, Changed
from gaia_mail_mcp.files.place import Place
from gaia_mail_mcp.mime.model import Mailbox
from gaia_mail_mcp.mime.scan import HeaderScan, addresses, top_fields

MAX_ADDRESSES = 100
"""Addresses of one header that summaries and searches see; the message itself keeps them all."""

_BCC = re.compile(rb"(?i)\nbcc:")
_FIELD, _ITEM, _PART = "\x1f", "\x1e", "\x1d"
_SEPARATORS = str.maketrans({_FIELD: " ", _ITEM: " ", _PART: " "})


class Facts(NamedTuple):
    """Header facts of a message, as text."""

    message_id: str
    subject: str
    date: str
    list_id: str
    sender: Address
    to: list[Address]
    cc: list[Address]
    bcc: list[Address]


@dataclass(slots=True)
class Entry:
    """One message of the index. `unit` names what it was listed from (a folder, or the whole source)."""

    id: str
    unit: str
    directory: str
    file: str
    start: int
    length: int
    labels: tuple[str, ...]
    flags: tuple[str, ...]
    size: int
    when: float
    """The `Date` header, else the time of arrival, in seconds since the epoch: what messages are sorted by."""
    ordinal: int
    """Its number in the thread index."""
    packed: bytes

    @property
    def path(self) -> str:
        """The file that holds it."""
        return os.path.join(self.directory, self.file)

    @property
    def place(self) -> Place:
        """Where its bytes are."""
        return Place(self.path, self.start, self.length, self.length >= 0)

    def facts(self) -> Facts:
        """The header facts, unpacked."""
        message_id, subject, date, list_id, sender, to, cc, bcc = self.packed.decode().split(_FIELD)
        senders = _addresses(sender)
        return Facts(
            message_id,
            subject,
            date,
            list_id,
            senders[0] if senders else Address(name="", address=""),
            _addresses(to),
            _addresses(cc),
            _addresses(bcc),
        )

    def changed(self) -> Changed:
        """Labels and flags as `sync_emails` tells them."""
        return Changed(id=self.id, labels=list(self.labels), flags=list(self.flags))

    def state(self) -> int:
        """A number that differs when id, labels or flags differ."""
        text = _FIELD.join((self.id, *sorted(self.labels), _ITEM, *sorted(self.flags)))
        return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest())


def pack(scan: HeaderScan, header: bytes) -> bytes:
    """Header facts as one byte string; `header` is what `scan` was made of."""
    bcc = addresses(top_fields(header), "bcc") if _BCC.search(header) else ()
    fields = (
        scan.message_id.translate(_SEPARATORS),
        scan.subject.translate(_SEPARATORS),
        format_date(scan.date),
        scan.list_id.translate(_SEPARATORS),
        _packed_addresses((scan.sender,) if scan.sender else ()),
        _packed_addresses(scan.to),
        _packed_addresses(scan.cc),
        _packed_addresses(bcc),
    )
    return _FIELD.join(field if field.isascii() else _clean(field) for field in fields).encode()


def sort_time(date: datetime | None, modified: float) -> float:
    """When a message is placed in time; dates no clock has fall back to its arrival."""
    moment = date.timestamp() if date is not None else modified
    return moment if math.isfinite(moment) else 0.0


def format_date(date: datetime | None) -> str:
    """RFC 3339, in the zone the sender wrote; empty when unknown."""
    return date.isoformat(timespec="seconds") if date is not None else ""


def _clean(field: str) -> str:
    """Without lone surrogates, which no output can carry."""
    return field.encode("utf-8", "replace").decode()


def _packed_addresses(mailboxes: tuple[Mailbox, ...]) -> str:
    return _ITEM.join(
        f"{mailbox.name.translate(_SEPARATORS)}{_PART}{mailbox.address.translate(_SEPARATORS)}"
        for mailbox in mailboxes[:MAX_ADDRESSES]
    )


def _addresses(packed: str) -> list[Address]:
    if not packed:
        return []
    found: list[Address] = []
    for item in packed.split(_ITEM):
        name, _, address = item.partition(_PART)
        found.append(Address(name=name, address=address))
    return found
