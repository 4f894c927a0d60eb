"""The account's Google Calendar as a `CalendarStore`. Entry: `GoogleCalendar`.

https://developers.google.com/workspace/calendar/api/v3/reference. Events are read from and written to the primary
    calendar.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gaia_email_registry.errors import BadArgument, NotFound
from gaia_gmail_mcp import calls
from gaia_gmail_mcp.calls import GmailCall, Resource
from gaia_gmail_mcp.event_forms import event_of, explain_errors, times_of
from gaia_mail_mcp.calendar import (
    BusyTimes,
    CalendarStore,
    CounterProposal,
    EventPage,
    InvitationAnswers,
    NewCalendarEvent,
    Response,
    TimeWindow,
)
from gaia_mail_mcp.calendar_time import merge_spans, rfc3339

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import CalendarEvent
    from gaia_gmail_mcp.client import GmailClient

PRIMARY = "primary"
EVENTS = ("calendars", PRIMARY, "events")
MOST = 250
"""Most events requested per page (Google's default); more make responses long."""
MOST_CALENDARS = 50
LONGEST_BUSY = dt.timedelta(days=60)
"""Longest span per free/busy request: Google refuses spans of much more than two months."""


class GoogleCalendar(CalendarStore):
    """The primary calendar of one account.

    Args:
        client: Client for the Calendar API.
        owner: Returns the owner's address, once known.
    """

    def __init__(self, client: GmailClient, owner: Callable[[], str]) -> None:
        self._client, self._owner = client, owner
        self._zone = ""

    @override
    async def calendar_zone(self) -> str:
        """Read the zone from the list of events, which every calendar scope may read."""
        if not self._zone:
            query = {"maxResults": 1}
            found = await self._call(_get(*EVENTS, query=query, fields="timeZone"))
            self._zone = str(found.get("timeZone") or "UTC")
        return self._zone

    @override
    async def events(
        self, window: TimeWindow, *, query: str, limit: int, cursor: str | None = None
    ) -> EventPage:
        """Return as many events as asked for, reading several of Google's pages if needed."""
        zone = await self.calendar_zone()
        events: list[CalendarEvent] = []
        token = cursor or ""
        while True:
            asked = {
                "timeMin": rfc3339(window.start),
                "timeMax": rfc3339(window.end),
                "timeZone": window.time_zone,
                "singleEvents": True,
                "orderBy": "startTime",
                "q": query,
                "maxResults": max(1, min(limit - len(events), MOST)),
                "pageToken": token,
            }
            try:
                page = await self._call(_get(*EVENTS, query=asked))
            except BadArgument as error:
                raise BadArgument(error.message, argument="cursor" if token else "query") from None
            events += [event_of(item, zone) for item in page.get("items", ()) if _is_there(item)]
            token = page.get("nextPageToken", "")
            if not token or len(events) >= limit:
                return EventPage(events=tuple(events), next_cursor=token or None)

    @override
    async def event(self, event_id: str) -> CalendarEvent:
        return event_of(await self._found(event_id), await self.calendar_zone())

    @override
    async def invitation(self, uid: str) -> CalendarEvent:
        """For a recurring event, return its series."""
        found = await self._call(_get(*EVENTS, query={"iCalUID": uid}))
        items: list[Resource] = [item for item in found.get("items", ()) if _is_there(item)]
        items.sort(key=_is_instance)
        if not items:
            raise NotFound("The calendar does not have the event of this invitation.", argument="message_id")
        return event_of(items[0], await self.calendar_zone())

    @override
    async def busy(self, window: TimeWindow, calendars: Sequence[str]) -> list[BusyTimes]:
        names = list(dict.fromkeys(calendars)) or [PRIMARY]
        if len(names) > MOST_CALENDARS:
            raise BadArgument(f"Ask for {MOST_CALENDARS} calendars at most.", argument="calendars")
        spans: dict[str, list[tuple[dt.datetime, dt.datetime]]] = {name: [] for name in names}
        errors: dict[str, str] = {}
        start = window.start
        while start < window.end:
            end = min(start + LONGEST_BUSY, window.end)
            body = {
                "timeMin": rfc3339(start),
                "timeMax": rfc3339(end),
                "items": [{"id": name} for name in names],
            }
            found = (await self._call(_post("freeBusy", body=body))).get("calendars", {})
            for name in names:
                item: Resource = found.get(name, {"errors": [{"reason": "notFound"}]})
                spans[name] += _within(item.get("busy", ()), start, end)
                errors |= {name: explain_errors(item["errors"])} if item.get("errors") else {}
            start = end
        shown = {PRIMARY: self._owner()}
        return [
            BusyTimes(
                calendar=shown.get(name, name),
                spans=tuple(merge_spans(spans[name])),
                error=errors.get(name, ""),
            )
            for name in names
        ]

    @override
    async def create_event(self, new: NewCalendarEvent) -> CalendarEvent:
        """Create the event under an id of our own, so that a repeated request creates only one event."""
        zone = await self.calendar_zone()
        notify = {"sendUpdates": "all" if new.attendees else "none"}
        if new.event_id:
            try:
                body: dict[str, Any] = {"status": "confirmed"}
                back = await self._call(_patch(*EVENTS, new.event_id, body=body, query=notify))
                return event_of(back, zone)
            except (NotFound, BadArgument):
                pass  # it was deleted too long ago to restore
        event_id = uuid.uuid4().hex
        body = {"id": event_id, "summary": new.title, **times_of(new)}
        body |= {"description": new.description} if new.description else {}
        body |= {"location": new.location} if new.location else {}
        body |= {"attendees": [{"email": guest} for guest in new.attendees]} if new.attendees else {}
        try:
            made = await self._call(_post(*EVENTS, body=body, query=notify))
        except BadArgument:
            already = await self._made_already(event_id)
            if already is None:
                raise
            made = already
        return event_of(made, zone)

    @override
    def answering(self) -> InvitationAnswers:
        """Google's API cannot propose another time."""
        return InvitationAnswers()

    @override
    async def respond(
        self,
        event_id: str,
        response: Response,
        *,
        comment: str | None,
        notify: bool,
        propose: CounterProposal | None = None,
    ) -> CalendarEvent:
        """Send only the account's own attendee entry, so that no other response is overwritten."""
        if propose is not None:
            raise BadArgument(
                "Google takes no other time by its API; say it in comment.", argument="propose_start"
            )
        found = await self._found(event_id)
        me = next((guest for guest in found.get("attendees", ()) if guest.get("self")), None)
        if me is None:
            raise BadArgument("This account is not invited to that event.", argument="event_id")
        answer = {**me, "responseStatus": response}
        answer |= {"comment": comment} if comment is not None else {}
        body = {"attendees": [answer], "attendeesOmitted": True}
        query = {"sendUpdates": "all" if notify else "none"}
        done = await self._call(_patch(*EVENTS, event_id, body=body, query=query))
        return event_of(done, await self.calendar_zone())

    @override
    async def delete_event(self, event_id: str, *, notify: bool) -> CalendarEvent:
        before = event_of(await self._found(event_id), await self.calendar_zone())
        query = {"sendUpdates": "all" if notify else "none"}
        await self._call(calls.delete(*EVENTS, event_id, units=1, query=query, under=calls.CALENDAR))
        return before

    async def _found(self, event_id: str) -> Resource:
        try:
            found = await self._call(_get(*EVENTS, event_id))
        except (NotFound, BadArgument):
            found = {"status": "cancelled"}
        if not _is_there(found):
            raise NotFound(f"There is no event {event_id[:80]!r}.", argument="event_id")
        return found

    async def _made_already(self, event_id: str) -> Resource | None:
        try:
            return await self._call(_get(*EVENTS, event_id))
        except NotFound:
            return None

    async def _call(self, call: GmailCall) -> Resource:
        return await self._client.call(call)


def _get(*path: str, query: calls.QueryParameters | None = None, fields: str = "") -> GmailCall:
    return calls.get(*path, units=1, query=query, fields=fields, under=calls.CALENDAR)


def _post(*path: str, body: Resource, query: calls.QueryParameters | None = None) -> GmailCall:
    return calls.post(*path, units=1, body=body, query=query, under=calls.CALENDAR)


def _patch(*path: str, body: Resource, query: calls.QueryParameters | None = None) -> GmailCall:
    return calls.patch(*path, units=1, body=body, query=query, under=calls.CALENDAR)


def _is_instance(event: Resource) -> bool:
    return "recurringEventId" in event


def _is_there(event: Resource) -> bool:
    return event.get("status") != "cancelled"


def _within(
    spans: Iterable[Resource], start: dt.datetime, end: dt.datetime
) -> Iterator[tuple[dt.datetime, dt.datetime]]:
    for span in spans:
        begins, ends = max(_time(span["start"]), start), min(_time(span["end"]), end)
        if begins < ends:
            yield begins, ends


def _time(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).astimezone(dt.UTC)
