"""Times and spans as people write them. Entry points: `until_epoch`, `since_epoch`, `instant_text`."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta

from gaia_email_registry.errors import BadArgument

MORNING, EVENING = time(8), time(18)
"""Hour assumed for a day named without one; for today it is the evening."""

_SPAN = re.compile(r"(?:in\s+)?(\d{1,5})\s*(h|hours?|d|days?|w|weeks?|m|months?|y|years?)", re.IGNORECASE)
_SPAN_HOURS = {"h": 1, "d": 24, "w": 24 * 7, "m": 24 * 30, "y": 24 * 365}


def until_epoch(text: str, now: datetime) -> float:
    """Return the time at which something is to return, in epoch seconds; `now` is in this machine's zone.

    `4h`, `3 days` and `1w` count from `now`. A date or time is in this machine's zone unless it names one. A
    day in words, such as `tomorrow`, `friday 14:00` or `next week`, is read as in a mail written today
    (`gaia_understanding.prepare.extract.dates`), and starts at `MORNING` if it has no hour.

    Raises:
        BadArgument: It has none of these forms.
    """
    instant = _instant(text, now, 1) or _day_in_words(text, now)
    if instant is None:
        raise _refused(
            text,
            "until",
            "a span such as 3d, a day such as tomorrow or friday, nor a time such as 2030-01-31T08:00",
        )
    return instant.timestamp()


def since_epoch(text: str | None, now: datetime) -> float | None:
    """Return the time `7d`, `12h`, `2w`, `3m`, `1y` before `now`, or a date `2026-11-02`, as epoch seconds.

    Raises:
        BadArgument: It has neither form.
    """
    if not text:
        return None
    instant = _instant(text, now, -1)
    if instant is None:
        raise _refused(text, "since", "a span such as 7d nor a date such as 2026-11-02")
    return instant.timestamp()


def instant_text(instant: float) -> str:
    """Return an epoch time in the near future as local time."""
    return datetime.fromtimestamp(instant, UTC).astimezone().strftime("%a %d %b, %H:%M")


def _instant(text: str, now: datetime, direction: int) -> datetime | None:
    """Return a span from `now` or an ISO 8601 date; None if it is invalid or out of range."""
    match = _SPAN.fullmatch(text.strip())
    try:
        if match:
            return now + direction * timedelta(hours=int(match[1]) * _SPAN_HOURS[match[2][0].lower()])
        date = datetime.fromisoformat(text.strip())
        date = date if date.tzinfo else date.astimezone()
        date.timestamp()
    except (ValueError, OverflowError, OSError):
        return None
    return date


def _day_in_words(text: str, now: datetime) -> datetime | None:
    from gaia_understanding.prepare.extract.dates import find_dates
    from gaia_understanding.prepare.extract.view import view_of

    words = text.strip()
    for found in find_dates(view_of(words), now):
        if (found.start, found.end) == (0, len(words)):
            at = found.at or (EVENING if found.day == now.date() else MORNING)
            return datetime.combine(found.day, at).astimezone()
    return None


def _refused(text: str, argument: str, forms: str) -> BadArgument:
    return BadArgument(f"{text!r} is neither {forms}.", argument=argument)
