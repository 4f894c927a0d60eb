"""What the literal slots of a template can be filled with: things found in the mail. Entry point: `values_of`."""

from __future__ import annotations

import re

from gaia_email.prepare.extract.model import Entities
from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.model import ParsedMessage

SLOTS = (
    "requester_name",
    "requester_first_name",
    "sent_on",
    "amount",
    "merchant",
    "order_number",
    "tracking_number",
)
"""Every name a literal slot can have; one of which the mail holds nothing stays unfilled, and nothing is sent."""

_NAME = lazy_pattern(r"[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){0,4}")
"""What a person is called. A display name is the sender's to choose, and no place for a link or an order."""

_LONGEST = 60


def values_of(message: ParsedMessage, entities: Entities) -> dict[str, str]:
    """What was found, by the name of the slot; each one line, and only what is there."""
    name = _name(message)
    receipt = entities.receipt
    money = f"{receipt.total} {receipt.currency}".strip() if receipt and receipt.total else ""
    found = {
        "requester_name": name,
        "requester_first_name": name.partition(" ")[0],
        "sent_on": f"{message.date:%Y-%m-%d}" if message.date else "",
        "amount": money or (entities.money[0].text if entities.money else ""),
        "merchant": receipt.merchant if receipt else "",
        "order_number": receipt.order_number if receipt else "",
        "tracking_number": entities.tracking[0].number if entities.tracking else "",
    }
    return {key: value for key in SLOTS if (value := re.sub(r"\s+", " ", found[key]).strip())}


def _name(message: ParsedMessage) -> str:
    if message.sender is None:
        return ""
    last, comma, first = message.sender.name.strip().partition(",")
    name = f"{first.strip()} {last.strip()}" if comma else last
    return name if len(name) <= _LONGEST and _NAME.fullmatch(name) else ""
