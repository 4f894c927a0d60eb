"""Gmail's quota: the cost of calls, and the share we use. Entries: `Units`, `bucket_for`.

Gmail allows each user 15,000 units a minute, 250 a second on average. We use at most 150 a second over any half minute,
and up to 900 at once, so that an ordinary call never waits (https://developers.google.com/gmail/api/reference/quota).
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
"""Calendar limits requests: 600 a minute per user (https://developers.google.com/workspace/calendar/api/guides/quota).
"""


class Units(IntEnum):
    """Quota units of our calls, by the last part of the method's name; aliases share a price."""

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
    """Return the bucket of the account with its state in `folder`, shared with other processes."""
    return TokenBucket(rate=RATE, burst=BURST, balance=SharedBalance(folder / "quota.json"))
