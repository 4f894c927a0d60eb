"""Converts scripted messages to RFC 5322 bytes, with the headers a provider would add. Entry: `render`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, getaddresses, parseaddr

from gaia_email.app.sample.script import Scripted

SAMPLE_OWNER = "alex.rivera@lindenwerk.example"
OWNER_NAME = "Alex Rivera"
PROVIDER = "mx.lindenwerk.example"
REFERENCES_KEPT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A message ready to be stored. `flags` are Maildir's letters (`S` seen, `F` flagged, `R` answered)."""

    name: str
    raw: bytes
    folder: str
    flags: str


def message_id(name: str, sender: str) -> str:
    """Return a message's id, derived from its name alone."""
    domain = parseaddr(sender)[1].rpartition("@")[2] or "lindenwerk.example"
    return f"<{hashlib.blake2b(name.encode(), digest_size=9).hexdigest()}@{domain}>"


def render(script: Scripted, by_name: Mapping[str, Scripted], now: datetime) -> Rendered:
    """Build the message; `by_name` resolves the message it answers.

    Raises:
        KeyError: It answers an unknown message.
    """
    date = now - timedelta(seconds=script.age_s)
    message = EmailMessage(policy=SMTP)
    _trace_headers(message, script, date)
    message["From"] = _addresses(script.sender or f"{OWNER_NAME} <{SAMPLE_OWNER}>")
    message["To"] = _addresses(script.to or f"{OWNER_NAME} <{SAMPLE_OWNER}>")
    if script.cc:
        message["Cc"] = _addresses(script.cc)
    message["Subject"] = script.subject
    message["Date"] = format_datetime(date)
    message["Message-ID"] = message_id(script.name, script.sender)
    _thread_headers(message, script, by_name)
    if script.list_id:
        _list_headers(message, script)
    for name, value in script.headers:
        message[name] = value
    _content(message, script)
    return Rendered(
        name=script.name,
        raw=message.as_bytes(),
        folder=next((label for label in script.labels if label in ("SENT", "SPAM", "ARCHIVE")), "INBOX"),
        flags="".join(sorted(_FLAGS[label] for label in script.labels if label in _FLAGS)),
    )


_FLAGS = {"SEEN": "S", "STARRED": "F", "ANSWERED": "R", "SENT": "S"}


def _addresses(text: str) -> list[Address]:
    return [Address(display_name=name, addr_spec=address) for name, address in getaddresses([text])]


def _trace_headers(message: EmailMessage, script: Scripted, date: datetime) -> None:
    if "SENT" in script.labels or script.auth == "none":
        return
    domain = parseaddr(script.sender)[1].rpartition("@")[2]
    word = "pass" if script.auth == "pass" else "fail"
    message["Received"] = (
        f"from mail.{domain} (mail.{domain} [192.0.2.{len(script.name) % 250 + 1}]) by {PROVIDER} with ESMTPS "
        f"for <{SAMPLE_OWNER}>; {format_datetime(date)}"
    )
    message["Authentication-Results"] = (
        f"{PROVIDER}; spf={word} smtp.mailfrom={domain}; dkim={word} header.d={domain}; "
        f"dmarc={word} header.from={domain}"
    )


def _thread_headers(message: EmailMessage, script: Scripted, by_name: Mapping[str, Scripted]) -> None:
    ids: list[str] = []
    name = script.answers
    while name:
        parent = by_name[name]
        ids.insert(0, message_id(parent.name, parent.sender))
        name = parent.answers
    if ids:
        message["In-Reply-To"] = ids[-1]
        message["References"] = " ".join(ids[-REFERENCES_KEPT:])


def _list_headers(message: EmailMessage, script: Scripted) -> None:
    message["List-Id"] = f"<{script.list_id}>"
    if script.unsubscribe:
        message["List-Unsubscribe"] = f"<{script.unsubscribe}>"
        if script.unsubscribe.startswith("https:"):
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"


def _content(message: EmailMessage, script: Scripted) -> None:
    if script.text or not script.html:
        message.set_content(
            script.text or "\n", cte="quoted-printable" if not script.text.isascii() else "7bit"
        )
        if script.html:
            message.add_alternative(script.html, subtype="html", cte="quoted-printable")
    else:
        message.set_content(script.html, subtype="html", cte="quoted-printable")
    if script.ics:
        method = next((one for one in ("CANCEL", "REPLY") if f"METHOD:{one}" in script.ics), "REQUEST")
        message.add_attachment(
            script.ics.strip().replace("\n", "\r\n").encode() + b"\r\n",
            maintype="text",
            subtype="calendar",
            filename="invite.ics",
            params={"method": method},
        )
    for filename, size in script.attachments:
        kind = _KINDS.get(filename.rpartition(".")[2], "octet-stream")
        seed = hashlib.blake2b(filename.encode(), digest_size=32).digest()
        message.add_attachment(
            (_MAGIC.get(kind, b"") + seed * (size // 32 + 1))[:size],
            maintype="image" if kind in ("png", "jpeg") else "application",
            subtype=kind,
            filename=filename,
        )
    if message.is_multipart():
        _fixed_boundaries(message, script.name)


def _fixed_boundaries(message: EmailMessage, name: str) -> None:
    for number, part in enumerate(part for part in message.walk() if part.is_multipart()):
        digest = hashlib.blake2b(f"{name}/{number}".encode(), digest_size=8).hexdigest()
        part.set_boundary(f"=_{digest}")


_KINDS = {
    "pdf": "pdf",
    "zip": "zip",
    "png": "png",
    "jpg": "jpeg",
    "docx": "vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_MAGIC = {
    "pdf": b"%PDF-1.7\n",
    "png": b"\x89PNG\r\n\x1a\n",
    "jpeg": b"\xff\xd8\xff\xe0",
    "zip": b"PK\x03\x04",
}
