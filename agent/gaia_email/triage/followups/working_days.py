"""Working days of the owner's zone. Entries: `working_days`, `is_due`."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gaia_email.triage.followups.standing import ThreadStanding

ANSWER_DAYS, WAIT_DAYS = 1, 3
"""Working days after which an answer of the owner's, and one to the owner, is due where no day was named."""

_WEEKEND = 5
_LONGEST = 3_660
"""Days that are looked at one by one; longer than that is long enough."""


def working_days(since: float, until: float, zone: tzinfo, away: Collection[date] = ()) -> int:
    """How many working days lie between two times, the day of the first one not counted.

    Args:
        since: Epoch seconds.
        until: Epoch seconds; before `since` it is 0.
        zone: The owner's.
        away: Days on which the owner does not work besides Saturdays and Sundays.
    """
    first, last = (datetime.fromtimestamp(one, UTC).astimezone(zone).date() for one in (since, until))
    days = min((last - first).days, _LONGEST)
    return sum(_works(first + timedelta(days=number), away) for number in range(1, days + 1))


def is_due(standing: ThreadStanding, now: float, zone: tzinfo, away: Collection[date] = ()) -> bool:
    """Whether what is owed should have come by now: the day that was named is over, or the usual days are."""
    if standing.owes not in ("you", "they"):
        return False
    if standing.until is not None:
        return now >= standing.until
    wanted = ANSWER_DAYS if standing.owes == "you" else WAIT_DAYS
    return working_days(standing.since, now, zone, away) >= wanted


def _works(day: date, away: Collection[date]) -> bool:
    return day.weekday() < _WEEKEND and day not in away
