"""One message of a `MemoryMailbox`: its bytes, what was read from them once, and its labels. Entry: `Message`."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass, field
from functools import cached_property

from gaia_email_registry.contract.wire import Address, Changed, Summary
from gaia_mail_mcp.glance import Content, content, glance
from gaia_mail_mcp.memory.standing import Standing
from gaia_mail_mcp.mime.model import Mailbox as Person
from gaia_mail_mcp.mime.model import ParsedMessage
from gaia_mail_mcp.mime.read import parse_message, scan_headers
from gaia_mail_mcp.query.match import SearchDocument

MAX_ADDRESSES = 100
"""Addresses of one header that summaries and searches see; the message itself keeps them all."""


@dataclass(kw_only=True)
class Message:
    """A message and where it stands; `number` counts arrivals."""

    id: str
    number: int
    raw: bytes
    standing: Standing
    received: float
    thread_id: str = ""
    snoozed_until: dt.datetime | None = None
    created: int = field(default=0)
    """The position in the history at which it was added."""

    def __post_init__(self) -> None:
        self.scan = scan_headers(self.raw)
        date = self.scan.date
        moment = date.timestamp() if date is not None else self.received
        self.when = moment if math.isfinite(moment) else self.received

    @property
    def labels(self) -> frozenset[str]:
        """Its label ids."""
        return self.standing.labels

    @property
    def key(self) -> tuple[float, int]:
        """What messages are sorted by: newest first; of one second the later arrival."""
        return (-self.when, -self.number)

    @property
    def flags(self) -> tuple[str, ...]:
        r"""IMAP system flags, as the labels say; `\Seen` is the absence of `UNREAD`."""
        pairs = (
            ("\\Seen", "UNREAD" not in self.labels),
            ("\\Flagged", "STARRED" in self.labels),
            ("\\Draft", "DRAFT" in self.labels),
        )
        return tuple(flag for flag, is_set in pairs if is_set)

    @cached_property
    def content(self) -> Content:
        """What a search can see beyond the header."""
        return content(self.raw)

    @cached_property
    def _glance(self) -> tuple[str, bool]:
        return glance(self.raw)

    def parsed(self) -> ParsedMessage:
        """The whole message, decoded."""
        return parse_message(self.raw)

    def summary(self, account: str) -> Summary:
        """The message in a list."""
        scan = self.scan
        snippet, has_attachments = self._glance
        return {
            "id": self.id,
            "account": account,
            "thread_id": self.thread_id,
            "message_id": scan.message_id,
            "subject": scan.subject,
            "from": _address(scan.sender),
            "to": [_address(person) for person in scan.to[:MAX_ADDRESSES]],
            "cc": [_address(person) for person in scan.cc[:MAX_ADDRESSES]],
            "date": scan.date.isoformat(timespec="seconds") if scan.date is not None else "",
            "snippet": snippet,
            "labels": sorted(self.labels),
            "flags": list(self.flags),
            "size": len(self.raw),
            "has_attachments": has_attachments,
        }

    def changed(self) -> Changed:
        """Labels and flags as `changes` tells them."""
        return Changed(id=self.id, labels=sorted(self.labels), flags=list(self.flags))

    def document(self, names: dict[str, str]) -> SearchDocument:
        """What a search sees; `names` gives the name of each label id."""
        scan, found = self.scan, self.content
        labels = dict.fromkeys(sorted(self.labels))
        labels.update(dict.fromkeys(names[label] for label in sorted(self.labels) if label in names))
        if self.snoozed_until is not None:
            labels["SNOOZED"] = None
        return SearchDocument(
            sender=_text(scan.sender),
            to=", ".join(map(_text, scan.to[:MAX_ADDRESSES])),
            cc=", ".join(map(_text, scan.cc[:MAX_ADDRESSES])),
            bcc=", ".join(map(_text, self._bcc)),
            delivered_to=found.delivered_to,
            subject=scan.subject,
            body=lambda: "\n".join((found.text, *found.filenames)),
            labels=tuple(labels),
            date=self.when,
            size=len(self.raw),
            filenames=found.filenames,
            message_id=scan.message_id,
            list_id=scan.list_id,
            has_attachment=found.has_attachments,
        )

    @cached_property
    def _bcc(self) -> tuple[Person, ...]:
        has_one = b"\nbcc:" in self.raw.lower() or self.raw[:4].lower() == b"bcc:"
        return self.parsed().bcc[:MAX_ADDRESSES] if has_one else ()


def _address(person: Person | None) -> Address:
    return Address(name=person.name, address=person.address) if person else Address(name="", address="")


def _text(person: Person | None) -> str:
    if person is None:
        return ""
    return f"{person.name} <{person.address}>" if person.name else person.address
