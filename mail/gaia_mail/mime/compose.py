"""Composes a correct RFC 5322 message. Entry: `compose_message`; `reply.py` prepares replies and forwards.

Output is 7-bit (quoted-printable or base64, whichever is shorter), with CRLF line ends, format=flowed text, and no
header that an argument could inject. The same `NewMessage` with a date and a message id gives the same bytes.
"""

from __future__ import annotations

import binascii
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from gaia_email_registry.clock import utc_now
from gaia_email_registry.errors import BadArgument
from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.encode import fold_addresses, fold_ids, fold_parameters, fold_text
from gaia_mail.mime.filename import safe_filename
from gaia_mail.mime.flowed import flow
from gaia_mail.mime.model import MailboxAddress

MimeType = Literal["text/plain", "text/html", "multipart/alternative"]
AutoSubmitted = Literal["", "auto-replied", "auto-generated"]

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_CONTENT_TYPE = lazy_pattern(r"[A-Za-z0-9!#$&^_.+-]{1,127}/[A-Za-z0-9!#$&^_.+-]{1,127}\Z")
_CONTENT_ID = lazy_pattern(r"[!-;=?-~]{1,200}\Z")
_DOMAIN = lazy_pattern(r"[A-Za-z0-9.-]{1,253}\Z")
_MAX_LINE = 990


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingFile:
    """A file to attach; with a `content_id` (no angle brackets), an image that the HTML shows as `cid:…`."""

    filename: str
    content_type: str
    content: bytes
    content_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMessage:
    """A message to compose.

    Attributes:
        sender: The `From` mailbox.
        bcc: Blind copies; included in the bytes only for a draft.
        text: The plain body; lines that begin with `>` are quotes.
        html: The HTML body, or None.
        mime_type: Selects the bodies to send; None sends all there are. `text/html` without `html` sends `text` as
            HTML.
        inline: Images of the HTML body, each with a `content_id`.
        in_reply_to: Message-ID of the answered message, with angle brackets, or `""`.
        references: Message-IDs of the thread, oldest first.
        date: Value of `Date`; None for the current time. A naive date counts as UTC.
        message_id: The message's own id with angle brackets; `""` generates one.
        id_domain: Right side of a generated id; `""` uses the sender's domain.
        auto_submitted: Marks mail that no person wrote, and its type (RFC 3834 §5); `""` for a person's mail.
    """

    sender: MailboxAddress
    to: tuple[MailboxAddress, ...] = ()
    cc: tuple[MailboxAddress, ...] = ()
    bcc: tuple[MailboxAddress, ...] = ()
    reply_to: tuple[MailboxAddress, ...] = ()
    subject: str = ""
    text: str = ""
    html: str | None = None
    mime_type: MimeType | None = None
    attachments: tuple[OutgoingFile, ...] = ()
    inline: tuple[OutgoingFile, ...] = ()
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    date: datetime | None = None
    message_id: str = ""
    id_domain: str = ""
    auto_submitted: AutoSubmitted = ""


@dataclass(frozen=True, slots=True)
class _Part:
    head: str
    body: bytes

    def wire(self) -> bytes:
        return self.head.encode() + b"\r\n" + self.body


def compose_message(outgoing: NewMessage, *, keep_bcc: bool = False) -> bytes:
    """Return the bytes of `outgoing`, ready to send or, with `keep_bcc`, to store as a draft.

    Raises:
        BadArgument: A header value, file name or content type contains a line break or control character, or an address
            or id cannot be written; the error names the argument.
    """
    body = _body(outgoing)
    head = _header(outgoing, keep_bcc=keep_bcc) + "MIME-Version: 1.0\r\n" + body.head
    return head.encode() + b"\r\n" + body.body


def _header(outgoing: NewMessage, *, keep_bcc: bool) -> str:
    date = outgoing.date or utc_now()
    lines = [f"Date: {_rfc5322_date(date)}\r\n", fold_addresses("From", [outgoing.sender], "from")]
    named = [
        ("Reply-To", outgoing.reply_to, "reply_to"),
        ("To", outgoing.to, "to"),
        ("Cc", outgoing.cc, "cc"),
        ("Bcc", outgoing.bcc, "bcc"),
    ]
    for name, mailboxes, argument in named:
        folded = fold_addresses(name, mailboxes, argument) if mailboxes else ""
        if name != "Bcc" or keep_bcc:
            lines.append(folded)
    lines.append(fold_text("Subject", outgoing.subject, "subject"))
    lines.append(fold_ids("Message-ID", [outgoing.message_id or _new_id(outgoing)], "message_id"))
    if outgoing.in_reply_to:
        lines.append(fold_ids("In-Reply-To", [outgoing.in_reply_to], "in_reply_to"))
    if outgoing.references:
        lines.append(fold_ids("References", outgoing.references, "references"))
    if outgoing.auto_submitted:
        lines.append(f"Auto-Submitted: {outgoing.auto_submitted}\r\n")
    return "".join(lines)


def _rfc5322_date(date: datetime) -> str:
    date = date if date.tzinfo is not None else date.replace(tzinfo=UTC)
    return f"{_DAYS[date.weekday()]}, {date.day:02d} {_MONTHS[date.month - 1]} {date.year:04d} {date:%H:%M:%S %z}"[
        :31
    ]


