"""Packs header facts of a message into one byte string, for large indexes. Entries: `pack`, `unpack`.

`facts_of` reads them from a scanned header; `summary_of` turns them into a list entry.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from gaia_email_registry.contract.wire import Address, Summary
from gaia_mail.mime.headers import HeaderFields
from gaia_mail.mime.model import MailboxAddress
from gaia_mail.mime.scan import HeaderScan, addresses

MAX_ADDRESSES = 100
"""Addresses per header field in summaries and searches; the parsed message keeps them all."""

_FIELD, _ITEM, _PART = "\x1f", "\x1e", "\x1d"
_SEPARATORS = str.maketrans({_FIELD: " ", _ITEM: " ", _PART: " "})


class HeaderFacts(NamedTuple):
    """Header facts of a message as text."""

    message_id: str
    subject: str
    date: str
    list_id: str
    sender: Address
    to: list[Address]
    cc: list[Address]
    bcc: list[Address]


def facts_of(scan: HeaderScan) -> HeaderFacts:
    """Return the facts of a scanned header; `bcc` is empty, as a scan does not include it."""
    return HeaderFacts(
        scan.message_id,
        scan.subject,
        format_date(scan.date),
        scan.list_id,
        _address(scan.sender),
        [_address(person) for person in scan.to[:MAX_ADDRESSES]],
        [_address(person) for person in scan.cc[:MAX_ADDRESSES]],
        [],
    )


def summary_of(
    facts: HeaderFacts,
    *,
    message: str,
    account: str,
    thread: str,
    snippet: str,
    labels: Iterable[str],
    flags: Iterable[str],
    size: int,
    has_attachments: bool,
) -> Summary:
    """Return the list entry for a message; `message` and `thread` are ids, `size` is in bytes."""
    return {
        "id": message,
        "account": account,
        "thread_id": thread,
        "message_id": facts.message_id,
        "subject": facts.subject,
        "from": facts.sender,
        "to": facts.to,
        "cc": facts.cc,
        "date": facts.date,
        "snippet": snippet,
        "labels": list(labels),
        "flags": list(flags),
        "size": size,
        "has_attachments": has_attachments,
    }


def pack(scan: HeaderScan, header: HeaderFields) -> bytes:
    """Pack header facts into one byte string; `header` contains the fields that `scan` was made from."""
    fields = (
        _plain(scan.message_id),
        _plain(scan.subject),
        format_date(scan.date),
        _plain(scan.list_id),
        _pack_address(scan.sender) if scan.sender else "",
        _pack_addresses(scan.to),
        _pack_addresses(scan.cc),
        _pack_addresses(addresses(header, "bcc")),
    )
    # Lone surrogates, which cannot be encoded, become question marks.
    return _FIELD.join(fields).encode("utf-8", "replace")


def unpack(packed: bytes) -> HeaderFacts:
    """Return the facts packed by `pack`."""
    message_id, subject, date, list_id, sender, to, cc, bcc = packed.decode().split(_FIELD)
    senders = _addresses(sender)
    return HeaderFacts(
        message_id,
        subject,
        date,
        list_id,
        senders[0] if senders else Address(name="", address=""),
        _addresses(to),
        _addresses(cc),
        _addresses(bcc),
    )


def sender_of(packed: bytes) -> str:
    """Return the author's address in lower case from bytes packed by `pack`."""
    return unpack(packed).sender["address"].lower()


def people_of(packed: bytes) -> frozenset[str]:
    """Return the addresses of author and recipients in lower case from bytes packed by `pack`."""
    facts = unpack(packed)
    return frozenset(one["address"].lower() for one in (facts.sender, *facts.to, *facts.cc))


def address_text(people: list[Address]) -> str:
    """Addresses as a header shows them, for searching."""
    return ", ".join(
        f"{item['name']} <{item['address']}>" if item["name"] else item["address"] for item in people
    )


def format_date(date: datetime | None) -> str:
    """Format a date as RFC 3339 in the sender's time zone; empty if unknown."""
    return date.isoformat(timespec="seconds") if date is not None else ""


def _address(person: MailboxAddress | None) -> Address:
    return Address(name=person.name, address=person.address) if person else Address(name="", address="")


def _plain(text: str) -> str:
    """Replace the separators in `text` with spaces."""
    return text if text.isprintable() else text.translate(_SEPARATORS)


def _pack_addresses(mailboxes: tuple[MailboxAddress, ...]) -> str:
    if len(mailboxes) == 1:
        return _pack_address(mailboxes[0])
    return _ITEM.join([_pack_address(mailbox) for mailbox in mailboxes[:MAX_ADDRESSES]])


def _pack_address(mailbox: MailboxAddress) -> str:
    return f"{_plain(mailbox.name)}{_PART}{_plain(mailbox.address)}"


def _addresses(packed: str) -> list[Address]:
    if not packed:
        return []
    pairs = [item.partition(_PART) for item in packed.split(_ITEM)]
    return [{"name": name, "address": address} for name, _, address in pairs]
