"""Invitations in iCalendar form (RFC 5545). Entry: `read_meeting`.

A small line reader takes what a verdict shows from the first event, however broken the rest of the file is;
of a series it takes the next date after the mail. Time zones that only the file itself defines are left to
the `icalendar` library, which is loaded when one turns up.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from itertools import pairwise

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.prepare.extract.ics_recurrence import in_words, next_date
from gaia_understanding.prepare.extract.ics_zones import find_zone, zone_by_offset
from gaia_understanding.prepare.extract.model import Meeting

_MAX_CHARS = 400_000
_MAX_LINES = 20_000

_FOLD = lazy_pattern(r"\r?\n[ \t]|\r(?!\n)[ \t]")
_LINE_END = lazy_pattern(r"\r\n|\n|\r")
_DATE_TIME = lazy_pattern(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z)?)?")
_DURATION = lazy_pattern(
    r"\+?P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,4})M)?(?:(\d{1,5})S)?)?$"
)
_TOO_OFTEN = lazy_pattern(
    r"FREQ=(?:SECOND|MINUTE|HOUR|DAI|WEEK)LY(?=[^:]{0,200}\s[\s\S]{0,2000}END:(?:STANDARD|DAYLIGHT))"
)
"""A zone that changes more often than monthly, in which looking up a time would take hours."""
_ESCAPES = {"n": "\n", "N": "\n", "\\": "\\", ",": ",", ";": ";", ":": ":", '"': '"'}
_ESCAPED = lazy_pattern(r"\\(.)", re.DOTALL)
_WANTED = frozenset(
    ("SUMMARY", "DTSTART", "DTEND", "DURATION", "LOCATION", "ORGANIZER", "UID", "RECURRENCE-ID", "STATUS")
)
_REPEATED = frozenset(("RRULE", "RDATE", "EXDATE"))
_MOST_OF_ONE = 1_000
"""The most dates of one list, and changed occurrences, that are read."""


@dataclass(frozen=True, slots=True)
class _Property:
    """A content line: its parameters with upper-case names, and its raw value."""

    parameters: dict[str, str]
    value: str


@dataclass(slots=True)
class _Event:
    properties: dict[str, _Property] = field(default_factory=dict[str, _Property])
    repeated: dict[str, list[_Property]] = field(default_factory=dict[str, list[_Property]])


@dataclass(frozen=True, slots=True)
class _CalendarFile:
    """A calendar's text, and the zone of times without one (`TZ` of vCalendar 1.0)."""

    text: str
    zone: str = ""


def read_meeting(calendars: tuple[str, ...], sent: datetime | None = None) -> Meeting | None:
    """Return the first event of the first calendar that has one; None without any. Never raises.

    Its `method` is the calendar's `METHOD` (RFC 5546). A start or end that cannot be read is `""`. Of a
    series it is the next date after `sent`, or the last one.
    """
    for calendar in calendars:
        meeting = _first_event(calendar, sent)
        if meeting is not None:
            return meeting
    return None


def _first_event(calendar: str, sent: datetime | None) -> Meeting | None:
    text = _FOLD.sub("", calendar[:_MAX_CHARS].lstrip("\ufeff"))
    method = zone = ""
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
        elif name == "TZ" and "VEVENT" not in nesting:
            zone = zone or parsed.value.strip()
        elif name in _REPEATED and nesting and nesting[-1] == "VEVENT":
            events[-1].repeated.setdefault(name, []).append(parsed)
        elif name in _WANTED and nesting and nesting[-1] == "VEVENT":
            events[-1].properties.setdefault(name, parsed)
    if not events:
        return None
    file = _CalendarFile(calendar, zone)
    # The series as a whole says more than one changed occurrence of it.
    event = next((event for event in events if "RECURRENCE-ID" not in event.properties), events[0])
    meeting = _meeting(event.properties, method, file)
    if not event.repeated.keys() & {"RRULE", "RDATE"}:
        return meeting
    rules = [rule.value for rule in event.repeated.get("RRULE", ())]
    meeting = replace(meeting, recurrence=in_words(rules, has_dates="RDATE" in event.repeated))
    return meeting if sent is None else _next_of_series(meeting, event, events, file, sent)


