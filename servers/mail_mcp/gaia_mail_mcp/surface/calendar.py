"""Calendar tools. Times, conflicts and free time are computed here, in the same way for every provider."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

from gaia_email_registry.clock import utc_now
from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.wire import (
    BusyCalendar,
    CalendarEvent,
    EventResult,
    EventsResult,
    FreeBusyResult,
    Overlap,
    Undo,
)
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail_mcp import calendar_time, convention
from gaia_mail_mcp.calendar import CalendarStore, CounterProposal, EventPage, NewCalendarEvent, TimeWindow
from gaia_mail_mcp.surface.call import Surface, ToolReply, handles, undo

WEEK = dt.timedelta(days=7)
LONGEST = dt.timedelta(days=366)
MOST_LOOKED_AT = 250
"""Most events among which the conflicts of one event are searched."""
MOST_COMPARED = 1000
"""Most events among which the conflicts of a page of events are searched."""
MOST_FREE = 100

_FOLDED = re.compile(r"\r?\n[ \t]")
_UID = re.compile(r"^UID(?:;[^:\r\n]*)?:(.{1,1000})$", re.MULTILINE | re.IGNORECASE)


@handles(inputs.ListCalendarEvents)
async def list_calendar_events(surface: Surface, given: inputs.ListCalendarEvents) -> ToolReply:
    """List the events in the calendar."""
    store = store_of(surface)
    zone = await _zone(store, given.time_zone)
    window = _window(given.start, given.end, zone)
    page = await store.events(window, query=given.query or "", limit=given.limit, cursor=given.cursor)
    others = EventPage(events=())
    if given.cursor is not None or page.next_cursor is not None:
        others = await _beside(store, page, window, given.query or "", zone)
    everything = {event["id"]: event for event in (*others.events, *page.events)}
    conflicts, note = _conflicts(everything.values(), page, others, zone)
    answer: EventsResult = {
        "events": list(page.events),
        "conflicts": conflicts,
        "time_zone": zone.key,
        "next_cursor": page.next_cursor,
    }
    lines = [event_line(event) for event in page.events] or ["No events."]
    lines += _conflict_lines(conflicts, everything.values())
    if note:
        answer["conflicts_note"] = note
        lines.append(note)
    lines += [f"Next cursor: {page.next_cursor}"] if page.next_cursor is not None else []
    return ToolReply(text="\n".join([*lines, f"Time zone: {zone.key}"]), data=answer)


@handles(inputs.FindFreeBusy)
async def find_free_busy(surface: Surface, given: inputs.FindFreeBusy) -> ToolReply:
    """Return the busy times of calendars, and the times when all are free."""
    store = store_of(surface)
    zone = await _zone(store, given.time_zone)
    window = _window(given.start, given.end, zone)
    found = await store.busy(window, given.calendars or [])
    calendars: list[BusyCalendar] = []
    for item in found:
        told: BusyCalendar = {
            "calendar": item.calendar,
            "busy": calendar_time.spans(calendar_time.merge_spans(item.spans), zone),
        }
        if item.error:
            told["error"] = item.error
        calendars.append(told)
    everything = [span for item in found for span in item.spans]
    shortest = dt.timedelta(minutes=given.minutes)
    free = calendar_time.free_between((window.start, window.end), everything, shortest)[:MOST_FREE]
    known = any(not item.error for item in found)
    answer: FreeBusyResult = {
        "calendars": calendars,
        "free": calendar_time.spans(free, zone) if known else [],
        "time_zone": zone.key,
    }
    lines: list[str] = []
    for told in calendars:
        name = convention.one_line(told["calendar"])
        if "error" in told:
            lines.append(f"{name}: not known ({convention.one_line(told['error'])})")
        else:
            lines += [f"{name} is busy {span['start']} to {span['end']}" for span in told["busy"]]
    lines += [f"Free: {span['start']} to {span['end']}" for span in answer["free"]]
    return ToolReply(text="\n".join([*lines, f"Time zone: {zone.key}"]), data=answer)


@handles(inputs.CreateCalendarEvent)
async def create_calendar_event(surface: Surface, given: inputs.CreateCalendarEvent) -> ToolReply:
    """Create an event."""
    store = store_of(surface)
    event = await store.create_event(await new_event(store, given))
    back = undo("delete_calendar_event", event_id=event["id"], notify=bool(given.attendees))
    return await _written(store, "Event created", event, back)


@handles(inputs.RespondToInvitation)
async def respond_to_invitation(surface: Surface, given: inputs.RespondToInvitation) -> ToolReply:
    """Accept or decline an invitation."""
    store = store_of(surface)
    before = await invited_to(surface, given)
    other_time = await proposal(store, before, given)
    event = await store.respond(
        before["id"], given.response, comment=given.comment, notify=given.notify, propose=other_time
    )
    back = undo(
        "respond_to_invitation", event_id=event["id"], response=before["response"], notify=given.notify
    )
    can = store.answering()
    can_go_back = (before["response"] != "needsAction" or can.take_back) and (
        event["response"] != "declined" or can.keeps_declined
    )
    changed = before["response"] != event["response"]
    return await _written(
        store, f"Answered {given.response}", event, back if changed and can_go_back else None
    )


@handles(inputs.DeleteCalendarEvent)
async def delete_calendar_event(surface: Surface, given: inputs.DeleteCalendarEvent) -> ToolReply:
    """Delete an event."""
    store = store_of(surface)
    event = await store.delete_event(given.event_id, notify=given.notify)
    again: dict[str, object] = {name: event[name] for name in ("title", "start", "end", "time_zone")}
    again |= {name: event[name] for name in ("description", "location") if event[name]}
    guests = [guest["address"] for guest in event["attendees"] if not guest["me"]]
    again |= {"attendees": guests} if guests else {}
    back = undo("create_calendar_event", event_id=event["id"], **again)
    answer: EventResult = {"ok": True, "ids": [event["id"]], "failed": [], "event": event, "undo": back}
    return ToolReply(text=f"Event deleted:\n{event_line(event)}", data=answer)


def store_of(surface: Surface) -> CalendarStore:
    """Return the mailbox's calendar.

    Raises:
        BadArgument: It has none.
    """
    if not isinstance(surface.mailbox, CalendarStore):
        raise BadArgument("This mailbox has no calendar.")
    return surface.mailbox


async def new_event(store: CalendarStore, given: inputs.CreateCalendarEvent) -> NewCalendarEvent:
    """Return the event to create.

    Raises:
        BadArgument: A time cannot be read, the end is not after the start, or an address is invalid.
    """
    from gaia_mail.mime.address import validate_address

    zone = await _zone(store, given.time_zone)
    start = calendar_time.read_time(given.start, zone, "start")
    whole_days = calendar_time.is_all_day(start)
    if given.end is None:
        end = start + dt.timedelta(days=1) if not isinstance(start, dt.datetime) else _later(start)
    else:
        end = calendar_time.read_time(given.end, zone, "end")
    if calendar_time.is_all_day(end) != whole_days:
        raise BadArgument("start and end are both dates, or both times.", argument="end")
    if calendar_time.instant(end, zone) <= calendar_time.instant(start, zone):
        raise BadArgument("An event ends after it starts; the end is exclusive.", argument="end")
    for guest in given.attendees or ():
        try:
            validate_address(guest)
        except BadArgument as error:
            raise BadArgument(error.message, argument="attendees") from None
    return NewCalendarEvent(
        title=given.title,
        start=start,
        end=end,
        time_zone=zone.key,
        description=given.description or "",
        location=given.location or "",
        attendees=tuple(given.attendees or ()),
        event_id=given.event_id or "",
    )


async def invited_to(surface: Surface, given: inputs.RespondToInvitation) -> CalendarEvent:
    """Return the event that is being answered.

    Raises:
        NotFound: There is no such event, or the message is not an invitation.
        BadArgument: Neither or both of event and message are given.
    """
    from gaia_mail.mime.read import parse_message

    store = store_of(surface)
    if given.event_id is not None and given.message_id is None:
        return await store.event(given.event_id)
    if given.message_id is None or given.event_id is not None:
        raise BadArgument("Give event_id or message_id, one of them.", argument="event_id")
    stored = await surface.mailbox.read([given.message_id], raw=True)
    if not stored:
        raise NotFound(f"There is no message {given.message_id[:80]!r}.", argument="message_id")
    for text in parse_message(stored[0].raw or b"").calendars:
        uid = _UID.search(_FOLDED.sub("", text))
        if uid is not None:
            return await store.invitation(uid[1].strip())
    raise NotFound("That message is not an invitation.", argument="message_id")


async def proposal(
    store: CalendarStore, event: CalendarEvent, given: inputs.RespondToInvitation
) -> CounterProposal | None:
    """Return the time that the response proposes; None if it proposes none.

    Raises:
        BadArgument: The provider does not support it, a time cannot be read, or it ends before it starts.
    """
    if given.propose_start is None:
        if given.propose_end is not None:
            raise BadArgument("propose_end needs propose_start.", argument="propose_start")
        return None
    if not store.answering().propose:
        raise BadArgument(
            "This provider takes no other time for a meeting; say it in comment.", argument="propose_start"
        )
    if given.response not in ("declined", "tentative") or not given.notify:
        raise BadArgument(
            "Another time goes to the organizer with declined or tentative, and with notify true.",
            argument="propose_start",
        )
    zone = await _zone(store, None)
    began, ended = calendar_time.between(event, zone)
    start = _instant(given.propose_start, zone, "propose_start")
    end = _instant(given.propose_end, zone, "propose_end") if given.propose_end else start + (ended - began)
    if end <= start:
        raise BadArgument("An event ends after it starts; the end is exclusive.", argument="propose_end")
    return CounterProposal(start=start.astimezone(zone), end=end.astimezone(zone), time_zone=zone.key)


def event_line(event: CalendarEvent) -> str:
    """Format an event as one line."""
    parts = [f"{event['start']} to {event['end']}", convention.one_line(event["title"]) or "(no title)"]
    parts += [f"at {convention.one_line(event['location'])}"] if event["location"] else []
    parts += [f"you: {event['response']}"] if event["response"] else []
    parts += ["free"] if not event["busy"] else []
    return f"{', '.join(parts)} (ID: {event['id']})"


async def conflicts_of(store: CalendarStore, event: CalendarEvent) -> list[Overlap]:
    """Return the overlaps of an event."""
    zone = await _zone(store, None)
    start, end = calendar_time.between(event, zone)
    if start == end:
        return []
    window = TimeWindow(start=start, end=end, time_zone=zone.key)
    page = await store.events(window, query="", limit=MOST_LOOKED_AT)
    return calendar_time.overlaps_with(event, page.events, zone)


async def _written(store: CalendarStore, what: str, event: CalendarEvent, back: Undo | None) -> ToolReply:
    conflicts = await conflicts_of(store, event) if event["busy"] else []
    answer: EventResult = {
        "ok": True,
        "ids": [event["id"]],
        "failed": [],
        "event": event,
        "conflicts": conflicts,
    }
    if back is not None:
        answer["undo"] = back
    lines = [f"{what}:", event_line(event)]
    lines += [f"It overlaps {len(conflicts)} other event{'s' * (len(conflicts) != 1)}."] if conflicts else []
    return ToolReply(text="\n".join(lines), data=answer)


async def _beside(
    store: CalendarStore, page: EventPage, window: TimeWindow, query: str, zone: ZoneInfo
) -> EventPage:
    """Return the events of the whole list during the busy times on this page."""
    times = [calendar_time.between(event, zone) for event in page.events if event["busy"]]
    start = max(window.start, min((begins for begins, _ in times), default=window.end))
    end = min(window.end, max((ends for _, ends in times), default=window.start))
    if start >= end:
        return EventPage(events=())
    return await store.events(replace(window, start=start, end=end), query=query, limit=MOST_COMPARED)


def _conflicts(
    events: Collection[CalendarEvent], page: EventPage, others: EventPage, zone: ZoneInfo
) -> tuple[list[Overlap], str]:
    """Return the conflicts of a page's events, and a note if they are incomplete."""
    of = {event["id"] for event in page.events}
    most = calendar_time.MOST_OVERLAPS
    found = calendar_time.overlaps(events, zone, of=of, most=most + 1)
    notes = [f"Of the conflicts these are the first {most}."] if len(found) > most else []
    if others.next_cursor is not None:
        notes.append(
            f"Conflicts with events that start after {others.events[-1]['start']} were not looked for: "
            "ask for a shorter time."
        )
    return found[:most], " ".join(notes)


