"""The account's Outlook calendar as a `CalendarStore`. Entry: `GraphCalendar`.

https://learn.microsoft.com/graph/api/resources/calendar. Events are those of the default calendar; Microsoft expands
recurring ones. A window is read completely and sorted here: Microsoft's pages shift if an event is added before them.
"""

from __future__ import annotations

import datetime as dt
import uuid
from abc import abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from typing_extensions import override

from gaia_email_registry.errors import BadArgument, MailError, NeedsApproval, NotFound, ProviderError
from gaia_graph_mcp.calls import GraphCall, Resource, delete, get, is_object, objects, path_of_link, post
from gaia_graph_mcp.event_forms import NOT_BUSY, body_of, event_of, instant_of, time_of
from gaia_graph_mcp.zones import iana_of
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
from gaia_mail_mcp.calendar_time import Between, between, instant, merge_spans, zone_of

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import CalendarEvent
    from gaia_graph_mcp.client import GraphClient

PAGE = 500
"""Events per page of a view; Microsoft's default is 10 and its maximum 1,000."""

MOST = 5_000
"""Most events read for one window. A window with more is refused rather than silently cut off."""

MOST_CALENDARS = 20
LONGEST_BUSY = dt.timedelta(days=42)
"""Longest span per request for other people's times: Microsoft refuses spans above two months."""

SELECTED = (
    "id,iCalUId,subject,start,end,isAllDay,isCancelled,isOrganizer,showAs,location,organizer,attendees,"
    "responseStatus,originalStartTimeZone,seriesMasterId,webLink,bodyPreview,transactionId"
)
WHOLE = f"{SELECTED},body,allowNewTimeProposals,responseRequested"

_VERBS = {"accepted": "accept", "declined": "decline", "tentative": "tentativelyAccept"}