def _new_id(outgoing: NewMessage) -> str:
    import secrets

    domain = outgoing.id_domain or outgoing.sender.address.rpartition("@")[2]
    if not _DOMAIN.match(domain):
        domain = "localhost.invalid"
    return f"<{secrets.token_hex(16)}@{domain}>"


def _body(outgoing: NewMessage) -> _Part:
    part = _text_parts(outgoing)
    if outgoing.attachments:
        part = _multipart("mixed", [part, *(_file_part(file, inline=False) for file in outgoing.attachments)])
    return part


def _text_parts(outgoing: NewMessage) -> _Part:
    html, kind = outgoing.html, outgoing.mime_type
    if kind == "text/html" and html is None:
        html = outgoing.text
    if html is None or kind == "text/plain":
        return _text_part(outgoing.text, "plain")
    part = _text_part(html, "html")
    if outgoing.inline:
        part = _multipart("related", [part, *(_file_part(file, inline=True) for file in outgoing.inline)])
    if kind == "text/html" or (kind is None and not outgoing.text.strip()):
        return part
    return _multipart("alternative", [_text_part(outgoing.text, "plain"), part])


def _text_part(text: str, subtype: Literal["plain", "html"]) -> _Part:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    parameters = [("charset", "utf-8")]
    if subtype == "plain":
        text = flow(text)
        parameters.append(("format", "flowed"))
    data = text.encode("utf-8", "replace").replace(b"\n", b"\r\n")
    head = fold_parameters("Content-Type", f"text/{subtype}", parameters, "mime_type")
    encoding, encoded = _transfer(data)
    return _Part(head + f"Content-Transfer-Encoding: {encoding}\r\n", encoded)


def _transfer(data: bytes) -> tuple[str, bytes]:
    """Return the shortest 7-bit form of CRLF text."""
    lines = data.split(b"\r\n")
    harmless = b"\0" not in data and not any(line.startswith((b"From ", b".")) for line in lines)
    if data.isascii() and harmless and all(len(line) <= _MAX_LINE for line in lines):
        return "7bit", data
    quoted = binascii.b2a_qp(data, istext=True)
    quoted = quoted.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    quoted = re.sub(rb"(?m)^(From |\.)", lambda found: b"=%02X" % found[1][0] + found[1][1:], quoted)
    size = (len(data) + 2) // 3 * 4
    if size + size // 76 * 2 < len(quoted):
        return "base64", _base64(data)
    return "quoted-printable", quoted


def _base64(data: bytes) -> bytes:
    encoded = binascii.b2a_base64(data, newline=False)
    return b"\r\n".join(encoded[at : at + 76] for at in range(0, len(encoded), 76))


def _file_part(file: OutgoingFile, *, inline: bool) -> _Part:
    argument = "inline" if inline else "attachments"
    content_type = file.content_type.lower() or "application/octet-stream"
    if not _CONTENT_TYPE.match(content_type):
        raise BadArgument(
            f"{argument} has a content type that is not like application/pdf. Correct it and try again.",
            argument=argument,
        )
    if content_type.startswith("multipart/"):
        content_type = "application/octet-stream"
    name = _file_name(file.filename, argument)
    named = [("filename", name)] if name else []
    head = fold_parameters("Content-Type", content_type, [("name", name)] if name else [], argument)
    head += fold_parameters("Content-Disposition", "inline" if inline else "attachment", named, argument)
    if inline or file.content_id:
        if not _CONTENT_ID.match(file.content_id):
            raise BadArgument(f"{argument} has a content id that cannot be written.", argument=argument)
        head += f"Content-ID: <{file.content_id}>\r\n"
    if content_type == "message/rfc822":
        # RFC 2046 section 5.2.1 allows no other encoding of an attached message.
        encoding = "7bit" if file.content.isascii() else "8bit"
        crlf = file.content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        return _Part(head + f"Content-Transfer-Encoding: {encoding}\r\n", crlf)
    return _Part(head + "Content-Transfer-Encoding: base64\r\n", _base64(file.content))


def _file_name(filename: str, argument: str) -> str:
    if re.search(r"[\x00-\x1f\x7f]", filename):
        raise BadArgument(
            f"{argument} has a filename with line breaks or control characters. Rename it and try again.",
            argument=argument,
        )
    return safe_filename(filename)


def _multipart(subtype: str, parts: Sequence[_Part]) -> _Part:
    wires = [part.wire() for part in parts]
    digest = hashlib.sha256(b"\0".join(wires)).hexdigest()
    boundary = f"=_{digest[:32]}"
    while any(boundary.encode() in wire for wire in wires):
        digest = hashlib.sha256(digest.encode()).hexdigest()
        boundary = f"=_{digest[:32]}"
    delimiter = b"--" + boundary.encode()
    body = b"".join(delimiter + b"\r\n" + wire + b"\r\n" for wire in wires) + delimiter + b"--\r\n"
    return _Part(
        fold_parameters("Content-Type", f"multipart/{subtype}", [("boundary", boundary)], "subject"), body
    )
