"""One message, understood: decode, prepare, judge, in one call. Entry points: `decode`, `understand`, `understanding`.

The same code serves `classify` on a file and a triage over MCP; nothing here reads a file or a mailbox.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from hashlib import sha256

from gaia_email.cascade.verdict import Context, Tier, Verdict
from gaia_email.prepare.model import Prepared
from gaia_email.steps import Steps, last
from gaia_email_registry.contract.wire import Email
from gaia_mail.mime.model import ParsedMessage
from gaia_mail.mime.walk import ENDS_INSIDE

DEFECTS, DEFECT = 8, 300
"""How many defects a server may tell of a message, and characters of one."""


SMALL = 64 * 1024
"""Bytes of a message that is not decoded a second time within a hundred others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """A message with what was made of it."""

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
        size: Bytes of the whole message where `raw` was cut; a defect then says so.
    """
    message = _parsed_again(raw) if len(raw) <= SMALL else _parsed(raw)
    if size is None or size <= len(raw):
        return message
    found = [defect for defect in message.defects if defect != ENDS_INSIDE]
    cut = f"the message has {size:,} bytes; only the first {len(raw):,} were read"
    return replace(message, size=size, defects=(*found, cut))


def _parsed(raw: bytes) -> ParsedMessage:
    from gaia_mail.mime.read import parse_message

    return parse_message(raw)


# The copy of mail keeps the words of a message just before it is judged.
_parsed_again = lru_cache(maxsize=128)(_parsed)


def raw_bytes(email: Email) -> bytes:
    """The RFC 5322 bytes of a message that `read_emails` answered with `format: raw`; empty if it is no base64url."""
    raw = email.get("raw", "")
    try:
        return base64.b64decode(raw + "=" * (-len(raw) % 4), altchars=b"-_", validate=True)
    except ValueError:
        return b""


def content_hash(raw: bytes) -> str:
    """What tells whether the bytes of a message are still those that were judged or copied."""
    return sha256(raw).hexdigest()


def read_raw(email: Email, raw: bytes | None = None) -> ParsedMessage:
    """Decode a message that `read_emails` answered with `format: raw`; a defect says when its end is missing.

    What else its server says is wrong with a whole message is among its defects, too. `raw` are its `raw_bytes`, where
    they are known.
    """
    held, told = raw_bytes(email) if raw is None else raw, email.get("defects")
    unreadable = not held and bool(email.get("raw"))
    message = decode(held, email["size"] if told or unreadable else None)
    if not told or email["size"] > len(held):
        return message
    return replace(message, defects=(*message.defects, *(one[:DEFECT] for one in told[:DEFECTS])))


def understand(message: ParsedMessage, context: Context, tier: Tier) -> Understood:
    """Prepare and judge one decoded message, in the light of what the mailbox knows."""
    return last(understanding(message, context, tier))


def understanding(message: ParsedMessage, context: Context, tier: Tier) -> Steps[Understood]:
    """As `understand`, in steps: many messages are understood faster when they take each step together."""
    # Late: half of the program, and what is only listed needs none of it.
    from gaia_email.cascade.builtin_tier import BuiltinTier
    from gaia_email.prepare.pipeline import preparing

    prepared = yield from preparing(message)
    yield
    if isinstance(tier, BuiltinTier):
        verdict = yield from tier.judging(prepared, context)
    else:
        verdict = tier.judge(prepared, context)
    return Understood(prepared=prepared, verdict=verdict)


def failure(error: Exception) -> str:
    """The defect of a message that one of our own rules stumbled over: kept and told, the others go on."""
    return f"gaia email could not understand this message ({type(error).__name__}); please report it"


def epoch(date: datetime | None) -> float | None:
    """Seconds since 1970 of an aware time; None stays None."""
    return None if date is None else date.timestamp()