def _next_of_series(
    meeting: Meeting, event: _Event, events: list[_Event], file: _CalendarFile, sent: datetime
) -> Meeting:
    """Return the meeting at its next date after `sent`; a changed occurrence states its own time and place."""
    first, end = _when(event.properties.get("DTSTART"), file), _end(event.properties, file)
    if first is None:
        return meeting
    zone = first.tzinfo if isinstance(first, datetime) else None
    start, after = _on_clock(first, first), _on_clock(sent, first)
    without = {_on_clock(day, first) for day in _dates(event, "EXDATE", file)}
    moved: dict[date, _Event] = {}
    uid = _text(event.properties.get("UID"))
    for other in events[:_MOST_OF_ONE]:
        replaced = _when(other.properties.get("RECURRENCE-ID"), file)
        if replaced is None or _text(other.properties.get("UID")) != uid:
            continue
        without.add(_on_clock(replaced, first))
        at = _when(other.properties.get("DTSTART"), file)
        if at is not None and _text(other.properties.get("STATUS")).upper() != "CANCELLED":
            moved[_on_clock(at, first)] = other
    rules = [rule.value for rule in event.repeated.get("RRULE", ())]
    extra = [_on_clock(day, first) for day in _dates(event, "RDATE", file)]
    found = next_date(start, rules, extra, without, after, zone)
    left: list[date] = sorted([*moved, *([] if found is None else [found])])
    chosen = next((day for day in left if day >= after), left[-1] if left else None)
    if chosen is None or (chosen == start and chosen not in moved):
        return meeting
    if chosen in moved:
        changed = _meeting(event.properties | moved[chosen].properties, meeting.method, file)
        return replace(changed, recurrence=meeting.recurrence)
    begins = chosen.replace(tzinfo=zone) if isinstance(chosen, datetime) else chosen
    ends = None if end is None else begins + (_on_clock(end, first) - start)
    return replace(meeting, start=_iso(begins), end=_iso(ends))


def _on_clock(day: date, first: date) -> date:
    """Return a day or time on the clock of the series that begins at `first`: naive, and a day if that is a day."""
    if not isinstance(first, datetime):
        return day.date() if isinstance(day, datetime) else day
    if not isinstance(day, datetime):
        return datetime.combine(day, first.time())
    try:
        return (day.astimezone(first.tzinfo) if first.tzinfo and day.tzinfo else day).replace(tzinfo=None)
    except OverflowError:
        return day.replace(tzinfo=None)


def _dates(event: _Event, name: str, file: _CalendarFile) -> list[date]:
    """Return the dates of `RDATE` or `EXDATE`; of a period its start."""
    values = [
        _Property(one.parameters, value.partition("/")[0])
        for one in event.repeated.get(name, ())[:_MOST_OF_ONE]
        for value in one.value.split(",")[:_MOST_OF_ONE]
    ]
    return [day for value in values[:_MOST_OF_ONE] if (day := _when(value, file)) is not None]


def _content_line(line: str) -> tuple[str, _Property]:
    """Return the name, parameters and value of `NAME;PARAM=VALUE:value`, cut at the first colon outside quotes."""
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


def _meeting(properties: dict[str, _Property], method: str, file: _CalendarFile) -> Meeting:
    starts, ends = _when(properties.get("DTSTART"), file), _end(properties, file)
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


def _end(properties: dict[str, _Property], file: _CalendarFile) -> date | None:
    ends = _when(properties.get("DTEND"), file)
    starts, duration = _when(properties.get("DTSTART"), file), properties.get("DURATION")
    return (
        _plus(starts, duration.value)
        if ends is None and starts is not None and duration is not None
        else ends
    )


def _text(found: _Property | None) -> str:
    if found is None:
        return ""
    return _ESCAPED.sub(lambda match: _ESCAPES.get(match[1], "\\" + match[1]), found.value).strip()


def _organizer(found: _Property | None) -> str:
    """Return the organizer's address if it is one, else the name."""
    if found is None:
        return ""
    address = found.value.strip()
    if address[:7].lower() == "mailto:":
        address = address[7:]
    return address if "@" in address else found.parameters.get("CN", address)


def _when(found: _Property | None, file: _CalendarFile) -> date | None:
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
    name = found.parameters.get("TZID", "") or file.zone
    return instant.replace(tzinfo=_zone(name, file.text)) if name else instant


def _zone(name: str, calendar: str) -> tzinfo | None:
    """Return the zone of this name: a known one, else the file's own, else the name's offset; None without any."""
    known = find_zone(name)
    if known is None and "BEGIN:VTIMEZONE" in calendar and not _TOO_OFTEN.search(calendar, 0, _MAX_CHARS):
        known = _zone_of_file(name, calendar)
    return known or zone_by_offset(name)


@lru_cache(maxsize=4)
def _zone_of_file(name: str, calendar: str) -> tzinfo | None:
    try:
        from icalendar import Calendar

        for zone in Calendar.from_ical(calendar[:_MAX_CHARS]).timezones:
            if str(zone.get("TZID", "")).strip() == name.strip():
                convert: Callable[..., object] = zone.to_tz
                made = convert(lookup_tzid=False)
                return made if isinstance(made, tzinfo) else None
    except Exception:
        return None
    return None


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
