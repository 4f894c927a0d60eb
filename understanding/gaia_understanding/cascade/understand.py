"""Decode, prepare and judge one message in one call. Entry points: `decode`, `understand`, `understanding`.

The same code serves `classify` on a file and triage over MCP; nothing here reads a file or a mailbox.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from hashlib import sha256

from gaia_email_registry.contract.wire import Email
from gaia_mail.mime.model import ParsedMessage
from gaia_mail.mime.walk import ENDS_INSIDE
from gaia_understanding.cascade.verdict import Context, Tier, Verdict
from gaia_understanding.prepare.model import Prepared
from gaia_understanding.steps import Steps, last

DEFECTS, DEFECT = 8, 300
"""The most defects that a server may report of a message, and the characters kept of each."""


SMALL = 64 * 1024
"""The most bytes of a message that is kept decoded, so that it is not decoded a second time soon after."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """A message with its preparation and its verdict."""

    prepared: Prepared
    verdict: Verdict

    @property
    def message(self) -> ParsedMessage:
        """The decoded message."""
        return self.prepared.message


def decode(raw: bytes, size: int | None = None) -> ParsedMessage:
    """Decode a message, however broken.

    Args:
        raw: RFC 5322 bytes.
        size: Bytes of the whole message if `raw` was cut; a defect then says so.
    """
    message = _parsed_again(raw) if len(raw) <= SMALL else _parse(raw)
    if size is None or size <= len(raw):
        return message
    found = [defect for defect in message.defects if defect != ENDS_INSIDE]
    cut = f"the message has {size:,} bytes; only the first {len(raw):,} were read"
    return replace(message, size=size, defects=(*found, cut))


def _parse(raw: bytes) -> ParsedMessage:
    from gaia_mail.mime.read import parse_message

    return parse_message(raw)


# The copy of mail stores the text of a message just before it is judged.
_parsed_again = lru_cache(maxsize=128)(_parse)


def raw_bytes(email: Email) -> bytes:
    """Return the RFC 5322 bytes of an answer of `read_emails` with `format: raw`; empty if they are not base64url."""
    raw = email.get("raw", "")
    try:
        return base64.b64decode(raw + "=" * (-len(raw) % 4), altchars=b"-_", validate=True)
    except ValueError:
        return b""


def content_hash(raw: bytes) -> str:
    """Return the hash by which to check that a message's bytes are still those that were judged or copied."""
    return sha256(raw).hexdigest()


def read_raw(email: Email, raw: bytes | None = None) -> ParsedMessage:
    """Decode an answer of `read_emails` with `format: raw`; a defect says if its end is missing.

    The defects of a whole message include those that its server reports. `raw` are its `raw_bytes`, if they
    are known.
    """
    held, told = raw_bytes(email) if raw is None else raw, email.get("defects")
    unreadable = not held and bool(email.get("raw"))
    message = decode(held, email["size"] if told or unreadable else None)
    if not told or email["size"] > len(held):
        return message
    return replace(message, defects=(*message.defects, *(one[:DEFECT] for one in told[:DEFECTS])))


def understand(message: ParsedMessage, context: Context, tier: Tier) -> Understood:
    """Prepare and judge one decoded message in the context of its mailbox."""
    return last(understanding(message, context, tier))


def understanding(message: ParsedMessage, context: Context, tier: Tier) -> Steps[Understood]:
    """Understand one message in steps: many messages are faster if they take each step together."""
    # Imported late: this is half of the program, and listing messages needs none of it.
    from gaia_understanding.cascade.builtin_tier import BuiltinTier
    from gaia_understanding.prepare.pipeline import preparing

    prepared = yield from preparing(message)
    yield
    if isinstance(tier, BuiltinTier):
        verdict = yield from tier.judging(prepared, context)
    else:
        verdict = tier.judge(prepared, context)
    return Understood(prepared=prepared, verdict=verdict)


def failure(error: Exception) -> str:
    """Return the defect of a message on which one of our own rules failed, so that the others can go on."""
    return f"gaia email could not understand this message ({type(error).__name__}); please report it"


def epoch(date: datetime | None) -> float | None:
    """Return the seconds since 1970 of an aware time; None for None."""
    return None if date is None else date.timestamp()
