"""What tests of snoozed messages share: a clock to set, and what lies where. Entries: `Clock`, `lying`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from tools.mail_servers.other_client import OtherClient

START = datetime(2030, 1, 1, 8, tzinfo=UTC).timestamp()
UNTIL = "2030-01-01T09:00:00+00:00"
"""An hour after `START`."""
MARK = "gaia/snoozed-until-2030-01-01T09:00:00Z"
"""The keyword of what sleeps until then."""

Lying = set[tuple[str, frozenset[str]]]


@dataclass(slots=True)
class Clock:
    """Epoch seconds, which pass when a test says so."""

    now: float = START

    def __call__(self) -> float:
        return self.now


def lying(other: OtherClient) -> Lying:
    """Folder and flags of every copy; fails where two are the same in both, for then one is too many."""
    found = [
        (folder, frozenset(held.flags) - {"\\Recent"})
        for folder, messages in other.everything().items()
        for held in messages.values()
        if "\\Deleted" not in held.flags
    ]
    assert len(found) == len(set(found)), f"a message lies somewhere twice: {found}"
    return set(found)
