"""The emulated account's primary calendar, as Google documents it. Entry: `CalendarMethods`."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from tests.gmail.emulator.failures import ApiError

if TYPE_CHECKING:
    from tests.gmail.emulator.gmail import Call, Handler

Json = dict[str, Any]

LONGEST_BUSY = dt.timedelta(days=90)
_ID = re.compile(r"[0-9a-v]{5,1024}\Z")
_DAY = dt.timedelta(days=1)


class CalendarMethods:
    """Events by id; `notices` holds method, `sendUpdates` and id of each write."""

    def __init__(self, address: str, zone: str = "Europe/Berlin") -> None:
        self.address, self.zone = address, zone
        self.stored: dict[str, Json] = {}
        self.others: dict[str, list[tuple[str, str]]] = {}
        self.notices: list[tuple[str, str, str]] = []
        self.handlers: dict[str, Handler] = {
            "calendar.events.list": self.list_events,
            "calendar.events.get": self.get_event,
            "calendar.events.insert": self.insert,
            "calendar.events.patch": self.patch,
            "calendar.events.delete": self.delete,
            "calendar.freebusy.query": self.free_busy,
        }

    def put(self, event_id: str, start: Json, end: Json, **more: Any) -> None:
        """An event that is there already."""
        self.stored[event_id] = {
            "id": event_id,
            "status": "confirmed",
            "iCalUID": f"{event_id}@google.com",
            "start": start,
            "end": end,
            **more,
        }

    async def list_events(self, call: Call) -> Json:
        single = call.one("singleEvents") == "true"
        if call.one("orderBy") == "startTime" and not single:
            raise ApiError(400, "The requested ordering is not available for the particular query.")
        low, high = _bound(call.one("timeMin")), _bound(call.one("timeMax"))
        words, uid = call.one("q").casefold(), call.one("iCalUID")
        found = [
            event
            for event in self._all(single=single)
            if event["status"] != "cancelled"
            and (not low or self._at(event["end"]) > low)
            and (not high or self._at(event["start"]) < high)
            and words in f"{event.get('summary', '')} {event.get('description', '')}".casefold()
            and uid in ("", event["iCalUID"])
        ]
        found.sort(key=lambda event: self._at(event["start"]))
        token = call.one("pageToken", "0")
        if not token.isdigit():
            raise ApiError(400, "Invalid page token value.")
        first, zone = int(token), call.one("timeZone", self.zone)
        end = first + min(int(call.one("maxResults", "250")), 2500)
        answer: Json = {
            "kind": "calendar#events",
            "timeZone": zone,
            "items": [self._shown(event, zone) for event in found[first:end]],
        }
        if end < len(found):
            answer["nextPageToken"] = str(end)
        return answer

    async def get_event(self, call: Call) -> Json:
        return self._shown(self._one(call), self.zone)

    async def insert(self, call: Call) -> Json:
        event_id = call.body.get("id", "")
        if not _ID.match(event_id):
            raise ApiError(400, "Invalid resource id value.")
        if event_id in self.stored:
            raise ApiError(409, "The requested identifier already exists.", "duplicate")
        if self._at(call.body["end"]) <= self._at(call.body["start"]):
            raise ApiError(400, "The specified time range is empty.", "timeRangeEmpty")
        body = {name: value for name, value in call.body.items() if name not in ("start", "end", "id")}
        body["attendees"] = [{"responseStatus": "needsAction", **one} for one in body.get("attendees", ())]
        self.put(
            event_id,
            call.body["start"],
            call.body["end"],
            organizer={"email": self.address, "self": True},
            **body,
        )
        self.notices.append(("insert", call.one("sendUpdates"), event_id))
        return self.stored[event_id]

    async def patch(self, call: Call) -> Json:
        event = self._one(call)
        body = dict(call.body)
        if body.pop("attendeesOmitted", False):
            (mine,) = body["attendees"]
            assert mine["email"] == self.address
            body["attendees"] = [mine if one.get("self") else one for one in event["attendees"]]
        self.stored[event["id"]] = event = {**event, **body}
        self.notices.append(("patch", call.one("sendUpdates"), event["id"]))
        return event

    async def delete(self, call: Call) -> None:
        event = self._one(call)
        if event["status"] == "cancelled":
            raise ApiError(410, "Resource has been deleted", "deleted")
        self.stored[event["id"]] = {**event, "status": "cancelled"}
        self.notices.append(("delete", call.one("sendUpdates"), event["id"]))

    async def free_busy(self, call: Call) -> Json:
        low, high = _bound(call.body["timeMin"]), _bound(call.body["timeMax"])
        assert low is not None
        assert high is not None
        if high - low > LONGEST_BUSY:
            raise ApiError(400, "The requested time range is too long.", "timeRangeTooLong")
        own = [
            (self._at(event["start"]), self._at(event["end"]))
            for event in self._all(single=True)
            if event["status"] != "cancelled" and event.get("transparency") != "transparent"
        ]
        calendars: Json = {}
        for item in call.body["items"]:
            spans = [
                (dt.datetime.fromisoformat(a), dt.datetime.fromisoformat(b))
                for a, b in self.others.get(item["id"], ())
            ]
            if item["id"] in ("primary", self.address):
                spans = own
            elif item["id"] not in self.others:
                calendars[item["id"]] = {"errors": [{"domain": "global", "reason": "notFound"}], "busy": []}
                continue
            inside = sorted((max(a, low), min(b, high)) for a, b in spans if a < high and b > low)
            calendars[item["id"]] = {"busy": [{"start": _utc(a), "end": _utc(b)} for a, b in inside]}
        return {
            "kind": "calendar#freeBusy",
            "timeMin": _utc(low),
            "timeMax": _utc(high),
            "calendars": calendars,
        }

    def _one(self, call: Call) -> Json:
        if call.path["calendarId"] not in ("primary", self.address):
            raise ApiError(404, "Not Found")
        for event in self._all(single=True):
            if event["id"] == call.path["eventId"]:
                return event
        if call.path["eventId"] in self.stored:
            return self.stored[call.path["eventId"]]
        raise ApiError(404, "Not Found")

    def _all(self, *, single: bool) -> list[Json]:
        """Events, with instances in place of recurring ones; an instance changed by itself is stored itself."""
        found: list[Json] = []
        for event in self.stored.values():
            if not single or "recurrence" not in event:
                found.append(event)
                continue
            found += [one for one in self._instances(event) if one["id"] not in self.stored]
        return found

    def _instances(self, event: Json) -> list[Json]:
        """Repeated by the clock on the wall, as RFC 5545 has it; only daily and weekly, with a count."""
        rule = dict(part.split("=") for part in event["recurrence"][0].removeprefix("RRULE:").split(";"))
        step = {"DAILY": _DAY, "WEEKLY": 7 * _DAY}[rule["FREQ"]]
        zone = ZoneInfo(event["start"]["timeZone"])
        start, end = (self._at(event[name]).astimezone(zone) for name in ("start", "end"))
        rest = {name: value for name, value in event.items() if name not in ("recurrence", "start", "end")}
        instances: list[Json] = []
        for number in range(int(rule["COUNT"])):
            first = (start.replace(tzinfo=None) + number * step).replace(tzinfo=zone)
            last = (end.replace(tzinfo=None) + number * step).replace(tzinfo=zone)
            mark = first.astimezone(dt.UTC).strftime("%Y%m%dT%H%M%SZ")
            times = {
                "start": {"dateTime": first.isoformat(), "timeZone": zone.key},
                "end": {"dateTime": last.isoformat(), "timeZone": zone.key},
            }
            instances.append(
                {**rest, **times, "id": f"{event['id']}_{mark}", "recurringEventId": event["id"]}
            )
        return instances

    def _at(self, time: Json) -> dt.datetime:
        if "date" in time:
            day = dt.date.fromisoformat(time["date"])
            return dt.datetime.combine(day, dt.time(), tzinfo=ZoneInfo(self.zone)).astimezone(dt.UTC)
        found = dt.datetime.fromisoformat(time["dateTime"])
        if found.tzinfo is None:
            if "timeZone" not in time:
                raise ApiError(400, "Missing time zone definition for start time.", "required")
            found = found.replace(tzinfo=ZoneInfo(time["timeZone"]))
        return found.astimezone(dt.UTC)

    def _shown(self, event: Json, zone: str) -> Json:
        """Times in the zone asked for; dates stay dates."""
        times: Json = {}
        for name in ("start", "end"):
            time: Json = event[name]
            if "dateTime" in time:
                shown = self._at(time).astimezone(ZoneInfo(zone)).isoformat()
                time = {**time, "dateTime": shown}
            times[name] = time
        return {**event, **times}


def _bound(text: str) -> dt.datetime | None:
    if not text:
        return None
    found = dt.datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ApiError(400, "Bad Request: an offset is mandatory.", "badRequest")
    return found.astimezone(dt.UTC)


def _utc(time: dt.datetime) -> str:
    return time.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
