"""What leaves a memory mailbox: `Delivery`, `delivery_of`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gaia_email_registry.errors import BadArgument
from gaia_mail_mcp.mime.read import parse_message

_BLIND = re.compile(rb"(?im)^(?:resent-)?bcc[ \t]*:.*(?:\r?\n[ \t].*)*\r?\n?")
_HEADER_END = re.compile(rb"\r?\n(?=\r?\n)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A message on its way: the envelope's addresses, and the bytes the recipients get."""

    sender: str
    recipients: tuple[str, ...]
    raw: bytes


def delivery_of(raw: bytes) -> Delivery:
    """What sending `raw` transports: to everyone in To, Cc and Bcc, without the Bcc field (RFC 5322 §3.6.3).

    Raises:
        BadArgument: There is no recipient.
    """
    message = parse_message(raw)
    people = (*message.to, *message.cc, *message.bcc)
    recipients = tuple(dict.fromkeys(person.address for person in people if person.address))
    if not recipients:
        raise BadArgument("This message has no recipient; give it a To, Cc or Bcc.", argument="to")
    sender = message.sender.address if message.sender else ""
    return Delivery(sender=sender, recipients=recipients, raw=without_bcc(raw))


def without_bcc(raw: bytes) -> bytes:
    """`raw` without its `Bcc` fields; nothing else is touched."""
    end = _HEADER_END.search(raw)
    cut = end.end() if end else len(raw)
    return _BLIND.sub(b"", raw[:cut]) + raw[cut:]