def _conflict_lines(conflicts: Sequence[Overlap], events: Iterable[CalendarEvent]) -> list[str]:
    titles = {event["id"]: convention.one_line(event["title"]) or "(no title)" for event in events}
    return [
        f"Conflict: {' and '.join(titles[event_id] for event_id in pair['ids'])}, "
        f"{pair['start']} to {pair['end']}"
        for pair in conflicts
    ]


async def _zone(store: CalendarStore, name: str | None) -> ZoneInfo:
    return calendar_time.zone_of(name or await store.calendar_zone())


def _window(start: str | None, end: str | None, zone: ZoneInfo) -> TimeWindow:
    first = _instant(start, zone, "start") if start is not None else utc_now()
    last = _instant(end, zone, "end") if end is not None else first + WEEK
    if last <= first:
        raise BadArgument("The end of a time span is after its start; it is exclusive.", argument="end")
    if last - first > LONGEST:
        raise BadArgument("Ask for a year at most.", argument="end")
    return TimeWindow(start=first, end=last, time_zone=zone.key)


def _instant(text: str, zone: ZoneInfo, argument: str) -> dt.datetime:
    return calendar_time.instant(calendar_time.read_time(text, zone, argument), zone)


def _later(start: dt.datetime) -> dt.datetime:
    """Return the time one hour later, across clock changes too."""
    return (start.astimezone(dt.UTC) + dt.timedelta(hours=1)).astimezone(start.tzinfo)