class GraphCalendar(CalendarStore):
    """The default calendar of one account: the part of a mailbox that needs `Calendars.ReadWrite`."""

    client: GraphClient
    _zone: str = ""

    @property
    @abstractmethod
    def account(self) -> str:
        """Address of the calendar's owner."""
        ...

    @override
    async def calendar_zone(self) -> str:
        """Return the mailbox's time zone, which its calendar uses.

        Raises:
            ProviderError: It is a custom time zone.
        """
        if not self._zone:
            found = await self.client.call(get("mailboxSettings", query={"$select": "timeZone"}))
            name = str(found.get("timeZone") or "UTC")
            self._zone = iana_of(name)
            if not self._zone:
                raise ProviderError(
                    f"The time zone of this calendar, {name[:60]!r}, is not known here; choose one from the list in "
                    "Outlook's settings (Calendar, View, Time zone), then try again."
                )
        return self._zone

    @override
    async def events(
        self, window: TimeWindow, *, query: str, limit: int, cursor: str | None = None
    ) -> EventPage:
        """A cursor is the start and id of the last event on the previous page.

        Raises:
            BadArgument: The window has too many events, or the cursor is invalid.
        """
        after = _read_cursor(cursor) if cursor is not None else None
        words = query.casefold().split()
        calendar_zone = await self.calendar_zone()
        zone = zone_of(calendar_zone)
        found: list[tuple[dt.datetime, str, CalendarEvent]] = []
        for item in await self._view(window, WHOLE if words else SELECTED):
            event = event_of(item, me=self.account, calendar_zone=calendar_zone, shown_in=window.time_zone)
            start, end = between(event, zone)
            if _touches(start, end, window) and all(word in _text(event) for word in words):
                found.append((start, event["id"], event))
        found.sort(key=lambda one: one[:2])
        rest = [one for one in found if after is None or one[:2] > after]
        page = rest[: max(limit, 1)]
        more = len(rest) > len(page)
        return EventPage(
            events=tuple(event for _, _, event in page),
            next_cursor=f"{page[-1][0].isoformat()}|{page[-1][1]}" if more else None,
        )

    @override
    async def event(self, event_id: str) -> CalendarEvent:
        return await self._event_of(await self._found(event_id))

    @override
    async def invitation(self, uid: str) -> CalendarEvent:
        """For a recurring event, return its series."""
        escaped = uid.replace("'", "''")
        asked = get("events", query={"$filter": f"iCalUId eq '{escaped}'", "$select": WHOLE})
        items = objects((await self.client.call(_preferring(asked))).get("value"))
        items.sort(key=lambda item: bool(item.get("seriesMasterId")))
        if not items:
            raise NotFound("The calendar does not have the event of this invitation.", argument="message_id")
        return await self._event_of(items[0])

    @override
    async def busy(self, window: TimeWindow, calendars: Sequence[str]) -> list[BusyTimes]:
        """Read the account's own times from its events, which works for personal accounts too."""
        names = list(dict.fromkeys(calendars)) or [self.account]
        if len(names) > MOST_CALENDARS:
            raise BadArgument(f"Ask for {MOST_CALENDARS} calendars at most.", argument="calendars")
        others = [name for name in names if name.casefold() != self.account.casefold()]
        known = await self._schedules(window, others) if others else {}
        if len(others) < len(names):
            known |= {name: await self._own_times(window, name) for name in names if name not in others}
        return [known[name] for name in names]

    @override
    async def create_event(self, new: NewCalendarEvent) -> CalendarEvent:
        """Create the event. A deleted event cannot be restored under its id, so a new one is created."""
        zone = zone_of(new.time_zone)
        if instant(new.end, zone) <= instant(new.start, zone):
            raise BadArgument("An event ends after it starts.", argument="end")
        transaction = str(uuid.uuid4())
        making = post("events", body=body_of(new, transaction), repeatable=True)
        try:
            made = await self.client.call(_preferring(making))
        except (BadArgument, ProviderError):
            already = await self._made_already(new, transaction)
            if already is None:
                raise
            made = already
        return await self._event_of(made)

    @override
    def answering(self) -> InvitationAnswers:
        """Microsoft cannot withdraw an answer, and removes declined events."""
        return InvitationAnswers(take_back=False, propose=True, keeps_declined=False)

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
        """Answer an invitation; a declined event leaves the calendar. Withdrawing an answer raises `BadArgument`."""
        found = await self._found(event_id)
        before = await self._event_of(found)
        if not before["response"]:
            raise BadArgument("This account is not invited to that event.", argument="event_id")
        if response == before["response"] and propose is None:
            return before
        if response not in _VERBS:
            raise BadArgument(
                "Microsoft lets nobody take an answer back; answer accepted, declined or tentative.",
                argument="response",
            )
        if notify and found.get("responseRequested") is False:
            raise BadArgument(
                "The organizer of this event wants no answers, so none can be sent; set notify to false to answer "
                "for your own calendar.",
                argument="notify",
            )
        body: Resource = {"sendResponse": notify}
        body |= {"comment": comment} if comment is not None and notify else {}
        if propose is not None:
            body["proposedNewTime"] = _slot(found, propose, response, notify=notify)
        answered = _with_response(before, response)
        try:
            await self.client.call(post("events", event_id, _VERBS[response], body=body))
        except ProviderError:
            now = await self._current(event_id, answered)
            if now["response"] != response or before["response"] == response:
                raise
        now = await self._current(event_id, answered)
        return now if now["response"] == response else answered

    @override
    async def delete_event(self, event_id: str, *, notify: bool) -> CalendarEvent:
        """Delete an event; raises `BadArgument` for the user's own meeting with guests if `notify` is false."""
        found = await self._found(event_id)
        before = await self._event_of(found)
        guests = [guest for guest in before["attendees"] if not guest["me"]]
        if found.get("isOrganizer") is True and guests and not notify:
            raise BadArgument(
                "Microsoft tells the guests whenever their organizer deletes a meeting; set notify to true, "
                "or keep the event.",
                argument="notify",
            )
        with suppress(NotFound):  # an earlier try deleted it
            await self.client.call(delete("events", event_id))
        return before

    async def _current(self, event_id: str, gone: CalendarEvent) -> CalendarEvent:
        """Return the event in its current state; `gone` if the calendar no longer has it, as after declining."""
        try:
            return await self.event(event_id)
        except NotFound:
            return gone

    async def _event_of(self, found: Resource) -> CalendarEvent:
        return event_of(found, me=self.account, calendar_zone=await self.calendar_zone())

    async def _found(self, event_id: str) -> Resource:
        try:
            return await self.client.call(_preferring(get("events", event_id, query={"$select": WHOLE})))
        except NotFound:
            raise NotFound(f"There is no event {event_id[:80]!r}.", argument="event_id") from None

    async def _view(self, window: TimeWindow, select: str) -> list[Resource]:
        """Return all events in a window, with instances in place of series."""
        query = {
            "startDateTime": _utc(window.start),
            "endDateTime": _utc(window.end),
            "$orderby": "start/dateTime",
            "$top": str(PAGE),
            "$select": select,
        }
        call = get("calendarView", query=query)
        found: dict[str, Resource] = {}
        while True:
            page = await self.client.call(_preferring(call))
            before = len(found)
            found |= {str(item.get("id")): item for item in objects(page.get("value"))}
            link = page.get("@odata.nextLink")
            if not link or len(found) == before:
                return list(found.values())
            if len(found) >= MOST:
                raise BadArgument(
                    f"The calendar has more than {MOST} events there; ask for a shorter time.", argument="end"
                )
            call = GraphCall(method="GET", path=path_of_link(link, self.client.root))

    async def _own_times(self, window: TimeWindow, name: str) -> BusyTimes:
        calendar_zone = await self.calendar_zone()
        zone = zone_of(calendar_zone)
        events = [
            event_of(item, me=self.account, calendar_zone=calendar_zone)
            for item in await self._view(window, SELECTED)
        ]
        spans = [between(event, zone) for event in events if event["busy"]]
        return BusyTimes(calendar=name, spans=tuple(_cut(spans, window)))

    async def _schedules(self, window: TimeWindow, names: Sequence[str]) -> dict[str, BusyTimes]:
        """Return other people's busy times, with an error for each calendar that Microsoft does not share."""
        spans: dict[str, list[Between]] = {name: [] for name in names}
        errors: dict[str, str] = {}
        start = window.start
        while start < window.end:
            end = min(start + LONGEST_BUSY, window.end)
            body = {
                "schedules": list(names),
                "startTime": {"dateTime": _utc(start).rstrip("Z"), "timeZone": "UTC"},
                "endTime": {"dateTime": _utc(end).rstrip("Z"), "timeZone": "UTC"},
            }
            asked = post("calendar", "getSchedule", body=body, repeatable=True)
            try:
                answer = await self.client.call(_preferring(asked))
            except (BadArgument, NeedsApproval, NotFound) as error:  # personal accounts do not have this call
                return {name: BusyTimes(calendar=name, error=_unknown(error)) for name in names}
            told = {str(item.get("scheduleId")).casefold(): item for item in objects(answer.get("value"))}
            for name in names:
                item = told.get(name.casefold(), {"error": {}})
                spans[name] += _taken(item)
                if is_object(item.get("error")):
                    errors[name] = "it does not exist, or is not shared with this account"
            start = end
        return {
            name: BusyTimes(calendar=name, spans=tuple(_cut(spans[name], window)), error=errors.get(name, ""))
            for name in names
        }

    async def _made_already(self, new: NewCalendarEvent, transaction: str) -> Resource | None:
        """Find the event created with this transaction id after its response was lost or the retry was refused."""
        zone = zone_of(new.time_zone)
        window = TimeWindow(start=instant(new.start, zone), end=instant(new.end, zone), time_zone="UTC")
        try:
            items = await self._view(window, WHOLE)
        except MailError:
            return None
        return next((item for item in items if item.get("transactionId") == transaction), None)


