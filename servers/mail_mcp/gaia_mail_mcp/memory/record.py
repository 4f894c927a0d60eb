"""One message of a memory mailbox: `Record`, and how it looks in a list and to a search."""

from __future__ import annotations

import datetime as dt
import html
import re

from gaia_email_registry.contract.wire import Address, Changed, Summary
from gaia_mail_mcp.memory.labels import LabelState, ordered
from gaia_mail_mcp.mime.model import Mailbox as Person
from gaia_mail_mcp.mime.model import ParsedMessage
from gaia_mail_mcp.mime.read import parse_message
from gaia_mail_mcp.query.match import SearchDocument

SNIPPET_CHARACTERS = 200
_TAG = re.compile(r"<[^<>]{0,2000}>")
_FLAGS = (("STARRED", "\\Flagged"), ("DRAFT", "\\Draft"))


class Record:
    """A message and what can change about it.

    Attributes:
        number: Position in the order of arrival, which is also its ordinal in the thread index.
        received: Seconds since the epoch: what lists are sorted by.
        snoozed_until: Seconds since the epoch, None when it is not snoozed.
    """

    __slots__ = ("id", "message", "number", "raw", "received", "snoozed_until", "state")

    def __init__(self, number: int, raw: bytes, labels: tuple[str, ...], now: dt.datetime) -> None:
        self.number = number
        self.id = f"m{number}"
        self.raw = raw
        self.message: ParsedMessage = parse_message(raw)
        self.received = (self.message.date or now).timestamp()
        self.snoozed_until: float | None = None
        self.state = LabelState(labels)

    @property
    def labels(self) -> set[str]:
        """Label ids."""
        return self.state.labels

    @property
    def order(self) -> tuple[float, int]:
        """Sorts oldest first."""
        return self.received, self.number

    def flags(self) -> list[str]:
        """IMAP system flags."""
        seen = [] if "UNREAD" in self.labels else ["\\Seen"]
        return seen + [flag for label, flag in _FLAGS if label in self.labels]

    def changed(self) -> Changed:
        """Its labels and flags as they are now."""
        return {"id": self.id, "labels": ordered(self.labels), "flags": self.flags()}

    def summary(self, account: str, thread_id: str) -> Summary:
        """How it looks in a list."""
        message = self.message
        return {
            "id": self.id,
            "account": account,
            "thread_id": thread_id,
            "message_id": message.message_id,
            "subject": message.subject,
            "from": _address(message.sender),
            "to": [_address(person) for person in message.to],
            "cc": [_address(person) for person in message.cc],
            "date": message.date.isoformat(timespec="seconds") if message.date else "",
            "snippet": _snippet(self.text()),
            "labels": ordered(self.labels),
            "flags": self.flags(),
            "size": len(self.raw),
            "has_attachments": any(not part.inline for part in message.attachments),
        }

    def text(self) -> str:
        """The plain text, or roughly that of the HTML."""
        return self.message.text or html.unescape(_TAG.sub(" ", self.message.html))

    def document(self, names: tuple[str, ...]) -> SearchDocument:
        """How a search sees it; `names` are those of its labels."""
        message = self.message
        snoozed = ("SNOOZED",) if self.snoozed_until is not None else ()
        return SearchDocument(
            sender=_header((message.sender,) if message.sender else ()),
            to=_header(message.to),
            cc=_header(message.cc),
            bcc=_header(message.bcc),
            delivered_to=", ".join(message.headers.get_all("delivered-to")),
            subject=message.subject,
            body=self.text,
            labels=(*self.labels, *names, *snoozed),
            date=self.received,
            size=len(self.raw),
            filenames=tuple(part.filename for part in message.attachments if part.filename),
            message_id=message.message_id,
            list_id=message.headers.get("list-id", ""),
            has_attachment=any(not part.inline for part in message.attachments),
        )


def _address(person: Person | None) -> Address:
    return {"name": person.name, "address": person.address} if person else {"name": "", "address": ""}


def _header(people: tuple[Person, ...]) -> str:
    return ", ".join(f"{person.name} <{person.address}>".strip() for person in people)


def _snippet(text: str) -> str:
    line = " ".join(text[: SNIPPET_CHARACTERS * 8].split())
    return line if len(line) <= SNIPPET_CHARACTERS else line[: SNIPPET_CHARACTERS - 1].rstrip() + "…"
