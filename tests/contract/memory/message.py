"""One message of a `MemoryMailbox`: its bytes, what was read from them once, and its labels. Entry: `MemoryMessage`."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass, field
from functools import cached_property

from gaia_email_registry.contract.wire import Changed, Summary
from gaia_mail.header_facts import MAX_ADDRESSES, facts_of, summary_of
from gaia_mail.mime.model import MailboxAddress, ParsedMessage
from gaia_mail.mime.read import parse_message, scan_headers
from gaia_mail.query.match import SearchableMessage
from gaia_mail.snippet import SearchableContent, content, glance
from gaia_mail_mcp.label_names import flags_of
from gaia_mail_mcp.label_state import LabelState


@dataclass(kw_only=True)
class MemoryMessage:
    """A message and where it stands; `number` counts arrivals."""

    id: str
    number: int
    raw: bytes
    state: LabelState
    received: float
    thread_id: str = ""
    snoozed_until: dt.datetime | None = None
    created: int = field(default=0)
    """The position in the history at which it was added."""

    def __post_init__(self) -> None:
        self.scan = scan_headers(self.raw)
        date = self.scan.date
        instant = date.timestamp() if date is not None else self.received
        self.when = instant if math.isfinite(instant) else self.received

    @property
    def labels(self) -> frozenset[str]:
        """Its label ids."""
        return self.state.labels

    @property
    def key(self) -> tuple[float, int]:
        """What messages are sorted by: newest first; of one second the later arrival."""
        return (-self.when, -self.number)

    @property
    def flags(self) -> tuple[str, ...]:
        r"""IMAP system flags, as the labels say; `\Seen` is the absence of `UNREAD`."""
        return tuple(flags_of(self.labels))

    @cached_property
    def content(self) -> SearchableContent:
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
        snippet, has_attachments = self._glance
        return summary_of(
            facts_of(self.scan),
            message=self.id,
            account=account,
            thread=self.thread_id,
            snippet=snippet,
            labels=sorted(self.labels),
            flags=self.flags,
            size=len(self.raw),
            has_attachments=has_attachments,
        )

    def changed(self) -> Changed:
        """Labels and flags as `changes` tells them."""
        return Changed(id=self.id, labels=sorted(self.labels), flags=list(self.flags))

    def document(self, names: dict[str, str]) -> SearchableMessage:
        """What a search sees; `names` gives the name of each label id."""
        scan, found = self.scan, self.content
        labels = dict.fromkeys(sorted(self.labels))
        labels.update(dict.fromkeys(names[label] for label in sorted(self.labels) if label in names))
        if self.snoozed_until is not None:
            labels["SNOOZED"] = None
        return SearchableMessage(
            sender=_text(scan.sender),
            to=", ".join(map(_text, scan.to[:MAX_ADDRESSES])),
            cc=", ".join(map(_text, scan.cc[:MAX_ADDRESSES])),
            bcc=", ".join(map(_text, self._bcc)),
            delivered_to=found.delivered_to,
            subject=scan.subject,
            body=lambda: found.searchable,
            labels=tuple(labels),
            date=self.when,
            size=len(self.raw),
            filenames=found.filenames,
            message_id=scan.message_id,
            list_id=scan.list_id,
            has_attachment=found.has_attachments,
        )

    @cached_property
    def _bcc(self) -> tuple[MailboxAddress, ...]:
        has_one = b"\nbcc:" in self.raw.lower() or self.raw[:4].lower() == b"bcc:"
        return self.parsed().bcc[:MAX_ADDRESSES] if has_one else ()


def _text(person: MailboxAddress | None) -> str:
    if person is None:
        return ""
    return f"{person.name} <{person.address}>" if person.name else person.address
