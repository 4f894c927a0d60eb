"""Working days in the owner's zone. Entries: `working_days`, `is_due`."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gaia_email.triage.followups.standing import ThreadStanding

ANSWER_DAYS, WAIT_DAYS = 1, 3
"""Working days until an answer from the owner, and one to the owner, is due if no date was named."""

_WEEKEND = 5
_LONGEST = 3_660
"""Maximum number of days checked one by one; a longer span is cut off here."""


def working_days(since: float, until: float, zone: tzinfo, away: Collection[date] = ()) -> int:
    """Return the number of working days between two times, not counting the day of the first.

    Args:
        since: Epoch seconds.
        until: Epoch seconds; the result is 0 if it is before `since`.
        zone: The owner's zone.
        away: Days off in addition to Saturdays and Sundays.
    """
    first, last = (datetime.fromtimestamp(one, UTC).astimezone(zone).date() for one in (since, until))
    days = min((last - first).days, _LONGEST)
    return sum(_works(first + timedelta(days=number), away) for number in range(1, days + 1))


def is_due(standing: ThreadStanding, now: float, zone: tzinfo, away: Collection[date] = ()) -> bool:
    """Return True if an answer is overdue: past the named date, or past the usual number of working days."""
    if standing.owes not in ("you", "they"):
        return False
    if standing.until is not None:
        return now >= standing.until
    wanted = ANSWER_DAYS if standing.owes == "you" else WAIT_DAYS
    return working_days(standing.since, now, zone, away) >= wanted


def _works(day: date, away: Collection[date]) -> bool:
    return day.weekday() < _WEEKEND and day not in away
