"""The dates of a recurring event (RFC 5545 section 3.8.5). Entries: `next_date` and `in_words`.

`dateutil` expands a rule, within bounds: rules by the hour, with thousands of dates a day or with none cost
no time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import islice

from gaia_mail.lazy import lazy_pattern

_UNITS = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}
_WEEKDAYS = {"MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday"}
_DAYS = {**_WEEKDAYS, "SA": "Saturday", "SU": "Sunday"}
_PARTS = frozenset(
    ("FREQ", "INTERVAL", "BYDAY", "BYMONTH", "BYMONTHDAY", "BYSETPOS", "BYWEEKNO", "BYYEARDAY", "WKST")
)
_VALUE = lazy_pattern(r"[A-Z0-9,+-]{1,120}\Z")
_UNTIL = lazy_pattern(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?Z?)?\Z")
_EARLIEST, _LATEST, _HORIZON_YEARS = 1970, 9_000, 5
_MOST_DATES = 30_000


def next_date(
    first: date,
    rules: Iterable[str],
    extra: Iterable[date],
    without: Collection[date],
    after: date,
    zone: tzinfo | None,
) -> date | None:
    """Return the first date of a series at or after `after`, else its last one; None if every one is removed.

    All dates are on the clock of the event: all naive, or all without a time. `without` has those that were
    cancelled or moved. A rule that cannot be expanded within bounds adds no dates. `zone` is that of the
    clock, for a rule's end in UTC.
    """
    dates = {first, *extra}
    for rule in islice(rules, 5):
        dates.update(_around(first, rule, after, zone))
    left = sorted(dates.difference(without))
    return next((day for day in left if day >= after), left[-1] if left else None)


def _around(first: date, rule: str, after: date, zone: tzinfo | None) -> list[date]:
    """Return the dates of a rule up to some years after `after`."""
    parts = _bound(_parts(rule))
    if first.year < _EARLIEST or parts.get("FREQ") not in _UNITS or max(first.year, after.year) > _LATEST:
        return []
    from dateutil.rrule import rrule as DatesOfRule
    from dateutil.rrule import rrulestr

    dated = isinstance(first, datetime)
    start = first if isinstance(first, datetime) else datetime.combine(first, time())
    end = datetime.combine(date(max(after.year, first.year) + _HORIZON_YEARS, 12, 31), time())
    end = min(end, _until(parts.get("UNTIL", ""), zone) or end)
    text = ";".join(f"{name}={value}" for name, value in parts.items() if name in _PARTS)
    count = parts.get("COUNT", "")
    most = min(int(count), _MOST_DATES) if count.isdigit() else _MOST_DATES
    try:
        expanded = rrulestr(text, dtstart=start)
        if not isinstance(expanded, DatesOfRule):
            return []
        expanded = expanded.replace(until=end)
        found = [day if dated else day.date() for day in islice(expanded, most)]
    except (ValueError, OverflowError, TypeError, AttributeError):
        return []
    return found


def _parts(rule: str) -> dict[str, str]:
    """Return a rule's parts; an empty dict for one that names hours, minutes or seconds, or is malformed."""
    parts: dict[str, str] = {}
    for part in rule.strip().upper().rstrip(";").split(";")[:15]:
        name, equals, value = part.partition("=")
        if not equals or name in ("BYHOUR", "BYMINUTE", "BYSECOND") or not _VALUE.match(value):
            return {}
        parts[name] = value
    return parts


def _bound(parts: dict[str, str]) -> dict[str, str]:
    """Return a rule's parts changed so that the search for its dates ends soon; an empty dict if it cannot.

    `dateutil` searches for a date that never comes day by day until the year 9999, by the year 365 times as
    fast. A daily rule with further conditions is the same as a yearly rule with those conditions; so is a
    monthly rule.
    """
    named = parts.keys() - {"FREQ", "INTERVAL", "UNTIL", "COUNT", "WKST"}
    unit = parts.get("FREQ")
    if unit == "WEEKLY":
        months = parts.get("BYMONTH", "1").split(",")
        usual = named <= {"BYDAY", "BYMONTH"} and all(month in map(str, range(1, 13)) for month in months)
        return parts if usual else {}
    if (unit == "DAILY" and named) or (unit == "MONTHLY" and "BYMONTH" in named):
        usual = parts.get("INTERVAL", "1") == "1" and "BYSETPOS" not in named
        return {**parts, "FREQ": "YEARLY"} if usual else {}
    return parts


def _until(value: str, zone: tzinfo | None) -> datetime | None:
    """Return a rule's end on the event's clock; a day counts as a whole."""
    found = _UNTIL.match(value)
    if found is None:
        return None
    try:
        day = datetime.combine(date(int(found[1]), int(found[2]), int(found[3])), time())
        if found[4] is None:
            return day + timedelta(days=1, seconds=-1)
        end = day.replace(hour=int(found[4]), minute=int(found[5]), second=min(int(found[6] or 0), 59))
        return (
            end.replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None)
            if zone and value[-1] == "Z"
            else end
        )
    except (ValueError, OverflowError):
        return None


def in_words(rules: Iterable[str], *, has_dates: bool) -> str:
    """Return the repetition of an event, as `every week` or `on several dates`; `""` if it does not repeat."""
    for rule in rules:
        parts = _parts(rule)
        unit = _UNITS.get(parts.get("FREQ", ""), "")
        if not unit:
            return "repeatedly"
        interval = parts.get("INTERVAL", "1")
        every = f"every {unit}" if interval in ("", "1") else f"every {interval} {unit}s"
        days = [_DAYS[day] for day in parts.get("BYDAY", "").split(",") if day in _DAYS]
        if days == list(_WEEKDAYS.values()):
            return "every weekday"
        return f"{every} on {', '.join(days)}" if days else every
    return "on several dates" if has_dates else ""
