"""Invitations in iCalendar form (RFC 5545). Entry: `read_meeting`.

A small line reader takes what a verdict shows from the first event, however broken the rest of the file is.
Time zones that only the file itself defines are left to the `icalendar` library, loaded when one turns up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise

from gaia_email.prepare.extract.model import Meeting
from gaia_mail.lazy import lazy_pattern

_MAX_CHARS = 400_000
_MAX_LINES = 20_000

_FOLD = lazy_pattern(r"\r?\n[ \t]|\r(?!\n)[ \t]")
_LINE_END = lazy_pattern(r"\r\n|\n|\r")
_DATE_TIME = lazy_pattern(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z)?)?")
_DURATION = lazy_pattern(
    r"\+?P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,4})M)?(?:(\d{1,5})S)?)?$"
)
_ESCAPES = {"n": "\n", "N": "\n", "\\": "\\", ",": ",", ";": ";", ":": ":", '"': '"'}
_ESCAPED = lazy_pattern(r"\\(.)", re.DOTALL)
_WANTED = frozenset(
    ("SUMMARY", "DTSTART", "DTEND", "DURATION", "LOCATION", "ORGANIZER", "UID", "RECURRENCE-ID")
)


@dataclass(frozen=True, slots=True)
class _Property:
    """A content line: its parameters with upper-case names, and its raw value."""

    parameters: dict[str, str]
    value: str


@dataclass(slots=True)
class _Event:
    properties: dict[str, _Property] = field(default_factory=dict[str, _Property])


def read_meeting(calendars: tuple[str, ...]) -> Meeting | None:
    """The first event of the first calendar that has one; None without any. Never raises.

    Its `method` is the calendar's `METHOD` (RFC 5546). A start or end that cannot be read is `""`.
    """
    for calendar in calendars:
        meeting = _first_event(calendar)
        if meeting is not None:
            return meeting
    return None


def _first_event(calendar: str) -> Meeting | None:
    text = _FOLD.sub("", calendar[:_MAX_CHARS].lstrip("\ufeff"))
    method = ""
    events: list[_Event] = []
    nesting: list[str] = []
    for line in _LINE_END.split(text, _MAX_LINES)[:_MAX_LINES]:
        name, parsed = _content_line(line)
        if name == "BEGIN":
            nesting.append(parsed.value.strip().upper())
            if nesting[-1] == "VEVENT":
                events.append(_Event())
        elif name == "END":
            if nesting:
                nesting.pop()
        elif name == "METHOD" and "VEVENT" not in nesting:
            method = method or parsed.value.strip().upper()
        elif name in _WANTED and nesting and nesting[-1] == "VEVENT":
            events[-1].properties.setdefault(name, parsed)
    if not events:
        return None
    # The series as a whole says more than one changed occurrence of it.
    event = next((event for event in events if "RECURRENCE-ID" not in event.properties), events[0])
    return _meeting(event.properties, method, calendar)


def _content_line(line: str) -> tuple[str, _Property]:
    """`NAME;PARAM=VALUE:value`, cut at the first colon outside quotes."""
    if len(line) > 20_000:
        line = line[:20_000]
    quoted = False
    colon = -1
    semicolons: list[int] = []
    for index, character in enumerate(line[:2_000]):
        if character == '"':
            quoted = not quoted
        elif not quoted and character == ":":
            colon = index
            break
        elif not quoted and character == ";":
            semicolons.append(index)
    if colon < 0:
        return "", _Property({}, "")
    head = line[:colon]
    edges = [*semicolons, len(head)]
    name = head[: edges[0]].strip().upper()
    if "." in name:
        name = name.rpartition(".")[2]
    parameters: dict[str, str] = {}
    for left, right in pairwise(edges):
        key, _, value = head[left + 1 : right].partition("=")
        parameters[key.strip().upper()] = value.strip().strip('"')
    return name, _Property(parameters, line[colon + 1 :])


def _meeting(properties: dict[str, _Property], method: str, calendar: str) -> Meeting:
    starts = _when(properties.get("DTSTART"), calendar)
    ends = _when(properties.get("DTEND"), calendar)
    duration = properties.get("DURATION")
    if ends is None and starts is not None and duration is not None:
        ends = _plus(starts, duration.value)
    return Meeting(
        summary=_text(properties.get("SUMMARY")),
        start=_iso(starts),
        end=_iso(ends),
        location=_text(properties.get("LOCATION")),
        organizer=_organizer(properties.get("ORGANIZER")),
        method=method,
        uid=_text(properties.get("UID")),
        source="ics",
    )


def _text(found: _Property | None) -> str:
    if found is None:
        return ""
    return _ESCAPED.sub(lambda match: _ESCAPES.get(match[1], "\\" + match[1]), found.value).strip()


def _organizer(found: _Property | None) -> str:
    """The organizer's address where it is one, else the name."""
    if found is None:
        return ""
    address = found.value.strip()
    if address[:7].lower() == "mailto:":
        address = address[7:]
    return address if "@" in address else found.parameters.get("CN", address)


def _when(found: _Property | None, calendar: str) -> date | None:
    if found is None:
        return None
    value = found.value.strip()
    match = _DATE_TIME.search(value[:200])
    if match is None:
        return None
    try:
        day = date(int(match[1]), int(match[2]), int(match[3]))
        if match[4] is None:
            return day
        clock = time(int(match[4]) % 24, int(match[5]), min(int(match[6] or 0), 59))
        instant = datetime.combine(day, clock)
    except ValueError:
        return None
    if match[7]:
        return instant.replace(tzinfo=UTC)
    zone = found.parameters.get("TZID", "")
    return _in_zone(instant, zone, calendar) if zone else instant


def _in_zone(instant: datetime, zone: str, calendar: str) -> datetime:
    """`instant` with the offset it has in `zone`; as it was, without offset, when nobody knows the zone."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    # Mozilla and libical write "/example.org/20070129_1/Europe/Berlin".
    parts = zone.strip("/").split("/")
    for first in range(min(len(parts), 6)):
        try:
            return instant.replace(tzinfo=ZoneInfo("/".join(parts[first:])))
        except (ZoneInfoNotFoundError, ValueError, OSError):
            continue
    return _in_zone_of_file(instant, zone, calendar)


def _in_zone_of_file(instant: datetime, zone: str, calendar: str) -> datetime:
    try:
        from icalendar import Calendar

        for component in Calendar.from_ical(calendar[:_MAX_CHARS]).events:
            start = component.decoded("DTSTART")
            if isinstance(start, datetime) and start.tzinfo is not None:
                return instant.replace(tzinfo=start.tzinfo)
    except Exception:
        return instant
    return instant


def _plus(start: date, duration: str) -> date | None:
    match = _DURATION.match(duration.strip().upper())
    if match is None:
        return None
    weeks, days, hours, minutes, seconds = (int(group or 0) for group in match.groups())
    span = timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    try:
        return start + span
    except OverflowError:
        return None


def _iso(when: date | None) -> str:
    if when is None:
        return ""
    try:
        return when.isoformat()
    except (ValueError, OverflowError):
        return ""
