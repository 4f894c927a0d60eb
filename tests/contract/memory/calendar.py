"""The calendar of a `MemoryMailbox`. Entry: `MemoryCalendar`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from typing_extensions import override

from gaia_email_registry.contract.wire import Address, Attendee, CalendarEvent
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail_mcp.calendar import (
    BusyTimes,
    CalendarStore,
    CounterProposal,
    EventPage,
    InvitationAnswers,
    NewCalendarEvent,
    Response,
    TimeWindow,
    Watchable,
)
from gaia_mail_mcp.calendar_time import Between, between, instant, is_all_day, merge_spans, rfc3339, zone_of
from gaia_mail_mcp.mailbox import Capability

WEEK = dt.timedelta(days=7)


class MemoryCalendar(CalendarStore, Watchable):
    """A `CalendarStore` and a `Watchable`; recurring events are put into it as their instances.

    Whom it would tell something by mail is in `notices`, as what about and to whom; `proposed` is which other time was
    asked for, `others` when the calendars
    of other people are busy, `watched_until` until when news would be pushed.
    """

    def __init__(
        self,
        account: str,
        time_zone: str = "UTC",
        capabilities: frozenset[Capability] = frozenset(Capability),
    ) -> None:
        self._capabilities = capabilities
        self._owner = account
        self._zone = zone_of(time_zone)
        self._events: dict[str, CalendarEvent] = {}
        self._removed: dict[str, CalendarEvent] = {}
        self._made = 0
        self.notices: list[tuple[str, tuple[str, ...]]] = []
        self.others: dict[str, list[Between]] = {}
        self.proposed: dict[str, CounterProposal] = {}
        self.watched_until: dt.datetime | None = None

    def put_event(self, event: CalendarEvent) -> None:
        """Have an event as it is."""
        self._events[event["id"]] = event

    @override
    async def calendar_zone(self) -> str:
        self._require(Capability.CALENDAR)
        return self._zone.key

    @override
    async def events(
        self, window: TimeWindow, *, query: str, limit: int, cursor: str | None = None
    ) -> EventPage:
        """A cursor is the number of events before it."""
        self._require(Capability.CALENDAR)
        words = query.casefold().split()
        found = sorted(
            (between(event, self._zone), event["id"])
            for event in self._events.values()
            if self._touches(event, window) and all(word in _text(event) for word in words)
        )
        start = int(cursor) if cursor is not None and cursor.isdigit() else 0
        page = tuple(self._events[event_id] for _, event_id in found[start : start + limit])
        end = start + len(page)
        return EventPage(events=page, next_cursor=str(end) if end < len(found) else None)

    @override
    async def event(self, event_id: str) -> CalendarEvent:
        self._require(Capability.CALENDAR)
        if event_id not in self._events:
            raise NotFound(f"There is no event {event_id[:80]!r}.", argument="event_id")
        return self._events[event_id]

    @override
    async def invitation(self, uid: str) -> CalendarEvent:
        self._require(Capability.CALENDAR)
        for event in self._events.values():
            if event["uid"] == uid:
                return event
        raise NotFound("The calendar does not have the event of this invitation.", argument="message_id")

    @override
    async def busy(self, window: TimeWindow, calendars: Sequence[str]) -> list[BusyTimes]:
        self._require(Capability.CALENDAR)
        own = [between(event, self._zone) for event in self._events.values() if event["busy"]]
        known = {self._owner: own, **self.others}
        return [
            BusyTimes(calendar=name, spans=tuple(_cut(known[name], window)))
            if name in known
            else BusyTimes(calendar=name, error="it does not exist, or is not shared with this account")
            for name in calendars or [self._owner]
        ]

    @override
    async def create_event(self, new: NewCalendarEvent) -> CalendarEvent:
        self._require(Capability.CALENDAR_WRITE)
        if new.event_id in self._removed:
            event = self._removed.pop(new.event_id)
        else:
            self._made += 1
            event = _made(new, f"e{self._made}", self._owner)
        self._events[event["id"]] = event
        self._tell("invited", [guest["address"] for guest in event["attendees"] if not guest["me"]])
        return event

    @override
    def answering(self) -> InvitationAnswers:
        return InvitationAnswers(propose=True)

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
        """The comment goes to the organizer only."""
        self._require(Capability.CALENDAR_WRITE)
        event = await self.event(event_id)
        if not event["response"]:
            raise BadArgument("This account is not invited to that event.", argument="event_id")
        if propose is not None:
            self.proposed[event_id] = propose
        guests: list[Attendee] = [
            {**guest, "response": response} if guest["me"] else guest for guest in event["attendees"]
        ]
        answered = event.copy()
        answered.update({"attendees": guests, "response": response, "busy": response != "declined"})
        self._events[event_id] = answered
        self._tell(response, [event["organizer"]["address"]] if notify else [])
        return answered

    @override
    async def delete_event(self, event_id: str, *, notify: bool) -> CalendarEvent:
        self._require(Capability.CALENDAR_WRITE)
        event = await self.event(event_id)
        self._removed[event_id] = self._events.pop(event_id)
        guests = [guest["address"] for guest in event["attendees"] if not guest["me"]]
        self._tell("cancelled", guests if notify else [])
        return event

    @override
    async def watch(self) -> dt.datetime:
        """Until a week after the beginning of the year 2000; nothing is pushed."""
        self._require(Capability.PUSH)
        self.watched_until = dt.datetime(2000, 1, 1, tzinfo=dt.UTC) + WEEK
        return self.watched_until

    @override
    async def unwatch(self) -> bool:
        self._require(Capability.PUSH)
        before, self.watched_until = self.watched_until, None
        return before is not None

    def _require(self, capability: Capability) -> None:
        if capability not in self._capabilities:
            raise BadArgument(f"This mailbox is not able to do that ({capability.value}).")

    def _touches(self, event: CalendarEvent, window: TimeWindow) -> bool:
        start, end = between(event, self._zone)
        return start < window.end and (end > window.start or start == end >= window.start)

    def _tell(self, what: str, who: Sequence[str]) -> None:
        if who:
            self.notices.append((what, tuple(who)))


def _made(new: NewCalendarEvent, event_id: str, owner: str) -> CalendarEvent:
    organizer: Address = {"name": "", "address": owner}
    guests: list[Attendee] = [
        {"name": "", "address": guest, "response": "needsAction", "optional": False, "me": False}
        for guest in new.attendees
    ]
    zone = zone_of(new.time_zone)
    if instant(new.end, zone) <= instant(new.start, zone):
        raise BadArgument("An event ends after it starts.", argument="end")
    return {
        "id": event_id,
        "uid": f"{event_id}@memory.example",
        "title": new.title,
        "start": rfc3339(new.start),
        "end": rfc3339(new.end),
        "all_day": is_all_day(new.start),
        "time_zone": new.time_zone,
        "status": "confirmed",
        "busy": True,
        "location": new.location,
        "description": new.description,
        "organizer": organizer,
        "attendees": guests,
        "response": "",
    }


def _cut(spans: Sequence[Between], window: TimeWindow) -> list[Between]:
    inside = ((max(start, window.start), min(end, window.end)) for start, end in spans)
    return merge_spans((start, end) for start, end in inside if start < end)


def _text(event: CalendarEvent) -> str:
    people = (f"{guest['name']} {guest['address']}" for guest in event["attendees"])
    return " ".join((event["title"], event["description"], event["location"], *people)).casefold()
