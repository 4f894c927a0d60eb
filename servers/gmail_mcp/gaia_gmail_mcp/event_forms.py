"""Conversion between Google's events and ours. Entries: `event_of`, `times_of`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from gaia_gmail_mcp.calls import Resource
from gaia_mail_mcp.calendar_time import rfc3339

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import Address, Attendee, CalendarEvent
    from gaia_mail_mcp.calendar import NewCalendarEvent

_REASONS = {
    "notFound": "it does not exist, or is not shared with this account",
    "tooManyCalendarsRequested": "too many calendars at once",
    "groupTooBig": "the group is too large",
    "internalError": "Google failed; try again later",
}


def event_of(event: Resource, calendar_zone: str) -> CalendarEvent:
    """Convert Google's event; an all-day event starts at midnight in `calendar_zone`."""
    start, end = event.get("start", {}), event.get("end", {})
    guests = [_guest(guest) for guest in event.get("attendees", ())]
    response = next((guest["response"] for guest in guests if guest["me"]), "")
    told: CalendarEvent = {
        "id": str(event.get("id", "")),
        "uid": str(event.get("iCalUID", "")),
        "title": str(event.get("summary", "")),
        "start": _shown(start),
        "end": _shown(end) or _shown(start),
        "all_day": "date" in start,
        "time_zone": str(start.get("timeZone") or calendar_zone),
        "status": str(event.get("status", "confirmed")),
        "busy": event.get("transparency") != "transparent"
        and event.get("status") != "cancelled"
        and event.get("eventType") not in ("workingLocation", "birthday")
        and response != "declined",
        "location": str(event.get("location", "")),
        "description": str(event.get("description", "")),
        "organizer": _person(event.get("organizer", {})),
        "attendees": guests,
        "response": response,
    }
    if event.get("recurringEventId"):
        told["recurring_id"] = event["recurringEventId"]
    if event.get("htmlLink"):
        told["link"] = event["htmlLink"]
    return told


def times_of(new: NewCalendarEvent) -> Resource:
    """Return the start and end of a new event: dates, or times with their time zone."""
    return {"start": _written(new.start, new.time_zone), "end": _written(new.end, new.time_zone)}


def explain_errors(errors: Sequence[Resource]) -> str:
    """Explain why a calendar's busy times are not available."""
    reason = str(errors[0].get("reason", ""))
    return _REASONS.get(
        reason, f"Google says {reason[:60]}" if reason.isalnum() else "Google does not say why"
    )


def _written(time: dt.datetime | dt.date, zone: str) -> Resource:
    if not isinstance(time, dt.datetime):
        return {"date": time.isoformat()}
    return {"dateTime": rfc3339(time), "timeZone": zone}


def _shown(time: Resource) -> str:
    """Return the time with an offset, from `timeZone` if Google's text has none."""
    if "date" in time:
        return str(time["date"])
    if "dateTime" not in time:
        return ""
    found = dt.datetime.fromisoformat(time["dateTime"])
    if found.tzinfo is None:
        found = found.replace(tzinfo=ZoneInfo(str(time.get("timeZone") or "UTC")))
    return rfc3339(found)


def _guest(guest: Resource) -> Attendee:
    return {
        **_person(guest),
        "response": str(guest.get("responseStatus", "needsAction")),
        "optional": bool(guest.get("optional")),
        "me": bool(guest.get("self")),
    }


def _person(person: Resource) -> Address:
    return {"name": str(person.get("displayName", "")), "address": str(person.get("email", ""))}
