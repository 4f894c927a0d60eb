"""Time zones by the names that calendar programs give them. Entry: `find_zone`.

IANA and Windows names, Outlook's display names (`(UTC+01:00) Amsterdam, Berlin`) and plain offsets
(`GMT+0100`). `ics` reads zones that a calendar file defines itself, before an offset in their name counts.
"""

from __future__ import annotations

from datetime import timedelta, timezone, tzinfo
from functools import cache, lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from gaia_mail.lazy import lazy_pattern

_OFFSET = lazy_pattern(
    r"\(?\s?(?:UTC|GMT|Z)?\s?([+\u2212-])\s?(\d{1,2})(?::?([0-5]\d))?(?::?[0-5]\d)?\s?(?:\)\s?(.{0,120}))?\Z",
)
_MICROSOFT = "tzone://microsoft/"
_MOST_HOURS = 14
"""UTC+14 is the farthest zone."""


@lru_cache(maxsize=256)
def find_zone(name: str) -> tzinfo | None:
    """Return the zone of this name, ignoring an offset in it; None if no table has it."""
    name = name.strip().strip('"')
    if name[: len(_MICROSOFT)].casefold() == _MICROSOFT:
        name = name[len(_MICROSOFT) :].upper()
    # Mozilla and libical write "/example.org/20070129_1/Europe/Berlin".
    parts = name.strip("/").split("/")
    for first in range(min(len(parts), 6)):
        if (zone := _iana("/".join(parts[first:]))) is not None:
            return zone
    return _iana(_windows().get(name.casefold(), ""))


@lru_cache(maxsize=256)
def zone_by_offset(name: str) -> tzinfo | None:
    """Return the zone of a name with an offset from UTC: that of a city named after it, else a fixed one."""
    found = _OFFSET.match(name.strip())
    if found is None:
        return None
    hours, minutes = int(found[2]), int(found[3] or 0)
    if hours > _MOST_HOURS:
        return None
    offset = timedelta(hours=hours, minutes=minutes) * (1 if found[1] == "+" else -1)
    return _zone_of_place(found[4] or "", offset) or timezone(offset)


def _zone_of_place(places: str, offset: timedelta) -> tzinfo | None:
    """Return the zone of the first place in a display name whose standard time is this offset."""
    from datetime import datetime

    for place in places.split(",")[:8]:
        key = place.strip().casefold()
        standard = f"{key.partition(' time')[0]} standard time"
        for name in (_cities().get(key.replace(" ", "_"), ""), _windows().get(standard, "")):
            zone = _iana(name)
            if zone is None:
                continue
            winter, summer = (datetime(2024, month, 1, tzinfo=zone) for month in (1, 7))
            standards = [day.utcoffset() for day in (winter, summer) if not day.dst()]
            if offset in standards:
                return zone
    return None


def _iana(name: str) -> tzinfo | None:
    if not name:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


@cache
def _windows() -> dict[str, str]:
    from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

    return {name.casefold(): zone for name, zone in WINDOWS_TO_OLSON.items()}


@cache
def _cities() -> dict[str, str]:
    return {name.rpartition("/")[2].casefold(): name for name in sorted(available_timezones()) if "/" in name}
