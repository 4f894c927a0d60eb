"""The emulated Graph's calendar, as Microsoft documents it. Entry: `CalendarRoutes`.

https://learn.microsoft.com/graph/api/resources/event: expands series, answers times in the zone that is preferred,
gives whole days as midnights in any zone, makes an event of one `transactionId` once, loses what is declined.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from typing import Any, cast
from zoneinfo import ZoneInfo

from tests.gmail.emulator.http import Request, Response
from tests.graph.emulator.account import Account
from tests.graph.emulator.answering import Refused, answer_json, body_of

Json = dict[str, Any]

WINDOWS = {
    "UTC": "UTC",
    "W. Europe Standard Time": "Europe/Berlin",
    "Pacific Standard Time": "America/Los_Angeles",
    "Tokyo Standard Time": "Asia/Tokyo",
}
_ANSWER = {"accept": "accepted", "tentativelyAccept": "tentativelyAccepted", "decline": "declined"}
_PREFERRED = re.compile(r'outlook\.timezone="([^"]+)"')


class CalendarRoutes:
    """Events by id; `mails` holds what was sent to whom because of them."""

    def __init__(self, account: Account, root: Callable[[], str]) -> None:
        self.personal = False
        self.stored: dict[str, Json] = {}
        self.others: dict[str, list[Json]] = {}
        self.mails: list[tuple[str, tuple[str, ...], str]] = []
        """Kind, to whom, and the comment or the proposed start."""
        self._account, self._root = account, root
        self._made = 0

    def put(self, subject: str, start: Json, end: Json, **more: Any) -> str:
        """An event that is there already; with `weekly` a series of so many. The id."""
        self._made += 1
        event_id: str = more.pop("id", "") or f"AAMkE-{self._made:04d}_{'bB' if self._made % 2 else 'Bb'}="
        zone = start["timeZone"]
        me = {"emailAddress": {"name": "Me", "address": self._account.address}}
        self.stored[event_id] = {
            "id": event_id,
            "iCalUId": f"uid-{self._made}@exchange.example",
            "subject": subject,
            "body": {"contentType": "text", "content": ""},
            "start": start,
            "end": end,
            "isAllDay": False,
            "isCancelled": False,
            "isOrganizer": True,
            "showAs": "busy",
            "location": {"displayName": ""},
            "organizer": me,
            "attendees": [],
            "responseStatus": {"response": "organizer", "time": "0001-01-01T00:00:00Z"},
            "originalStartTimeZone": zone,
            "seriesMasterId": None,
            "allowNewTimeProposals": True,
            "responseRequested": True,
            "webLink": f"https://outlook.example/calendar/item/{self._made}",
            "transactionId": None,
            **more,
        }
        return event_id

    def invite(self, subject: str, start: Json, end: Json, **more: Any) -> str:
        """An event to which somebody else invites the account."""
        boss = {"emailAddress": {"name": "Boss", "address": "boss@example.org"}}
        me = {"emailAddress": {"name": "Me", "address": self._account.address}}
        return self.put(
            subject,
            start,
            end,
            isOrganizer=False,
            organizer=boss,
            responseStatus={"response": "notResponded", "time": "0001-01-01T00:00:00Z"},
            attendees=[{**me, "type": "required", "status": {"response": "none"}}],
            **more,
        )

    def answer(self, request: Request, kind: str, rest: list[str]) -> Response:
        """One request."""
        match request.method, kind, rest:
            case "GET", "calendarView", []:
                return self._view(request)
            case "GET", "events", []:
                return self._filtered(request)
            case "POST", "events", []:
                return self._create(request)
            case "GET", "events", [id_]:
                return answer_json(self._shown(self._one(id_), request))
            case "DELETE", "events", [id_]:
                self._delete(self._one(id_))
                return Response(status=204)
            case "POST", "events", [id_, verb] if verb in _ANSWER:
                return self._respond(self._one(id_), verb, body_of(request))
            case "POST", "calendar", ["getSchedule"]:
                return self._schedule(body_of(request))
            case _:
                raise Refused(404, "ResourceNotFound", "No such resource.")

    def _one(self, id_: str) -> Json:
        found = self.stored.get(id_) or next((one for one in self._instances() if one["id"] == id_), None)
        if found is None and not id_.startswith("AAMk"):
            raise Refused(400, "ErrorInvalidIdMalformed", "Id is malformed.")
        if found is None:
            raise Refused(404, "ErrorItemNotFound", "The specified object was not found in the store.")
        return found

    def _view(self, request: Request) -> Response:
        query = dict(request.query)
        low, high = _bound(query["startDateTime"]), _bound(query["endDateTime"])
        own = ZoneInfo(WINDOWS[self._account.zone])
        found = [
            event
            for event in self._instances()
            if _at(event["start"], own if event["isAllDay"] else None) <= high
            and _at(event["end"], own if event["isAllDay"] else None) >= low
        ]
        assert query["$orderby"] == "start/dateTime"
        found.sort(key=lambda event: _at(event["start"], None))
        first, size = int(query.get("$skip", "0")), min(int(query.get("$top", "10")), 1000)
        answer: Json = {"value": [self._shown(event, request) for event in found[first : first + size]]}
        if first + size < len(found):
            link = re.sub(r"[?&]%24skip=\d+|[?&]\$skip=\d+", "", request.target.removeprefix("/v1.0"))
            answer["@odata.nextLink"] = f"{self._root()}{link}&$skip={first + size}"
        return answer_json(answer)

    def _instances(self) -> Iterator[Json]:
        for event in self.stored.values():
            for week in range(event.get("weekly", 1)):
                if "weekly" not in event:
                    yield event
                    continue
                days = dt.timedelta(days=7 * week)
                yield event | {
                    "id": f"{event['id']}{week}",
                    "seriesMasterId": event["id"],
                    "start": _later(event["start"], days),
                    "end": _later(event["end"], days),
                }

    def _filtered(self, request: Request) -> Response:
        found = re.fullmatch(r"iCalUId eq '((?:[^']|'')*)'", dict(request.query).get("$filter", ""))
        if found is None:
            raise Refused(400, "ErrorInvalidRestriction", "The restriction is too complex.")
        uid = found[1].replace("''", "'")
        hits = [event for event in self.stored.values() if event["iCalUId"] == uid]
        return answer_json({"value": [self._shown(event, request) for event in hits]})

    def _create(self, request: Request) -> Response:
        body = body_of(request)
        transaction = body.get("transactionId")
        if transaction and any(one["transactionId"] == transaction for one in self.stored.values()):
            raise Refused(409, "ErrorDuplicateTransactionId", "The item was created already.")
        for end in ("start", "end"):
            if body[end]["timeZone"] not in WINDOWS:
                raise Refused(400, "TimeZoneNotSupportedException", "The time zone is not supported.")
            if body.get("isAllDay") and not body[end]["dateTime"].endswith("T00:00:00"):
                raise Refused(400, "ErrorInvalidRequest", "An all-day event is from midnight to midnight.")
        if _at(body["end"], None) < _at(body["start"], None):
            raise Refused(400, "ErrorCalendarEndDateIsEarlierThanStartDate", "The end is before the start.")
        guests = [{**guest, "status": {"response": "none"}} for guest in body.pop("attendees", ())]
        event_id = self.put(body.pop("subject"), body.pop("start"), body.pop("end"), attendees=guests, **body)
        self._mail("invitation", guests)
        return answer_json(self._shown(self.stored[event_id], request), 201)

    def _delete(self, event: Json) -> None:
        del self.stored[event["id"]]
        if event["isOrganizer"]:
            self._mail("cancellation", event["attendees"])

    def _respond(self, event: Json, verb: str, body: Json) -> Response:
        if event["isOrganizer"]:
            raise Refused(400, "ErrorInvalidRequest", "You can't respond to this meeting as its organizer.")
        if body.get("sendResponse", True) and not event["responseRequested"]:
            raise Refused(400, "ErrorInvalidRequest", "The meeting organizer hasn't requested a response.")
        proposed = body.get("proposedNewTime")
        if proposed is not None:
            if verb == "accept" or not body.get("sendResponse") or not event["allowNewTimeProposals"]:
                raise Refused(400, "ErrorInvalidRequest", "A new time cannot be proposed.")
            assert _at(proposed["start"], None) < _at(proposed["end"], None)
        event["responseStatus"] = {"response": _ANSWER[verb], "time": "2026-03-02T00:00:00Z"}
        for guest in event["attendees"]:
            if guest["emailAddress"]["address"] == self._account.address:
                guest["status"] = {"response": _ANSWER[verb]}
        if body.get("sendResponse", True):
            said = proposed["start"]["dateTime"] if proposed else body.get("comment", "")
            self._mail(_ANSWER[verb], [event["organizer"]], said)
        if verb == "decline":
            del self.stored[event["id"]]
        return Response(status=202)

    def _schedule(self, body: Json) -> Response:
        if self.personal:
            raise Refused(400, "ErrorInvalidRequest", "Not supported for this mailbox.")
        low, high = _at(body["startTime"], None), _at(body["endTime"], None)
        if high - low > dt.timedelta(days=62):
            raise Refused(400, "ErrorTimeSpanTooLarge", "The time span is above 62 days.")
        told: list[Json] = []
        for name in body["schedules"]:
            if name not in self.others:
                told.append({"scheduleId": name, "error": {"responseCode": "ErrorMailRecipientNotFound"}})
                continue
            items = [
                item
                for item in self.others[name]
                if _at(item["start"], None) < high and _at(item["end"], None) > low
            ]
            told.append({"scheduleId": name, "scheduleItems": items})
        return answer_json({"value": told})

    def _shown(self, event: Json, request: Request) -> Json:
        """The properties of `$select`; times as `Prefer` wants them."""
        found = _PREFERRED.search(request.headers.get("prefer", ""))
        wanted = found[1] if found else "UTC"
        zone = ZoneInfo(WINDOWS.get(wanted, wanted))
        names = [name for name in dict(request.query).get("$select", "").split(",") if name] or list(event)
        assert "weekly" not in names or not dict(request.query).get("$select")
        shown: Json = {name: event[name] for name in ("id", *names) if name in event}
        shown.pop("weekly", None)
        for end in ("start", "end"):
            at = _at(event[end], None).astimezone(zone).replace(tzinfo=None)
            if event["isAllDay"]:
                at = dt.datetime.fromisoformat(event[end]["dateTime"][:19])
            shown[end] = {"dateTime": f"{at.isoformat(timespec='seconds')}.0000000", "timeZone": wanted}
        if "bodyPreview" in names:
            shown["bodyPreview"] = event["body"]["content"][:255]
        return shown

    def _mail(self, kind: str, people: list[Json], said: str = "") -> None:
        if people:
            self.mails.append((kind, tuple(one["emailAddress"]["address"] for one in people), said))


def timed(text: str, zone: str = "W. Europe Standard Time") -> Json:
    """A dateTimeTimeZone."""
    return {"dateTime": text, "timeZone": zone}


def _at(time: object, zone: ZoneInfo | None) -> dt.datetime:
    given = cast(dict[str, str], time)
    own = zone or ZoneInfo(WINDOWS.get(given["timeZone"], given["timeZone"]))
    return dt.datetime.fromisoformat(given["dateTime"][:19]).replace(tzinfo=own).astimezone(dt.UTC)


def _bound(text: str) -> dt.datetime:
    found = dt.datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=dt.UTC)


def _later(time: Json, days: dt.timedelta) -> Json:
    at = dt.datetime.fromisoformat(time["dateTime"]) + days
    return {**time, "dateTime": at.isoformat(timespec="seconds")}