def _preferring(call: GraphCall) -> GraphCall:
    """Ask for times in UTC and descriptions as plain text."""
    return replace(
        call, headers={"Prefer": 'outlook.timezone="UTC", outlook.body-content-type="text"', **call.headers}
    )


def _slot(event: Resource, propose: CounterProposal, response: Response, *, notify: bool) -> Resource:
    """Return the request's proposed time (https://learn.microsoft.com/graph/outlook-calendar-meeting-proposals)."""
    if response not in ("declined", "tentative") or not notify:
        raise BadArgument(
            "Another time goes to the organizer with declined or tentative, and with notify true.",
            argument="propose_start",
        )
    if event.get("allowNewTimeProposals") is False:
        raise BadArgument("The organizer of this event takes no other times.", argument="propose_start")
    return {end: time_of(getattr(propose, end), propose.time_zone) for end in ("start", "end")}


def _with_response(event: CalendarEvent, response: Response) -> CalendarEvent:
    """Return a copy of the event with the owner's response."""
    changed = event.copy()
    changed["attendees"] = [
        {**guest, "response": response} if guest["me"] else guest for guest in event["attendees"]
    ]
    changed["response"], changed["busy"] = response, response != "declined"
    return changed


def _touches(start: dt.datetime, end: dt.datetime, window: TimeWindow) -> bool:
    return start < window.end and (end > window.start or start == end >= window.start)


def _cut(spans: Sequence[Between], window: TimeWindow) -> list[Between]:
    inside = ((max(start, window.start), min(end, window.end)) for start, end in spans)
    return merge_spans((start, end) for start, end in inside if start < end)


def _taken(schedule: Resource) -> list[Between]:
    found: list[Between] = []
    for item in objects(schedule.get("scheduleItems")):
        start, end = instant_of(item.get("start")), instant_of(item.get("end"))
        if start is not None and end is not None and item.get("status") not in NOT_BUSY:
            found.append((start, end))
    return found


def _unknown(error: MailError) -> str:
    return f"Microsoft tells other people's times only to work and school accounts: {error.message}"


def _text(event: CalendarEvent) -> str:
    people = (f"{guest['name']} {guest['address']}" for guest in event["attendees"])
    return " ".join((event["title"], event["description"], event["location"], *people)).casefold()


def _read_cursor(cursor: str) -> tuple[dt.datetime, str]:
    when, _, event_id = cursor.partition("|")
    at: dt.datetime | None = None
    with suppress(ValueError):
        at = dt.datetime.fromisoformat(when)
    if not event_id or at is None or at.tzinfo is None:
        raise BadArgument("The cursor is not one of this calendar; begin without one.", argument="cursor")
    return at, event_id


def _utc(time: dt.datetime) -> str:
    return time.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
