"""Prepares messages for sending. Entries: `make_ready`, `Delivery`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gaia_email_registry.errors import BadArgument, NeedsApproval
from gaia_mail.mime.read import parse_message
from gaia_mail.mime.scan import normalize

_HEAD_END = re.compile(rb"(\n)\r?\n")
_BCC = re.compile(rb"(?im)^(?:resent-)?bcc[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*\n?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A message to send: bare envelope addresses, and the bytes for every recipient, without `Bcc`."""

    sender: str
    recipients: tuple[str, ...]
    raw: bytes


def require_as_shown(stored: bytes, shown: bytes | None) -> None:
    """Check that a draft is still as the user saw it; None if nobody was asked.

    Raises:
        NeedsApproval: The draft has changed since.
    """
    if shown is not None and stored != shown:
        raise NeedsApproval(
            "The draft was changed since it was shown, so it was not sent. Call again to see it."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyDelivery:
    """The bytes to keep, with `Bcc` for the sender's own copy, and the delivery."""

    kept: bytes
    delivery: Delivery


def make_ready(raw: bytes, account: str, new_id: str) -> ReadyDelivery:
    """Prepare a message for sending; without a `Message-ID` it gets `new_id`, as from a submission server (RFC 6409).

    Raises:
        BadArgument: The message has no recipients.
    """
    message = parse_message(raw)
    everyone = (*message.to, *message.cc, *message.bcc)
    recipients = tuple(dict.fromkeys(person.address for person in everyone if person.address))
    if not recipients:
        raise BadArgument("This message has no recipient; name one in To, Cc or Bcc.", argument="to")
    if not message.message_id:
        raw = f"Message-ID: {new_id}\r\n".encode() + normalize(raw)[0]
    sender = message.sender.address if message.sender is not None and message.sender.address else account
    return ReadyDelivery(
        kept=raw, delivery=Delivery(sender=sender, recipients=recipients, raw=without_bcc(raw))
    )


def without_bcc(raw: bytes) -> bytes:
    """Remove all `Bcc` fields from the header, including folded lines (RFC 5322 §3.6.3)."""
    raw = normalize(raw)[0]
    end = _HEAD_END.search(raw)
    cut = end.end(1) if end is not None else len(raw)
    return _BCC.sub(b"", raw[:cut]) + raw[cut:]
