"""The queue of a run: one per account that runs one job at a time, or one without a limit. Entry: `queue_of`."""

from __future__ import annotations

import hashlib
from typing import Literal, get_args

from gaia_email.mailbox.ref import MailboxRef

OverlapRule = Literal["drop", "queue", "parallel"]
"""Rule if a run of the account is active: drop the new one, queue it, or run both in parallel."""

OVERLAPS: tuple[OverlapRule, ...] = get_args(OverlapRule)

SHARED = "runs"


def queue_of(place: MailboxRef) -> str:
    """Return the name of the account's own queue."""
    return f"account-{hashlib.sha256(place.key.encode()).hexdigest()[:16]}"
