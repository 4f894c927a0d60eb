"""Calendar times: parsing, overlaps and free time. Entries: `read_time`, `overlaps`, `free_between`.

Pure functions; no clock is read. A local time that a clock change skips gets the offset from before the change; a local
time that occurs twice is the first of the two (RFC 5545 §3.3.5).
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from gaia_email_registry.errors import BadArgument

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import CalendarEvent, Overlap, Span

Between = tuple[dt.datetime, dt.datetime]

MOST_OVERLAPS = 100

_DATE = re.compile(r"\d{4}-\d\d-\d\d\Z", re.ASCII)
_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:\d\d)?\Z", re.ASCII)


def zone_of(name: str, argument: str = "time_zone") -> ZoneInfo:
    """Return the IANA time zone with this name.

    Raises:
        BadArgument: There is no such time zone.
    """
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        raise BadArgument(
            f"There is no time zone {name[:60]!r}; use an IANA name, for example Europe/Berlin.",
            argument=argument,
        ) from None


def read_time(text: str, zone: ZoneInfo, argument: str) -> dt.datetime | dt.date:
    """Parse a date, or a time with its own offset or else in `zone`.

    Raises:
        BadArgument: The text is neither.
    """
    text = text.strip()
    try:
        if _DATE.match(text):
            return dt.date.fromisoformat(text)
        if _TIME.match(text):
            found = dt.datetime.fromisoformat(text.upper())
            return found if found.tzinfo is not None else _existing(found.replace(tzinfo=zone))
    except (ValueError, OverflowError):
        pass
    raise BadArgument(
        f"{argument} is not a valid time: use RFC 3339 (2030-01-31T09:00:00+01:00) or a date (2030-01-31).",
        argument=argument,
    )


def instant(found: dt.datetime | dt.date, zone: ZoneInfo) -> dt.datetime:
    """Convert to UTC; a date becomes its midnight, or the first moment of a day without a midnight.

    UTC, because Python compares and subtracts times in the same zone by wall clock, ignoring clock changes.
    """
    if isinstance(found, dt.datetime):
        return found.astimezone(dt.UTC)
    return dt.datetime.combine(found, dt.time(), tzinfo=zone).astimezone(dt.UTC)


def _existing(local: dt.datetime) -> dt.datetime:
    return local.astimezone(dt.UTC).astimezone(local.tzinfo)


def is_all_day(found: dt.datetime | dt.date) -> bool:
    """Return True for a date without a time."""
    return not isinstance(found, dt.datetime)


def between(event: CalendarEvent, zone: ZoneInfo) -> Between:
    """Return the start and end of an event in UTC; all-day events last from midnight to midnight in `zone`."""
    start = instant(read_time(event["start"], zone, "start"), zone)
    end = instant(read_time(event["end"], zone, "end"), zone)
    return start, max(start, end)


def overlaps(
    events: Iterable[CalendarEvent],
    zone: ZoneInfo,
    *,
    of: Collection[str] | None = None,
    most: int = MOST_OVERLAPS,
) -> list[Overlap]:
    """Return the first `most` overlaps between busy events, in order of time; events that only touch do not overlap.

    `of` limits the result to pairs with one of these ids.
    """
    found: list[Overlap] = []
    running: list[tuple[dt.datetime, str]] = []
    times = sorted((*between(event, zone), event["id"]) for event in events if event["busy"])
    for start, end, event_id in times:
        running = [item for item in running if item[0] > start]
        for other_end, other in running:
            told = of is None or other in of or event_id in of
            if told and end > start and len(found) < most:
                found.append({"ids": [other, event_id], **format_span(start, min(end, other_end), zone)})
        running.append((end, event_id))
    return found


def overlaps_with(event: CalendarEvent, others: Iterable[CalendarEvent], zone: ZoneInfo) -> list[Overlap]:
    """Return the overlaps of `event` with `others`, excluding the event itself and its own series."""
    own = {event["id"], event.get("recurring_id", event["id"])}
    rest = [other for other in others if not own & {other["id"], other.get("recurring_id", other["id"])}]
    return overlaps([{**event, "busy": True}, *rest], zone, of=(event["id"],))


def merge_spans(spans: Iterable[Between]) -> list[Between]:
    """Return the union of the spans in order; touching spans are joined."""
    union: list[Between] = []
    for start, end in sorted(spans):
        if union and start <= union[-1][1]:
            union[-1] = (union[-1][0], max(union[-1][1], end))
        elif end > start:
            union.append((start, end))
    return union


def free_between(window: Between, busy: Iterable[Between], shortest: dt.timedelta) -> list[Between]:
    """Return the parts of the window outside all `busy` spans that last at least `shortest`."""
    free: list[Between] = []
    at, last = window
    for start, end in merge_spans(busy):
        if min(start, last) - at >= shortest:
            free.append((at, min(start, last)))
        at = max(at, end)
    if last - at >= shortest:
        free.append((at, last))
    return free


def format_span(start: dt.datetime, end: dt.datetime, zone: ZoneInfo) -> Span:
    """Format a span as RFC 3339 in `zone`."""
    return {"start": rfc3339(start.astimezone(zone)), "end": rfc3339(end.astimezone(zone))}


def rfc3339(time: dt.datetime | dt.date) -> str:
    """Format a time to the second, or a date."""
    return time.isoformat(timespec="seconds") if isinstance(time, dt.datetime) else time.isoformat()


def spans(found: Sequence[Between], zone: ZoneInfo) -> list[Span]:
    """Format each span as RFC 3339 in `zone`."""
    return [format_span(start, end, zone) for start, end in found]
