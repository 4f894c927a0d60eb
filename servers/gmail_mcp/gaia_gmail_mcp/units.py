"""Gmail's quota: what calls cost, and how much of it we take. Entries: `Units`, `bucket_for`.

Gmail allows a user 15,000 units a minute, 250 a second on average. Over any half minute we take at most 150 a
second, and 900 at once, so that an ordinary call never waits
(https://developers.google.com/gmail/api/reference/quota).
"""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path

from gaia_mail_mcp.pacing import SharedBalance, TokenBucket

RATE = 120.0
BURST = 900.0
LIMIT = 150.0
"""Units a second over `WINDOW_S`: `BURST / (LIMIT - RATE)` seconds."""
WINDOW_S = 30.0


CALENDAR_RATE = 8.0
CALENDAR_BURST = 60.0
"""Calendar counts requests, 600 a minute a user (https://developers.google.com/workspace/calendar/api/guides/quota)."""


class Units(IntEnum):
    """Quota units of the calls we make, by the last part of the method's name; aliases share a price."""

    PROFILE = 1
    LIST_SETTINGS = 1
    HISTORY = 2
    MESSAGE = 5
    """Get, list, modify, trash, attachment, label or filter change."""
    THREAD = 10
    DRAFT = 10
    """Create or delete; a message's permanent deletion too."""
    UPDATE_DRAFT = 15
    MANY = 50
    """batchModify, batchDelete, stop."""
    SEND = 100
    """Send a message or a draft; watch."""


def bucket_for(folder: Path) -> TokenBucket:
    """The bucket of the account that keeps its state in `folder`, shared with other processes."""
    return TokenBucket(rate=RATE, burst=BURST, balance=SharedBalance(folder / "quota.json"))
