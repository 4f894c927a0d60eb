"""Which queue a run waits on: one an account, of which one runs at a time, and one without limit. Entry: `queue_of`."""

from __future__ import annotations

import hashlib
from typing import Literal, get_args

from gaia_email.mailbox.ref import MailboxRef

OverlapRule = Literal["drop", "queue", "parallel"]
"""Where a run of the account is under way: leave this one out, let it wait, or run it beside the other."""

OVERLAPS: tuple[OverlapRule, ...] = get_args(OverlapRule)

SHARED = "runs"


def queue_of(place: MailboxRef) -> str:
    """The name of the account's own queue."""
    return f"account-{hashlib.sha256(place.key.encode()).hexdigest()[:16]}"
