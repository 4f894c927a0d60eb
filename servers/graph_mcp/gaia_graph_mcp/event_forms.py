"""Conversion between Microsoft's events and ours. Entries: `event_of`, `body_of`, `instant_of`.

https://learn.microsoft.com/graph/api/resources/event. Times are requested in UTC and returned in a zone that we choose.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from gaia_graph_mcp.calls import Resource, is_object, objects
from gaia_graph_mcp.zones import iana_of, windows_of
from gaia_mail.mime.address import parse_addresses
from gaia_mail_mcp.calendar_time import rfc3339

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import Address, Attendee, CalendarEvent
    from gaia_mail_mcp.calendar import NewCalendarEvent

ANSWERS = {
    "accepted": "accepted",
    "declined": "declined",
    "tentativelyAccepted": "tentative",
    "none": "needsAction",
    "notResponded": "needsAction",
}
"""Microsoft's names for a response, and ours; `organizer` has no response."""

NOT_BUSY = frozenset({"free", "workingElsewhere"})


def event_of(event: Resource, *, me: str, calendar_zone: str, shown_in: str = "") -> CalendarEvent:
    """Convert Microsoft's event.

    Args:
        event: The event, with times in any zone.
        me: Address of the calendar's owner.
        calendar_zone: IANA name of the zone in which an all-day event starts at midnight.
        shown_in: Zone for the returned times; empty for the zone the event was created in.
    """
    made_in = iana_of(str(event.get("originalStartTimeZone") or "")) or calendar_zone
    guests = [_guest(guest, me) for guest in objects(event.get("attendees"))]
    response = _response(event, guests)
    cancelled = event.get("isCancelled") is True
    all_day = event.get("isAllDay") is True
    zone = ZoneInfo(shown_in or made_in)
    told: CalendarEvent = {
        "id": str(event.get("id", "")),
        "uid": str(event.get("iCalUId") or ""),
        "title": str(event.get("subject") or ""),
        "start": _shown(event.get("start"), zone, made_in, all_day=all_day),
        "end": _shown(event.get("end"), zone, made_in, all_day=all_day),
        "all_day": all_day,
        "time_zone": made_in,
        "status": "cancelled" if cancelled else "confirmed",
        "busy": not cancelled and response != "declined" and event.get("showAs") not in NOT_BUSY,
        "location": _inside(event, "location", "displayName"),
        "description": _inside(event, "body", "content").strip() or str(event.get("bodyPreview") or ""),
        "organizer": _person(event.get("organizer")),
        "attendees": guests,
        "response": response,
    }
    if event.get("seriesMasterId"):
        told["recurring_id"] = str(event["seriesMasterId"])
    if event.get("webLink"):
        told["link"] = str(event["webLink"])
    return told


def body_of(new: NewCalendarEvent, transaction: str) -> Resource:
    """Return the request body of a new event; Microsoft creates one event per `transaction`, even if asked twice."""
    body: Resource = {
        "subject": new.title,
        "start": time_of(new.start, new.time_zone),
        "end": time_of(new.end, new.time_zone),
        "isAllDay": not isinstance(new.start, dt.datetime),
        "transactionId": transaction,
    }
    body |= {"body": {"contentType": "text", "content": new.description}} if new.description else {}
    body |= {"location": {"displayName": new.location}} if new.location else {}
    people = [person for text in new.attendees for person in parse_addresses(text)]
    if people:
        body["attendees"] = [
            {"emailAddress": {"name": one.name or one.address, "address": one.address}, "type": "required"}
            for one in people
        ]
    return body


def time_of(time: dt.datetime | dt.date, zone: str) -> Resource:
    """Return a local time in the given zone, in Microsoft's form; a date becomes its midnight."""
    if isinstance(time, dt.datetime):
        wall = time.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    else:
        wall = dt.datetime.combine(time, dt.time())
    return {"dateTime": wall.isoformat(timespec="seconds"), "timeZone": windows_of(zone)}


def instant_of(time: object) -> dt.datetime | None:
    """Convert Microsoft's time to UTC; None if it cannot be read."""
    if not is_object(time):
        return None
    try:  # Microsoft writes seven digits of a second, one more than Python accepts
        wall = dt.datetime.fromisoformat(str(time.get("dateTime", ""))[:26])
        if wall.tzinfo is None:
            zone = iana_of(str(time.get("timeZone") or "UTC"))
            if not zone:
                return None
            wall = wall.replace(tzinfo=ZoneInfo(zone))
        return wall.astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return None


def _shown(time: object, zone: ZoneInfo, made_in: str, *, all_day: bool) -> str:
    instant = instant_of(time)
    if instant is None:
        return ""
    if not all_day:
        return rfc3339(instant.astimezone(zone))
    # All-day times are midnights in the requested zone; if they are not, they are midnights in the event's own zone.
    midnight = is_object(time) and "T00:00:00" in str(time.get("dateTime"))
    wall = dt.datetime.fromisoformat(str(time["dateTime"])[:19]) if is_object(time) and midnight else None
    return rfc3339((wall or instant.astimezone(ZoneInfo(made_in))).date())


def _response(event: Resource, guests: list[Attendee]) -> str:
    if event.get("isOrganizer") is True or not guests:
        return ""
    return ANSWERS.get(_inside(event, "responseStatus", "response"), "")


def _guest(guest: Resource, me: str) -> Attendee:
    person = _person(guest)
    return {
        **person,
        "response": ANSWERS.get(_inside(guest, "status", "response"), "needsAction"),
        "optional": guest.get("type") == "optional",
        "me": person["address"].casefold() == me.casefold(),
    }


def _person(person: object) -> Address:
    found = person.get("emailAddress") if is_object(person) else None
    if not is_object(found):
        return {"name": "", "address": ""}
    address = str(found.get("address") or "")
    name = str(found.get("name") or "")
    return {"name": "" if name == address else name, "address": address}


def _inside(resource: Resource, outer: str, inner: str) -> str:
    found = resource.get(outer)
    return str(found.get(inner) or "") if is_object(found) else ""
