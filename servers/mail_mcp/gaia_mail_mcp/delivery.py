"""What leaves a mailbox by sending: `Delivery`, and how a message is made ready to go. Entry: `make_ready`."""

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
    """A message on its way: the envelope's bare addresses, and the bytes every recipient gets, without `Bcc`."""

    sender: str
    recipients: tuple[str, ...]
    raw: bytes


def require_as_shown(stored: bytes, shown: bytes | None) -> None:
    """A draft goes out as it was shown, or not at all; None where nobody was asked.

    Raises:
        NeedsApproval: It was changed since.
    """
    if shown is not None and stored != shown:
        raise NeedsApproval(
            "The draft was changed since it was shown, so it was not sent. Call again to see it."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyDelivery:
    """The bytes to keep (with `Bcc`, as the sender's own copy has it), and what leaves."""

    kept: bytes
    delivery: Delivery


def make_ready(raw: bytes, account: str, new_id: str) -> ReadyDelivery:
    """A message as it goes out; one without a `Message-ID` gets `new_id`, as from a submission server (RFC 6409).

    Raises:
        BadArgument: It has no recipient.
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
    """`raw` with every `Bcc` field of its header taken out, folded lines and all (RFC 5322 §3.6.3)."""
    raw = normalize(raw)[0]
    end = _HEAD_END.search(raw)
    cut = end.end(1) if end is not None else len(raw)
    return _BCC.sub(b"", raw[:cut]) + raw[cut:]
